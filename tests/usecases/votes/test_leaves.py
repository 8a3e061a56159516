"""Every vote has a leaf of the transparency log, written with it, which its nonce opens."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import select

from arena.adapters.store import log_leaves
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.terms import Outcome, Voter
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from arena_trust.tlog.leaves import (
    CommittedVote,
    LeafKind,
    commitment,
    encode_leaf,
    parse_leaf,
    parse_vote_leaf,
    vote_leaf,
)
from tests.usecases.votes.test_batch import ballots_on, cast, played


def held(session) -> list[LeafRow]:
    return list(session.scalars(select(LeafRow).order_by(LeafRow.number)))


def opened(session) -> list[tuple[str, str]]:
    """The commitment in each vote's leaf, and the one that its stored row gives."""
    names = {row.id: row.name for row in session.scalars(select(EndpointRow))}
    found = []
    for leaf in held(session):
        vote = session.get(VoteRow, leaf.vote_number)
        row = CommittedVote(
            vote.number,
            vote.created_at.astimezone(UTC).date(),
            names[vote.endpoint_a_id],
            names[vote.endpoint_b_id],
            vote.outcome,
            vote.not_counted,
            vote.language,
            vote.turns,
            vote.style,
            1.0,
        )
        found.append((parse_leaf(leaf.data)["commit"], commitment(leaf.nonce or b"", row.canonical)))
    return found


async def test_the_leaf_of_every_vote_is_opened_by_its_nonce_and_its_row(runtime):
    battles = await played(runtime, 5)
    await cast(*ballots_on(runtime, battles[:4], Outcome.TIE), database=runtime.database)
    await cast(*ballots_on(runtime, battles[4:], Outcome.A, "key"), database=runtime.database)
    found = await runtime.database.read(opened)
    assert len({commit for commit, _ in found}) == 5
    assert [commit for commit, _ in found] == [computed for _, computed in found]
    leaves = [parse_leaf(leaf.data) for leaf in await runtime.database.read(held)]
    assert [leaf["number"] for leaf in leaves] == [1, 2, 3, 4, 5]
    assert all(leaf["listed"] is True and leaf["kind"] == "vote" for leaf in leaves)


@pytest.mark.both_databases
async def test_a_refused_vote_leaves_none(runtime):
    ((voter, battle_id),) = await played(runtime, 1)
    ballot = Ballot(voter, battle_id, Outcome.A, None, runtime.now())
    await asyncio.gather(*(votes.cast_vote(runtime.database, ballot) for _ in range(3)), return_exceptions=True)
    await cast(
        Ballot(Voter("another", "127.0.0.1"), battle_id, Outcome.B, None, runtime.now()), database=runtime.database
    )
    assert len(await runtime.database.read(held)) == 1


async def test_a_vote_on_an_unlisted_model_has_a_leaf_that_says_so(runtime):
    battles = await played(runtime, 1)

    def unlist(session) -> None:
        session.scalars(select(EndpointRow)).first().listed = False

    await runtime.database.write(unlist)
    await cast(*ballots_on(runtime, battles), database=runtime.database)
    (leaf,) = await runtime.database.read(held)
    assert (leaf.listed, parse_leaf(leaf.data)["listed"]) == (False, False)
    assert b"red" not in leaf.data
    assert b"blue" not in leaf.data


async def test_an_exclusion_has_a_leaf_in_clear(runtime):
    await cast(*ballots_on(runtime, await played(runtime, 1)), database=runtime.database)
    await votes.exclude(
        runtime.database, 1, reason="一个人投了很多次", by="an operator", now=datetime(2026, 1, 2, tzinfo=UTC)
    )
    _, leaf = await runtime.database.read(held)
    content = {"v": 1, "kind": "exclusion", "number": 1, "vote": 1, "reason": "一个人投了很多次"}
    assert json.loads(leaf.data) == content
    assert leaf.data == encode_leaf(LeafKind.EXCLUSION, number=1, vote=1, reason="一个人投了很多次")


def test_the_fast_leaf_of_a_vote_is_the_plain_one():
    vote = CommittedVote(7, date(2026, 1, 2), "鸥", 'a "b"', "tie", None, "zh", 2, [1, 2, 3, 4, 5, 6, 7, 8], 1 / 3)
    canonical = (
        '["arena-vote/1",7,"2026-01-02","鸥","a \\"b\\"","tie",null,"zh",2,[1,2,3,4,5,6,7,8],"0.333333333"]'.encode()
    )
    assert vote.canonical == canonical
    nonce = bytes(32)
    for listed in (True, False):
        plain = encode_leaf(
            LeafKind.VOTE, number=7, day="2026-01-02", listed=listed, commit=commitment(nonce, canonical)
        )
        assert vote_leaf(vote, nonce, listed=listed) == plain
        assert parse_vote_leaf(plain) == (7, listed, commitment(nonce, canonical))
        for other in (plain.replace(b"vote", b"import"), plain + b" ", plain.replace(b"7", b"07", 1)):
            assert parse_vote_leaf(other) is None


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_vote_is_committed_with_the_same_bytes_on_both_databases(runtime):
    await cast(*ballots_on(runtime, await played(runtime, 1)), database=runtime.database)
    (leaf,) = await runtime.database.read(held)
    vote = await runtime.database.read(lambda session: session.get(VoteRow, 1))
    a, b = ("red-7b", "blue-7b") if vote.endpoint_a_id == 1 else ("blue-7b", "red-7b")
    row = CommittedVote(
        1, vote.created_at.astimezone(UTC).date(), a, b, "a", vote.not_counted, vote.language, 1, vote.style, 1.0
    )
    assert leaf.data == vote_leaf(row, leaf.nonce, listed=True)
    assert await runtime.database.read(log_leaves.last) == 1

"""Concurrent votes are cast in one batch, and no vote affects another."""

from __future__ import annotations

import asyncio
import json
import threading
from base64 import urlsafe_b64decode
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import count

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.adapters.limits.bounds import Bounds
from arena.adapters.store import conversations, log_leaves, site, vote_batches
from arena.adapters.store import votes as stored
from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.conversations import BattleRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.people import BotCheckRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.domain.errors import (
    AlreadyVoted,
    BattleClosed,
    BattleNotFound,
    Closed,
    KeyReused,
    StoreUnavailable,
    TurnRunning,
)
from arena.domain.schemas.votes import RevealView
from arena.domain.terms import BattleState, BotVerdict, NotCounted, Outcome, Part, Voter
from arena.usecases.battles import battles
from arena.usecases.votes import assessment, votes
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
from tests.conftest import failing_commits
from tests.usecases.battles.test_turns import BLUE, RED, names, play


async def played(runtime, count: int) -> list[tuple[Voter, str]]:
    """Battles ready for votes, each of a different voter."""
    voters = [Voter(f"voter {number}", "127.0.0.1") for number in range(count)]
    return [(voter, (await play(runtime, voter))[0].id) for voter in voters]


def ballots_on(runtime, held, outcome=Outcome.A, key=None) -> list[Ballot]:
    return [Ballot(voter, battle_id, outcome, key, runtime.now()) for voter, battle_id in held]


async def cast(*ballots: Ballot, database) -> list:
    """Cast ballots concurrently; returns results and errors."""
    return await asyncio.gather(*(votes.cast_vote(database, ballot) for ballot in ballots), return_exceptions=True)


def log(session) -> list[str | None]:
    """The battles of all votes in the order of the log."""
    return list(session.scalars(select(VoteRow.battle_id).order_by(VoteRow.number)))


@pytest.fixture
def writes(monkeypatch) -> list[int]:
    """Record the sizes of batches with more than one vote."""
    sizes: list[int] = []
    add = vote_batches.add

    def counted(session, rows):
        sizes.append(len(rows))
        return add(session, rows)

    monkeypatch.setattr(vote_batches, "add", counted)
    return sizes


@pytest.fixture
def elsewhere(url):
    """The same database as another process sees it."""
    database = open_database(url)
    yield database
    database.close()


@pytest.mark.both_databases
async def test_votes_that_come_at_once_are_one_write_and_numbered_in_their_order(runtime, writes):
    held = await played(runtime, 12)
    reveals = await cast(*ballots_on(runtime, held), database=runtime.database)
    assert writes == [12]
    assert await runtime.database.read(log) == [battle_id for _, battle_id in held]
    ids = await runtime.database.read(lambda session: set(session.scalars(select(VoteRow.id))))
    assert {len(urlsafe_b64decode(f"{vote_id}==")) for vote_id in ids} == {16}
    for (voter, battle_id), reveal in zip(held, reveals, strict=True):
        assert (reveal.a.name, reveal.b.name) == tuple((await names(runtime, battle_id)).values())
        assert (await battles.look(runtime, voter, battle_id)).state is BattleState.VOTED


async def test_a_vote_cast_with_others_is_the_row_and_the_reveal_of_one_cast_alone(runtime, part, monkeypatch):
    part(RED, "I am red-7b, and **bold**.")
    part(BLUE, "# Blue\n\n- one\n- two")
    together, alone = ballots_on(runtime, await played(runtime, 2), Outcome.TIE, "k")
    first = await votes.cast_vote(runtime.database, together)
    lock = vote_batches.lock
    monkeypatch.setattr(vote_batches, "lock", lambda *args, wait: lock(*args, wait=wait) if wait else {})
    second = await votes.cast_vote(runtime.database, alone)
    assert (first.outcome, first.counted, first.reason) == (second.outcome, second.counted, second.reason)
    assert sorted((first.a.name, first.b.name)) == sorted((second.a.name, second.b.name))
    rows = [await runtime.database.read(stored.of_battle, ballot.battle_id) for ballot in (together, alone)]
    for column in ("outcome", "idempotency_key", "language", "category", "turns", "not_counted"):
        assert getattr(rows[0], column) == getattr(rows[1], column)
    assert rows[0].not_counted is NotCounted.IDENTITY_TOLD
    for row, ballot in zip(rows, (together, alone), strict=True):
        battle = await runtime.database.read(Session.get, BattleRow, ballot.battle_id)
        assert (row.created_at, row.voter_key, battle.ended_at) == (ballot.now, ballot.voter.key, ballot.now)
        assert (row.endpoint_a_id, row.endpoint_b_id) == (battle.endpoint_a_id, battle.endpoint_b_id)
        assert sorted((row.style[:4], row.style[4:])) == [[19, 1, 2, 0], [26, 0, 0, 1]]
        assert 0 <= row.seconds < 60


async def test_each_of_many_gets_its_own_answer_and_the_good_ones_are_saved(runtime, part):
    held = await played(runtime, 8)
    good, (foreign, voted, skipped, fresh) = held[:4], held[4:]
    first = await votes.cast_vote(runtime.database, ballots_on(runtime, [voted], Outcome.B, "earlier")[0])
    await battles.skip(runtime, *skipped)
    part(RED, hang=True)
    running = Voter("in a hurry", "127.0.0.1")
    open_battle = await battles.open_battle(runtime, running, "Hello")
    bad = [
        *ballots_on(runtime, [(Voter("stranger", "127.0.0.1"), foreign[1]), (foreign[0], "no such battle")]),
        *ballots_on(runtime, [voted, skipped, (running, open_battle.id)]),
        *ballots_on(runtime, [voted], Outcome.A, "earlier"),
        *ballots_on(runtime, [fresh], Outcome.A, "fresh"),
    ]
    mixed = [ballot for pair in zip(bad, ballots_on(runtime, good * 2)[: len(bad)], strict=True) for ballot in pair]
    results = await cast(*mixed, database=runtime.database)
    refusals, right = results[::2], results[1::2]
    assert [type(result) for result in refusals] == [
        *(BattleNotFound, BattleNotFound, AlreadyVoted, BattleClosed, TurnRunning, KeyReused, RevealView)
    ]
    assert refusals[2].reveal == first
    assert Counter(type(result) for result in right) == {RevealView: 4, AlreadyVoted: 3}
    assert len(await runtime.database.read(log)) == 6


@pytest.mark.both_databases
async def test_one_key_for_two_battles_at_once_is_taken_by_one_of_them(runtime):
    voter = Voter("v", "127.0.0.1")
    held = [(voter, (await play(runtime, voter))[0].id) for _ in range(3)]
    results = await cast(*ballots_on(runtime, held, key="same"), database=runtime.database)
    assert Counter(type(result) for result in results) == {RevealView: 1, KeyReused: 2}


async def test_a_constraint_that_refuses_one_costs_the_others_nothing(runtime, monkeypatch):
    """Simulate another process that uses the same key between the read and the write."""
    held = await played(runtime, 3)
    first, *others = ballots_on(runtime, held, key="k")
    await votes.cast_vote(runtime.database, first)
    again, _ = await play(runtime, first.voter)
    look, looks = vote_batches.key_uses, count()
    monkeypatch.setattr(vote_batches, "key_uses", lambda *args: look(*args) if next(looks) else {})
    ballots = [*ballots_on(runtime, [(first.voter, again.id)], key="k"), *others]
    results = await cast(*ballots, database=runtime.database)
    assert [type(result) for result in results] == [KeyReused, RevealView, RevealView]
    assert len(await runtime.database.read(log)) == 3


@pytest.mark.both_databases
async def test_a_flush_that_fails_is_told_to_all_and_reveals_nothing(runtime):
    held = await played(runtime, 5)
    ballots = ballots_on(runtime, held, key="k")
    with failing_commits(runtime.database):
        results = await cast(*ballots, database=runtime.database)
    assert [type(result) for result in results] == [StoreUnavailable] * 5
    assert await runtime.database.read(log) == []
    for voter, battle_id in held:
        assert (await battles.look(runtime, voter, battle_id)).state is BattleState.OPEN
    assert [type(result) for result in await cast(*ballots, database=runtime.database)] == [RevealView] * 5


async def test_a_text_that_cannot_be_assessed_costs_its_own_vote_only(runtime, monkeypatch):
    held = await played(runtime, 4)
    assess = assessment.assess

    def picky(evidence):
        if evidence.transcript.voter_key == held[2][0].key:
            raise RecursionError
        return assess(evidence)

    monkeypatch.setattr(assessment, "assess", picky)
    results = await cast(*ballots_on(runtime, held), database=runtime.database)
    assert [type(result) for result in results] == [RevealView, RevealView, RecursionError, RevealView]


async def test_where_voting_is_closed_nobody_votes(runtime):
    held = await played(runtime, 3)
    await runtime.database.write(site.put_flag, Part.VOTING, closed=True, reason="r", now=runtime.now())
    results = await cast(*ballots_on(runtime, held), database=runtime.database)
    assert [type(result) for result in results] == [Closed] * 3
    assert await runtime.database.read(log) == []


@pytest.mark.both_databases
async def test_a_caller_who_leaves_takes_nobody_along(runtime):
    held = await played(runtime, 6)
    calls = [asyncio.create_task(votes.cast_vote(runtime.database, ballot)) for ballot in ballots_on(runtime, held)]
    await asyncio.sleep(0)
    calls[0].cancel()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(result) for result in results[1:]] == [RevealView] * 5
    assert set(await runtime.database.read(log)) >= {battle_id for _, battle_id in held[1:]}


@pytest.mark.both_databases
async def test_two_processes_that_take_the_same_votes_save_each_once(runtime, elsewhere):
    held = await played(runtime, 16)
    here, there = ballots_on(runtime, held, Outcome.A), ballots_on(runtime, held[::-1], Outcome.B)
    results = await asyncio.gather(cast(*here, database=runtime.database), cast(*there, database=elsewhere))
    counts = Counter(type(item) for half in results for item in half)
    assert counts == {RevealView: 16, AlreadyVoted: 16}
    assert sorted(await runtime.database.read(log)) == sorted(battle_id for _, battle_id in held)
    for ballot, result in zip(here + there, results[0] + results[1], strict=True):
        reveal = result if type(result) is RevealView else result.reveal
        assert (await runtime.database.read(stored.of_battle, ballot.battle_id)).outcome == reveal.outcome


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_battle_that_somebody_holds_keeps_no_other_vote_waiting(runtime, elsewhere):
    held = await played(runtime, 4)
    loop, begun, go_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def hold(session) -> None:
        conversations.owned_for_update(session, conversations.BATTLES, held[0][1], held[0][0].key)
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(20)

    holding = asyncio.create_task(elsewhere.write(hold))
    await begun.wait()
    waiting, *others = [
        asyncio.create_task(votes.cast_vote(runtime.database, ballot)) for ballot in ballots_on(runtime, held)
    ]
    assert [type(result) for result in await asyncio.gather(*others)] == [RevealView] * 3
    assert not waiting.done()
    go_on.set()
    await holding
    assert type(await waiting) is RevealView


def held(session) -> list[LeafRow]:
    return list(session.scalars(select(LeafRow).order_by(LeafRow.number)))


def opened(session) -> list[tuple[str, str]]:
    """The commitment in each vote's leaf, and the one that its stored row gives."""
    names = {row.id: row.name for row in session.scalars(select(EndpointRow))}
    pairs = []
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
        pairs.append((parse_leaf(leaf.data)["commit"], commitment(leaf.nonce or b"", row.canonical)))
    return pairs


async def test_the_leaf_of_every_vote_is_opened_by_its_nonce_and_its_row(runtime):
    battles = await played(runtime, 5)
    await cast(*ballots_on(runtime, battles[:4], Outcome.TIE), database=runtime.database)
    await cast(*ballots_on(runtime, battles[4:], Outcome.A, "key"), database=runtime.database)
    pairs = await runtime.database.read(opened)
    assert len({commit for commit, _ in pairs}) == 5
    assert [commit for commit, _ in pairs] == [computed for _, computed in pairs]
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


@pytest.mark.both_databases
async def test_votes_of_one_batch_on_two_sides_of_midnight_have_each_the_check_of_its_own_day(runtime):
    held = await played(runtime, 4)
    midnight = datetime(2026, 3, 2, tzinfo=UTC)
    moments = [midnight - timedelta(seconds=1), midnight, midnight - timedelta(seconds=1), midnight]
    ballots = [
        Ballot(*who, Outcome.A, None, moment, Bounds(bot_check=True)) for who, moment in zip(held, moments, strict=True)
    ]

    def check(session, number: int, day: date) -> None:
        facts = {"challenge": f"c{number}", "verdict": BotVerdict.PASS, "created_at": midnight}
        session.add(BotCheckRow(voter_key=held[number][0].key, day=day, **facts))

    for number, day in ((0, 1), (1, 2), (2, 2), (3, 1)):
        await runtime.database.write(check, number, date(2026, 3, day))
    for order in (ballots, ballots[::-1]):
        evidence = {entry.ballot.voter.key: entry for entry in await runtime.database.read(assessment.load, order)}
        tiers = [evidence[who.key].tier for who, _ in held]
        assert tiers == [BotVerdict.PASS, BotVerdict.PASS, BotVerdict.UNKNOWN, BotVerdict.UNKNOWN]
        assert [evidence[who.key].checked for who, _ in held] == [True, True, False, False]

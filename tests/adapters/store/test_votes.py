"""Votes as columns: the same whether they are read in one piece or piece by piece."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import numpy as np
import pytest
from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.adapters.store import votes as votes_table
from arena.adapters.store.engine import Database
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.adapters.store.votes import last_number, packed_votes, unpack
from arena.domain.terms import NotCounted, Outcome
from tests.conftest import START
from tests.row_factories import endpoint_row

ENDPOINTS, VOTES = 5, 300
OUTCOMES = tuple(Outcome)


def add_endpoints(session: Session) -> None:
    owner = OwnerRow(name="somebody", created_at=START)
    session.add_all(endpoint_row(f"model-{number}", owner=owner) for number in range(ENDPOINTS))


def votes() -> list[tuple[int, int, int, NotCounted | None]]:
    rng = Random(1)
    pairs = [rng.sample(range(1, ENDPOINTS + 1), 2) for _ in range(VOTES)]
    return [
        (a, b, rng.randrange(4), rng.choice([None, None, NotCounted.STOPPED, NotCounted.WEB_PAGE])) for a, b in pairs
    ]


def add_votes(session: Session) -> None:
    rows = [
        {"id": f"vote-{place}", "voter_key": "", "outcome": OUTCOMES[code], "not_counted": why, "created_at": START}
        | {"endpoint_a_id": a, "endpoint_b_id": b}
        for place, (a, b, code, why) in enumerate(votes())
    ]
    session.execute(insert(VoteRow), rows)


def read(session: Session, after: int, last: int) -> list[tuple[int, ...]]:
    numbers, words, voters = packed_votes(session, after=after, last=last)[0]
    assert numbers.dtype == words.dtype == voters.dtype == np.int64
    return list(zip(numbers.tolist(), *(column.tolist() for column in unpack(words)), strict=True))


async def test_a_log_read_whole_has_what_its_pieces_have(database: Database):
    await database.write(add_endpoints)
    await database.write(add_votes)
    last = await database.read(last_number)
    whole = await database.read(read, 0, last)
    assert whole == [(number, *vote) for number, (*vote, why) in enumerate(votes(), 1) if why is None]
    assert whole == await database.read(read, 0, 100) + await database.read(read, 100, last)


async def test_votes_on_web_pages_are_columns_of_their_own(database: Database):
    await database.write(add_endpoints)
    await database.write(add_votes)
    _, (numbers, words, _) = await database.read(packed_votes, after=0, last=VOTES)
    rows = list(zip(numbers.tolist(), *(column.tolist() for column in unpack(words)), strict=True))
    assert rows == [(number, *vote) for number, (*vote, why) in enumerate(votes(), 1) if why is NotCounted.WEB_PAGE]


async def test_pieces_of_any_size_make_the_same_columns(database: Database, monkeypatch: pytest.MonkeyPatch):
    await database.write(add_endpoints)
    await database.write(add_votes)
    whole = await database.read(packed_votes, after=0, last=VOTES)
    for size in (1, 7, VOTES - 1):
        monkeypatch.setattr(votes_table, "_PIECE", size)
        pieces = await database.read(packed_votes, after=0, last=VOTES)
        assert all(np.array_equal(*pair) for log in zip(whole, pieces, strict=True) for pair in zip(*log, strict=True))


async def test_a_log_without_a_vote_that_counts_has_empty_columns(database: Database):
    assert await database.read(read, 0, 0) == []


async def test_votes_of_one_voter_on_one_day_share_a_number_and_no_others_do(database: Database):
    who = [("one", START), ("two", START), ("one", START + timedelta(minutes=1)), ("one", START + timedelta(days=1))]
    rows = [
        {"id": f"vote-{place}", "voter_key": voter, "outcome": OUTCOMES[0], "created_at": moment}
        | {"endpoint_a_id": 1, "endpoint_b_id": 2}
        for place, (voter, moment) in enumerate(who)
    ]
    await database.write(add_endpoints)
    await database.write(lambda session: session.execute(insert(VoteRow), rows))
    one, two, again, later = (await database.read(packed_votes, after=0, last=9))[0].voters.tolist()
    assert one == again
    assert len({one, two, later}) == 3


async def test_votes_have_their_own_numbers_where_some_are_missing_and_rows_lie_in_another_order(database: Database):
    rng = Random(3)
    facts = {number: (*rng.sample(range(1, ENDPOINTS + 1), 2), rng.randrange(4)) for number in range(1, 400, 3)}
    rows = [
        {"number": number, "id": f"vote-{number}", "voter_key": "one", "outcome": OUTCOMES[code], "created_at": START}
        | {"endpoint_a_id": a, "endpoint_b_id": b}
        for number, (a, b, code) in rng.sample(sorted(facts.items()), len(facts))
    ]
    await database.write(add_endpoints)
    await database.write(lambda session: session.execute(insert(VoteRow), rows))
    for after, last in ((0, 400), (0, 1), (99, 100), (100, 300)):
        expected = [(number, *vote) for number, vote in facts.items() if after < number <= last]
        assert await database.read(read, after, last) == expected

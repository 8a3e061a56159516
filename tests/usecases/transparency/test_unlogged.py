"""A vote without a leaf never counts, and stops the signing until the operator says so in the log."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import asyncpg
import pytest
from sqlalchemy import select, text

from arena.adapters.store import log_leaves, votes
from arena.adapters.store.engine import open_database
from arena.adapters.store.leases import Superseded, unguarded
from arena.adapters.store.tables.conversations import ExclusionRow, VoteRow
from arena.adapters.store.tables.transparency import LeafRow, UnloggedVoteRow
from arena.domain.errors import Invalid
from arena.domain.terms import NotCounted
from arena.usecases.exchange import writer
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.reader import read_votes
from arena.usecases.integrity.origin_log import OriginLog
from arena.usecases.ranking import verification
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from arena.usecases.transparency import unlogged
from arena.usecases.transparency.unlogged import SLICE, SWEEP, Search, UnloggedVotes, exclude, numbered
from arena_trust.tlog.leaves import LeafKind
from tests.publication import publish_once
from tests.statements import counted_steps
from tests.usecases.exchange.files import COLUMNS, SAMPLE
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.transparency.arenas import START, read_signed_log, sequencer
from tests.usecases.transparency.test_sequencer import insert_votes
from tests.vote_leaves import add_leaves

INSERT = (
    "INSERT INTO votes (number, id, outcome, voter_key, endpoint_a_id, endpoint_b_id, created_at)"
    " VALUES ({0}, 'forged {0}', 'a', 'v', 1, 2, '2026-03-01 00:00:00+00:00')"
)


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as executor:
        yield executor


def forge(session, number: int) -> None:
    """Insert a vote by SQL, as somebody with the database's password does."""
    session.execute(text(INSERT.format(number)))


def logged(session, count: int) -> None:
    insert_votes(session, count)
    add_leaves(session)


async def pending(database) -> list[int]:
    return await database.read(log_leaves.pending_unlogged)


async def counted(database) -> list[int]:
    log = CountedLog()
    await database.read(lambda session: log.advance(session, head_of(session)))
    return log.numbers.tolist()


async def searched(database) -> list[int]:
    search = Search()
    while await search.advance(database, START, unguarded):
        pass
    return await pending(database)


async def test_a_vote_inserted_by_sql_is_found_and_nothing_is_signed(database, tmp_path):
    await database.write(logged, 3)
    log = sequencer(database, tmp_path)
    assert await searched(database) == []
    await log.turn()
    before, _ = await read_signed_log(log)
    await database.write(forge, 4)
    await database.write(forge, 5)
    await database.write(add_leaves, 4)
    assert await searched(database) == [4]
    with pytest.raises(UnloggedVotes, match=r"^vote 4$"):
        await log.turn()
    assert (await read_signed_log(log))[0] == before


async def test_the_operators_act_is_a_leaf_after_which_the_log_goes_on(database, tmp_path):
    await database.write(logged, 2)
    log = sequencer(database, tmp_path)
    await log.turn()
    for number in (5, 3):
        await database.write(forge, number)
    assert await searched(database) == [3, 5]
    assert await exclude(database, " found by Monday's look ", START) == [3, 5]
    assert await pending(database) == []
    await log.turn()
    _, entries = await read_signed_log(log)
    leaf = {"v": 1, "kind": "unlogged", "votes": [3, 5], "why": "found by Monday's look", "day": "2026-03-01"}
    assert json.loads(entries[-1]) == leaf
    assert await searched(database) == [], "they are found once"
    with pytest.raises(Invalid, match="Every vote has its leaf"):
        await exclude(database, "again", START)


async def test_the_act_searches_by_itself_and_names_what_was_found_only_once(database):
    await database.write(logged, 1)
    await database.write(forge, 2)
    assert await searched(database) == [2]
    await database.write(forge, 3)
    assert await exclude(database, "both", START) == [2, 3]


@pytest.mark.parametrize("why", ["", "  ", "x" * 501])
async def test_the_act_needs_a_reason(database, why):
    with pytest.raises(Invalid, match="1 to 500 characters"):
        await exclude(database, why, START)


async def test_many_votes_have_several_leaves_that_fit_an_entry(database, monkeypatch):
    monkeypatch.setattr(unlogged, "_VOTES_OF_LEAF", 3)
    await database.write(insert_votes, 7)
    await exclude(database, "a test", START)
    leaves = await database.read(
        lambda session: list(session.scalars(select(LeafRow.data).where(LeafRow.kind == LeafKind.UNLOGGED)))
    )
    assert [json.loads(leaf)["votes"] for leaf in leaves] == [[1, 2, 3], [4, 5, 6], [7]]


@pytest.mark.both_databases
async def test_it_never_counts_neither_before_it_is_found_nor_after_the_act(database, executor):
    await database.write(logged, 4)
    await database.write(forge, 5)
    assert await counted(database) == [1, 2, 3, 4]
    first = await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: START)
    await searched(database)
    assert await counted(database) == [1, 2, 3, 4]
    await exclude(database, "a test", START)
    assert await counted(database) == [1, 2, 3, 4]
    assert first is not None
    assert (await verification.verify(database, first, executor=executor)).holds
    left_out = await database.read(lambda session: votes.LeftOut().advance(session, 5, 0))
    assert left_out == {"unlogged": 1}


@pytest.mark.both_databases
async def test_neither_does_one_whose_number_was_free_below_the_newest(database):
    await database.write(logged, 4)
    await database.write(lambda session: session.execute(text("DELETE FROM log_leaves WHERE vote_number = 2")) and None)
    await database.write(lambda session: session.execute(text("DELETE FROM votes WHERE number = 2")) and None)
    log = CountedLog()
    await database.read(lambda session: log.advance(session, head_of(session)))
    await database.write(forge, 2)
    await database.read(lambda session: log.advance(session, head_of(session)))
    assert log.numbers.tolist() == await counted(database) == [1, 3, 4]


@pytest.mark.both_databases
async def test_the_gate_judges_no_unlogged_vote(database):
    await database.write(logged, 2)
    await database.write(forge, 3)
    origin = "INSERT INTO vote_origins (number, network, tier, client) VALUES ({}, 'n', 'unknown', 'desktop')"
    for number in (1, 2, 3):
        await database.write(lambda session, number=number: session.execute(text(origin.format(number))) and None)
    log = OriginLog()
    await database.read(lambda session: log.advance(session, votes.last_number(session)))
    assert log.file.rows["number"].tolist() == [1, 2]


@pytest.mark.both_databases
async def test_the_export_says_that_it_does_not_count(database):
    await database.write(logged, 2)
    await database.write(forge, 3)
    for act in (searched, lambda database: exclude(database, "a test", START)):
        rows = [
            json.loads(line) async for page in writer.export_pages(database, salt=b"s") for line in page.splitlines()
        ]
        assert [(row["number"], row["counted"], row["reason"], "nonce" in row) for row in rows] == [
            (1, True, None, True),
            (2, True, None, True),
            (3, False, "unlogged", False),
        ]
        numbers = [
            json.loads(line)
            async for page in writer.export_endpoint(database, 1, salt=b"s")
            for line in page.splitlines()
        ]
        assert [row["counted"] for row in numbers] == [True, True, False]
        await act(database)


async def test_imported_votes_have_the_leaf_of_their_import(database):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    await import_votes(database, read, START)
    assert await searched(database) == []
    assert len(await counted(database)) == 200
    await database.write(forge, 201)
    assert await searched(database) == [201]
    assert len(await counted(database)) == 200


async def test_a_vote_whose_transaction_has_not_ended_is_no_finding(postgres_url):
    database = open_database(postgres_url)
    await database.write(logged, 1)
    connection = await asyncpg.connect(postgres_url)
    async with connection.transaction():
        await connection.execute(INSERT.format(2))
        assert await searched(database) == []
        leaf = "INSERT INTO log_leaves (kind, data, nonce, vote_number, listed) VALUES ('vote', '', '', 2, true)"
        await connection.execute(leaf)
        assert await searched(database) == []
    await connection.close()
    assert await searched(database) == []
    assert await counted(database) == [1, 2]
    database.close()


async def test_the_search_goes_slice_by_slice_and_begins_again_after_an_hour(database):
    await database.write(logged, 2)
    for number in (SLICE + 1, 3 * SLICE):
        await database.write(forge, number)
    search = Search()
    assert [await search.advance(database, START, unguarded) for _ in range(3)] == [True, True, False]
    assert await pending(database) == [SLICE + 1, 3 * SLICE]
    await database.write(forge, 5)
    assert not await search.advance(database, START, unguarded)
    assert await pending(database) == [SLICE + 1, 3 * SLICE], "below what was searched"
    assert await search.advance(database, START + SWEEP, unguarded)
    assert await pending(database) == [5, SLICE + 1, 3 * SLICE]
    assert await search.advance(database, START - timedelta(days=1), unguarded), "a clock that was set back"


async def test_a_process_that_was_overtaken_writes_nothing(database):
    await database.write(insert_votes, 1)

    def overtaken(_session) -> None:
        raise Superseded

    with pytest.raises(Superseded):
        await Search().advance(database, START, overtaken)
    assert await pending(database) == []


def test_a_sentence_names_a_few_votes():
    assert numbered([7]) == "vote 7"
    assert numbered([7, 9]) == "votes 7, 9"
    assert numbered(list(range(1, 9))) == "votes 1, 2, 3, 4, 5 and 3 more"


@pytest.mark.both_databases
async def test_what_is_left_out_is_the_same_read_in_steps_as_read_at_once(database):
    """Exclusions of early and late votes, votes that are read late, and one that turns out to have no leaf."""

    def mark(session, first: int) -> None:
        for row in session.scalars(select(VoteRow).where(VoteRow.number >= first, VoteRow.number % 3 == 0)):
            row.not_counted = NotCounted.STOPPED

    def drop(session, vote: int) -> None:
        session.add(ExclusionRow(vote_number=vote, reason=f"reason {vote % 2}", by="me", created_at=START))

    steps = votes.LeftOut()
    await database.write(logged, 9)
    await database.write(mark, 1)
    positions = [(4, 0), (6, 1), (6, 2), (9, 2), (9, 4), (9, 4), (5, 1), (9, 5)]
    for number, (last, exclusion) in enumerate(positions):
        if number < 5:
            await database.write(drop, (8, 2, 1, 3, 7)[number])
        if number == 5:
            await database.write(lambda session: session.add(UnloggedVoteRow(number=4, seen_at=START)))
        assert await database.read(steps.advance, last, exclusion) == await database.read(
            votes.LeftOut().advance, last, exclusion
        )
    assert await database.read(steps.advance, 9, 5) == {"stopped": 3, "reason 0": 2, "reason 1": 2, "unlogged": 1}


@pytest.mark.sqlite
async def test_reading_what_is_left_out_again_reads_new_votes_only(database):
    await database.write(logged, 300)
    steps = votes.LeftOut()
    at_first, all_votes, new = [
        await counted_steps(database, step.advance, last, 0)
        for step, last in ((votes.LeftOut(), 10), (steps, 290), (steps, 300))
    ]
    assert new <= at_first + 10 < all_votes

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace

import pytest
from sqlalchemy import Engine, event, func, select

from arena.adapters.store import endpoints, log_leaves, votes
from arena.adapters.store.engine import short_transactions
from arena.adapters.store.tables.conversations import ExclusionRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Conflict, Invalid, StoreUnavailable
from arena.domain.terms import EndpointState, NotCounted
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.reader import read_votes
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from tests.conftest import START, add_endpoints, failing_commits
from tests.usecases.exchange.files import COLUMNS, SAMPLE, own_row, write

LATER = START + timedelta(days=1)


def every(session) -> list[VoteRow]:
    return list(session.scalars(select(VoteRow).order_by(VoteRow.number)))


def states(session) -> dict[str, EndpointState]:
    return {row.name: row.state for row in endpoints.list_all(session)}


def exclusions(session) -> list[tuple[int, str, str]]:
    rows = session.scalars(select(ExclusionRow).order_by(ExclusionRow.number))
    return [(row.vote_number, row.reason, row.by) for row in rows]


def read(tmp_path, rows):
    votes, bad = read_votes(write(tmp_path / "votes.jsonl", rows))
    assert bad == []
    return votes


async def test_votes_are_appended_in_the_order_of_the_file(database):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    added = await import_votes(database, read, LATER)
    assert (added.votes, added.known, len(added.names)) == (200, 0, 10)
    rows = await database.read(every)
    assert [(row.id, row.outcome, row.voter_key) for row in rows] == [(v.id, v.outcome, v.voter) for v in read]
    assert {row.created_at for row in rows} == {LATER}


async def test_the_same_file_twice_adds_nothing(database):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    await import_votes(database, read, LATER)
    added = await import_votes(database, read, LATER)
    assert (added.votes, added.known, added.names) == (0, 200, ())
    assert await database.read(votes.count) == 200


@pytest.fixture(autouse=True)
def _transactions_of_one_size(monkeypatch):
    """On a busy machine they are smaller."""
    monkeypatch.setattr(short_transactions, "BATCH_SECONDS", 1e9)


@contextmanager
def rows_of_transactions() -> Iterator[list[int]]:
    """The number of rows that each transaction has inserted, in order of their commits."""
    done, pending = list[int](), 0

    def executed(_connection, _cursor, statement, parameters, _context, executemany):
        nonlocal pending
        pending += (len(parameters) if executemany else 1) * statement.startswith("INSERT")

    def committed(_connection):
        nonlocal pending
        done.append(pending)
        pending = 0

    event.listen(Engine, "before_cursor_execute", executed)
    event.listen(Engine, "commit", committed)
    try:
        yield done
    finally:
        event.remove(Engine, "before_cursor_execute", executed)
        event.remove(Engine, "commit", committed)


@pytest.mark.both_databases
async def test_no_transaction_writes_more_votes_of_a_file_than_others_can_wait_for(database, tmp_path):
    """A vote with its exclusion and the leaf of that are three rows; names and the leaves of the pairs are few."""
    count = 4 * short_transactions.BATCH_ROWS + 7
    rows = [own_row(id=str(n), counted=n % 2 == 0, reason=None if n % 2 == 0 else "odd") for n in range(count)]
    votes = read(tmp_path, rows)
    with rows_of_transactions() as done:
        await import_votes(database, votes, LATER)
    assert count < sum(done)
    assert max(done) <= 3 * short_transactions.BATCH_ROWS + 100


@pytest.mark.parametrize(("seconds", "sizes"), [(0.001, [40, 40, 40, 40, 40]), (0.2, [40, 20, 10, 5, *[3] * 41])])
async def test_transactions_that_last_long_become_smaller(database, monkeypatch, seconds, sizes):
    """Each takes `seconds`, however many votes it has."""
    monkeypatch.setattr(short_transactions, "BATCH_ROWS", 40)
    monkeypatch.setattr(short_transactions, "MIN_BATCH", 3)
    monkeypatch.setattr(short_transactions, "BATCH_SECONDS", 0.1)
    clock, done = [0.0], [0]

    def monotonic() -> float:
        clock[0] += seconds
        return clock[0]

    monkeypatch.setattr(short_transactions, "monotonic", monotonic)
    monkeypatch.setattr(short_transactions, "asyncio", SimpleNamespace(sleep=lambda _seconds: asyncio.sleep(0)))
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    await import_votes(database, read, LATER, done.append)
    assert [after - before for before, after in pairwise(done)][: len(sizes)] == sizes
    assert done[-1] == len(read)


@pytest.mark.both_databases
async def test_another_write_passes_between_the_transactions_of_an_import(database, monkeypatch):
    monkeypatch.setattr(short_transactions, "BATCH_ROWS", 10)
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    loop, others = asyncio.get_running_loop(), list[Future[int]]()

    def write(_done: int) -> None:
        others.append(asyncio.run_coroutine_threadsafe(database.write(votes.count), loop))

    await import_votes(database, read, LATER, write)
    passed = [await asyncio.wrap_future(other) for other in others]
    assert len(passed) == 20
    assert all(passed[n] <= 10 * (n + 2) for n in range(20))


@pytest.mark.both_databases
@pytest.mark.parametrize("stop", [1, 70, 200])
async def test_the_same_import_after_one_that_was_stopped_has_each_vote_once(database, monkeypatch, stop):
    monkeypatch.setattr(short_transactions, "BATCH_ROWS", 30)
    read, _ = read_votes(SAMPLE, columns=COLUMNS)

    def fail(done: int) -> None:
        if done >= stop:
            raise Invalid("the process ends here")

    with pytest.raises(Invalid):
        await import_votes(database, read, LATER, fail)
    kept = await database.read(votes.count)
    assert kept == (stop - 1) // 30 * 30
    added = await import_votes(database, read, LATER)
    assert (added.votes, added.known) == (200 - kept, kept)
    assert [row.id for row in await database.read(every)] == [vote.id for vote in read]
    assert await database.read(lambda session: log_leaves.search_unlogged(session, after=0, last=10**6)) == []
    assert await database.read(lambda session: log_leaves.unlogged_votes(session, after=0, last=10**6)) == []


async def test_a_file_that_has_grown_adds_its_new_rows_only(database):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    await import_votes(database, read[:150], LATER)
    added = await import_votes(database, read, LATER)
    assert (added.votes, added.known) == (50, 150)
    assert [row.id for row in await database.read(every)] == [vote.id for vote in read]


async def test_new_names_are_known_but_never_drawn(database, tmp_path):
    await database.write(add_endpoints, ("red-7b",))
    added = await import_votes(database, read(tmp_path, [own_row()]), LATER)
    assert added.names == ("blue-7b",)
    assert await database.read(states) == {"red-7b": EndpointState.ACTIVE, "blue-7b": EndpointState.IMPORTED}
    assert [row.name for row in await database.read(endpoints.active)] == ["red-7b"]


async def test_a_vote_keeps_what_the_file_says_of_it(database, tmp_path):
    rows = [
        own_row(category="code"),
        own_row(id="two", counted=False, reason="identity_told"),
        own_row(id="three", counted=False, reason="many from one hall"),
    ]
    await import_votes(database, read(tmp_path, rows), LATER)
    first, second, third = await database.read(every)
    assert (first.language, first.category, first.turns, first.seconds) == ("en", "code", 2, 3.5)
    assert first.created_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert (first.battle_id, first.idempotency_key) == (None, None)
    assert [row.not_counted for row in (first, second, third)] == [None, NotCounted.IDENTITY_TOLD, None]
    assert await database.read(exclusions) == [(third.number, "many from one hall", "imported")]
    log = CountedLog()
    await database.read(lambda session: log.advance(session, head_of(session)))
    assert log.numbers.tolist() == [first.number]


async def test_votes_that_are_known_bring_no_exclusion_and_no_name_again(database, tmp_path):
    rows = [own_row(counted=False, reason="many from one hall")]
    for _ in range(2):
        await import_votes(database, read(tmp_path, rows), LATER)
    assert len(await database.read(exclusions)) == 1


@pytest.mark.both_databases
async def test_a_disk_that_fails_keeps_nothing(database):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)

    with failing_commits(database), pytest.raises(StoreUnavailable):
        await import_votes(database, read, LATER)
    assert await database.read(votes.count) == 0
    assert (await import_votes(database, read, LATER)).votes == 200


async def test_one_id_twice_in_one_import_keeps_nothing(database):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    with pytest.raises(Conflict):
        await import_votes(database, [*read, read[0]], LATER)
    assert await database.read(votes.count) == 0


@pytest.mark.both_databases
async def test_two_imports_of_one_file_at_once_add_it_once(database):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    added = await asyncio.gather(*(import_votes(database, read, LATER) for _ in range(4)))
    assert sorted(result.votes for result in added) == [0, 0, 0, 200]
    assert await database.read(lambda session: session.scalar(select(func.count()).select_from(EndpointRow))) == 10


@pytest.mark.both_databases
async def test_more_votes_than_one_batch(database, tmp_path, monkeypatch):
    monkeypatch.setattr(short_transactions, "BATCH_ROWS", 700)
    rows = [own_row(id=str(n), counted=n % 2 == 0, reason=None if n % 2 == 0 else "odd") for n in range(2_000)]
    progress: list[int] = []
    added = await import_votes(database, read(tmp_path, rows), LATER, progress.append)
    assert (added.votes, progress) == (2_000, [700, 1_400, 2_000])
    stored = await database.read(every)
    assert [row.id for row in stored] == [str(n) for n in range(2_000)]
    odd = [row.number for row in stored if int(row.id) % 2]
    assert [number for number, _, _ in await database.read(exclusions)] == odd

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine, event, func, select

from arena.adapters.store import endpoints, votes
from arena.adapters.store.tables.conversations import ExclusionRow, VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Conflict, Invalid, StoreUnavailable
from arena.domain.terms import EndpointState, NotCounted
from arena.usecases.exchange import import_leaf, importer
from arena.usecases.exchange.importer import import_votes
from arena.usecases.exchange.reader import read_votes
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from tests.conftest import START, add_endpoints, failing_commits
from tests.usecases.exchange.files import COLUMNS, SAMPLE, own_row, write

LATER = START + timedelta(days=1)


def every(session) -> list[VoteRow]:
    return list(session.scalars(select(VoteRow).order_by(VoteRow.number)))


def states(session) -> dict[str, EndpointState]:
    return {row.name: row.state for row in endpoints.every(session)}


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


async def test_a_long_file_never_keeps_the_database_waiting_for_all_its_hashes(database, monkeypatch):
    hashed, most = 0, 0

    def hashing(number, vote, now):
        nonlocal hashed, most
        hashed += 1
        most = max(most, hashed)
        return committed(number, vote, now)

    def asked(*_):
        nonlocal hashed
        hashed = 0

    committed = import_leaf.committed
    monkeypatch.setattr(import_leaf, "committed", hashing)
    monkeypatch.setattr(import_leaf, "_BATCH", 30)
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    event.listen(Engine, "before_cursor_execute", asked)
    try:
        await import_votes(database, read, LATER)
    finally:
        event.remove(Engine, "before_cursor_execute", asked)
    assert most == 30


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


async def test_an_error_late_in_an_import_keeps_nothing_of_it(database, monkeypatch):
    read, _ = read_votes(SAMPLE, columns=COLUMNS)
    monkeypatch.setattr(importer, "_BATCH", 50)

    def fail_late(done: int) -> None:
        if done == 150:
            raise Invalid("the caller has had enough")

    with pytest.raises(Invalid):
        await import_votes(database, read, LATER, fail_late)
    assert await database.read(votes.count) == 0
    assert await database.read(states) == {}
    assert (await import_votes(database, read, LATER)).votes == 200


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
async def test_more_votes_than_one_batch_and_one_question_hold(database, tmp_path, monkeypatch):
    monkeypatch.setattr(importer, "_BATCH", 700)
    monkeypatch.setattr(importer, "_IDS_PER_QUERY", 300)
    rows = [own_row(id=str(n), counted=n % 2 == 0, reason=None if n % 2 == 0 else "odd") for n in range(2_000)]
    progress: list[int] = []
    added = await import_votes(database, read(tmp_path, rows), LATER, progress.append)
    assert (added.votes, progress) == (2_000, [700, 1_400, 2_000])
    stored = await database.read(every)
    assert [row.id for row in stored] == [str(n) for n in range(2_000)]
    odd = [row.number for row in stored if int(row.id) % 2]
    assert [number for number, _, _ in await database.read(exclusions)] == odd

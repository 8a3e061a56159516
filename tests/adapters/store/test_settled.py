"""Reading the log up to its settled position never misses a vote that is committed later with a smaller number."""

import asyncio
import random
import secrets
import threading

import asyncpg
import pytest
from sqlalchemy import func, select

from arena.adapters.store import votes
from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.sessions import on_postgres
from arena.adapters.store.tables.conversations import ExclusionRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.usecases.ranking.heads import Head
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from tests.conftest import START, add_endpoints
from tests.row_factories import vote_row
from tests.vote_leaves import add_leaves


@pytest.fixture
async def pair(database) -> tuple[int, int]:
    await database.write(add_endpoints)
    return tuple(await database.read(lambda session: session.scalars(select(EndpointRow.id)).all()))


def add_vote(session, pair, before_it_ends=lambda: None) -> int:
    row = vote_row(secrets.token_urlsafe(16), *pair)
    session.add(row)
    session.flush()
    before_it_ends()
    return row.number


@pytest.fixture
def elsewhere(postgres_url):
    """The same database from another process, whose transactions do not block this one's."""
    database = open_database(postgres_url)
    yield database
    database.close()


@pytest.fixture
def here(postgres_url):
    database = open_database(postgres_url)
    yield database
    database.close()


async def unfinished(database, work, *args):
    """Begin `work` in `database` and pause it before its commit; returns the task and the event that resumes it."""
    begun, go_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def hold() -> None:
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(120)

    task = asyncio.create_task(database.write(work, *args, hold))
    await begun.wait()
    return task, go_on


async def pair_in(database) -> tuple[int, int]:
    await database.write(add_endpoints)
    return tuple(await database.read(lambda session: session.scalars(select(EndpointRow.id)).all()))


async def test_a_vote_that_is_not_committed_yet_holds_the_log_at_its_place(here, elsewhere):
    pair = await pair_in(here)
    first = await here.write(add_vote, pair)
    task, go_on = await unfinished(elsewhere, add_vote, pair)
    later = await here.write(add_vote, pair)
    assert later == first + 2
    assert await here.read(votes.last_number) == first
    go_on.set()
    assert await task == first + 1
    assert await here.read(votes.last_number) == later


async def test_a_vote_that_is_never_committed_holds_nothing_up_once_it_is_gone(here, elsewhere):
    pair = await pair_in(here)

    def refused(session, pair, before_it_ends) -> None:
        add_vote(session, pair, before_it_ends)
        raise LookupError

    task, go_on = await unfinished(elsewhere, refused, pair)
    later = await here.write(add_vote, pair)
    assert await here.read(votes.last_number) == 0
    go_on.set()
    with pytest.raises(LookupError):
        await task
    assert await here.read(votes.last_number) == later == 2


async def test_an_exclusion_holds_its_log_at_its_place_too(here, elsewhere):
    pair = await pair_in(here)
    for _ in range(2):
        await here.write(add_vote, pair)

    def exclude(session, number, before_it_ends=lambda: None) -> None:
        session.add(ExclusionRow(vote_number=number, reason="r", by="me", created_at=START))
        session.flush()
        before_it_ends()

    task, go_on = await unfinished(elsewhere, exclude, 1)
    await here.write(exclude, 2)
    assert await here.read(votes.last_exclusion) == 0
    assert await here.read(votes.last_number) == 2
    go_on.set()
    await task
    assert await here.read(votes.last_exclusion) == 2


async def test_a_long_import_takes_one_lock_and_not_one_for_each_vote(here, elsewhere, postgres_url):
    pair = await pair_in(here)

    def many(session, before_it_ends) -> None:
        for _ in range(300):
            add_vote(session, pair)
        before_it_ends()

    task, go_on = await unfinished(elsewhere, many)
    connection = await asyncpg.connect(postgres_url)
    locks = await connection.fetchval("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
    await connection.close()
    go_on.set()
    await task
    assert locks == 1


async def test_a_log_that_is_read_on_while_many_vote_is_the_log_that_is_read_at_the_end(database, pair):
    log, whole = CountedLog(), CountedLog()
    heads: list[Head] = []
    votes = 0

    def dawdle(session) -> None:
        add_leaves(session, after=add_vote(session, pair) - 1)
        if on_postgres(session):
            session.execute(select(func.pg_sleep(random.random() / 20)))

    async def vote() -> None:
        """Twenty times, and until the reader has seen the log grow often enough, however slow it is."""
        nonlocal votes
        number = 0
        while number < 20 or len(set(heads)) <= 10:
            await database.write(dawdle)
            number, votes = number + 1, votes + 1

    def advance(session) -> Head:
        log.advance(session, head_of(session))
        return log.head

    async def read_on() -> None:
        while not done.is_set():
            heads.append(await database.read(advance))

    done = asyncio.Event()
    reading = asyncio.create_task(read_on())
    async with asyncio.timeout(120):
        await asyncio.gather(*(vote() for _ in range(12)))
    done.set()
    await reading
    head = await database.read(head_of)
    for reader in (log, whole):
        await database.read(lambda session, each=reader: each.advance(session, head))
    assert len(whole.numbers) == votes
    assert log.numbers.tolist() == whole.numbers.tolist()
    assert heads == sorted(heads, key=lambda head: head.vote)

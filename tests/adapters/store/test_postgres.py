"""PostgreSQL only: concurrent writers, and a server that can fail."""

import asyncio
import signal
import time

import pytest
from sqlalchemy import func, select, text, update

from arena.adapters.store.engine import address, open_database
from arena.adapters.store.engine.migration import migrate
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.domain.errors import Invalid, StoreUnavailable
from tests.adapters.store.test_engine import add, count
from tests.servers import Cluster, Postgres

WRITERS = 8
MANY = 40


@pytest.fixture
def database(postgres_url):
    database = open_database(postgres_url)
    yield database
    database.close()


def setting(session, name: str) -> str:
    return session.scalar(select(func.current_setting(name)))


async def test_every_commit_waits_for_the_disk_and_nothing_waits_for_ever(database):
    assert await database.write(setting, "synchronous_commit") == "on"
    for run in (database.read, database.write):
        for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            assert await run(setting, name) != "0"


async def test_many_writes_run_at_once(database):
    """Each transaction waits until all have begun, counted by a sequence, which is visible across transactions."""

    def meet(session) -> bool:
        session.execute(text("SELECT nextval('arrivals')"))
        for _ in range(600):
            if session.scalar(text("SELECT last_value FROM arrivals")) >= WRITERS:
                return True
            session.execute(select(func.pg_sleep(0.05)))
        return False

    await database.write(lambda session: session.execute(text("CREATE SEQUENCE arrivals")))
    assert all(await asyncio.gather(*(database.write(meet) for _ in range(WRITERS))))


async def test_two_who_wait_for_each_other_both_get_through(database):
    for name in ("one", "two"):
        await database.write(add, name)

    def rename(session, first: str, second: str) -> None:
        for name in (first, second):
            session.execute(update(OwnerRow).where(OwnerRow.name == name).values(contact=f"{first} {second}"))
            session.execute(select(func.pg_sleep(0.2)))

    await asyncio.gather(database.write(rename, "one", "two"), database.write(rename, "two", "one"))
    contacts = select(OwnerRow.contact).where(OwnerRow.name.in_(("one", "two")))
    (contact,) = await database.read(lambda session: set(session.scalars(contacts)))
    assert contact in {"one two", "two one"}


async def test_what_must_not_overlap_does_not(database):
    inside, most = 0, 0

    def work(session) -> None:
        nonlocal inside, most
        one_at_a_time(session, "a test")
        inside += 1
        most = max(most, inside)
        session.execute(select(func.pg_sleep(0.02)))
        inside -= 1

    await asyncio.gather(*(database.write(work) for _ in range(6)))
    assert most == 1


async def test_a_lock_that_somebody_keeps_is_unavailable_and_not_waited_for_for_ever(database):
    await database.write(add, "held")

    def hold(session) -> None:
        session.execute(update(OwnerRow).values(contact="x"))
        session.execute(select(func.pg_sleep(1.5)))

    def hasty(session) -> None:
        session.execute(text("SET LOCAL lock_timeout = '200ms'"))
        session.execute(update(OwnerRow).values(contact="y"))

    holding = asyncio.create_task(database.write(hold))
    await asyncio.sleep(0.3)
    with pytest.raises(StoreUnavailable) as caught:
        await database.write(hasty)
    assert caught.value.retry_after
    await holding


async def test_a_database_without_tables_is_unavailable_and_not_a_crash(postgres):
    with postgres.database() as url:
        database = open_database(url)
        with pytest.raises(StoreUnavailable):
            await database.read(count)
        database.close()


async def test_where_no_server_answers_it_is_unavailable():
    database = open_database("postgresql://nobody@127.0.0.1:1/nothing")
    for run in (database.read, database.write):
        with pytest.raises(StoreUnavailable):
            await run(count)
    database.close()


@pytest.mark.parametrize(
    "wrong", ["mysql://u@h/d", "postgresql+psycopg://u@h/d", "no address", "sqlite+aiosqlite:///x"]
)
def test_an_address_that_the_arena_cannot_use_is_told(wrong):
    with pytest.raises(Invalid):
        address(wrong)


def test_an_address_may_leave_the_driver_out_and_keeps_its_password():
    for scheme in ("postgres", "postgresql", "postgresql+asyncpg"):
        assert address(f"{scheme}://u:p%40ss@h:5/d") == "postgresql+asyncpg://u:p%40ss@h:5/d"


@pytest.fixture(scope="module")
def durable():
    """A private server with real flushes to disk, which the test may kill."""
    server = Postgres()
    yield server
    server.remove()


async def test_no_acknowledged_write_is_lost_when_the_server_is_killed_again_and_again(durable):
    with Cluster(durable.url) as cluster:
        cluster.execute("CREATE DATABASE killed")
    url = durable.url.replace("/postgres", "/killed")
    await asyncio.to_thread(migrate, url)
    database = open_database(url)
    numbers: list[str] = []
    errors: list[Exception] = []
    ending = asyncio.Event()

    async def keep_writing(writer: int) -> None:
        number = 0
        while not ending.is_set():
            number += 1
            try:
                numbers.append(await database.write(add, f"{writer}-{number}"))
            except Exception as error:  # noqa: BLE001 - judged below
                errors.append(error)
            await asyncio.sleep(0.01)

    writers = [asyncio.create_task(keep_writing(number)) for number in range(8)]
    for _ in range(3):
        while not numbers:
            await asyncio.sleep(0.02)
        await asyncio.to_thread(durable.stop, signal.SIGQUIT)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(durable.start)
        back, before = time.monotonic(), len(numbers)
        while len(numbers) < before + MANY:
            assert time.monotonic() - back < 60
            await asyncio.sleep(0.02)
    ending.set()
    await asyncio.gather(*writers)
    names = await database.read(lambda session: set(session.scalars(select(OwnerRow.name))))
    database.close()
    assert set(numbers) - names == set()
    assert {type(error) for error in errors} == {StoreUnavailable}


async def test_connections_that_the_server_closed_are_not_used_again(database):
    await asyncio.gather(*(database.write(add, f"owner {n}") for n in range(8)))
    await asyncio.gather(*(database.read(count) for _ in range(4)))
    await database.write(
        lambda session: session.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                " AND datname = current_database()"
            )
        )
    )
    await asyncio.sleep(0.1)
    results = await asyncio.gather(*(database.write(add, f"later {n}") for n in range(8)))
    assert len(results) == 8
    assert await database.read(count) == 16

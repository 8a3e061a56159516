import asyncio
import gc
import threading

import pytest
from alembic import command
from sqlalchemy import func, inspect, select, text
from sqlalchemy.exc import IntegrityError

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import configuration, migrate
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.domain.errors import NotFound, StoreUnavailable
from tests.conftest import START, failing_commits


def add(session, name: str) -> str:
    session.add(OwnerRow(name=name, created_at=START))
    session.flush()
    return name


def count(session) -> int:
    return session.scalar(select(func.count()).select_from(OwnerRow))


def shape(session) -> dict[str, object]:
    """The revision, and the names of all columns by table."""
    looked = inspect(session.connection())
    columns = {name: sorted(column["name"] for column in looked.get_columns(name)) for name in looked.get_table_names()}
    return {"revision": session.scalar(text("SELECT version_num FROM alembic_version")), **columns}


def refuse(_session) -> None:
    raise NotFound


async def test_a_failed_piece_of_work_takes_nothing_of_its_neighbours_with_it(database):
    await database.write(add, "taken")
    names = ["a", "taken", "b", "taken", "c"]
    results = await asyncio.gather(*(database.write(add, name) for name in names), return_exceptions=True)
    assert [isinstance(result, IntegrityError) for result in results] == [False, True, False, True, False]
    assert await database.read(count) == 4


async def test_an_error_of_ours_leaves_the_writer_as_it_is_and_keeps_nothing(database):
    def work(session) -> None:
        add(session, "gone")
        refuse(session)

    with pytest.raises(NotFound):
        await database.write(work)
    assert await database.read(count) == 0
    assert await database.write(add, "next") == "next"


async def test_a_write_goes_on_when_its_caller_is_cancelled(database):
    """Also one that still waits for its turn."""
    running, go = threading.Event(), threading.Event()

    def slow(session) -> None:
        add(session, "first")
        running.set()
        go.wait(60)

    first = asyncio.create_task(database.write(slow))
    await asyncio.to_thread(running.wait, 60)
    second = asyncio.create_task(database.write(add, "second"))
    await asyncio.sleep(0)
    for caller in (first, second):
        caller.cancel()
    await asyncio.wait([first, second])
    assert first.cancelled()
    assert second.cancelled()
    go.set()
    await database.write(add, "third")
    while await database.read(count) < 3:
        await asyncio.sleep(0.01)


async def test_a_refusal_whose_caller_is_gone_leaves_no_traceback_and_a_fault_does(database, caplog):
    """A page may be closed and a run cancelled at any time."""
    running, go = threading.Event(), threading.Event()

    def late(_session, error: Exception) -> None:
        running.set()
        go.wait(60)
        raise error

    for error in (NotFound(), ZeroDivisionError()):
        running.clear()
        go.clear()
        caller = asyncio.create_task(database.write(late, error))
        await asyncio.to_thread(running.wait, 60)
        caller.cancel()
        await asyncio.wait([caller])
        go.set()
        await database.write(add, type(error).__name__)
    del caller
    while "ZeroDivisionError" not in caplog.text:
        await asyncio.sleep(0.01)
        gc.collect()
    assert "NotFound" not in caplog.text


async def test_a_reader_cannot_write(database):
    with pytest.raises(StoreUnavailable):
        await database.read(add, "sneaky")


async def test_a_commit_that_fails_is_told_to_everyone_who_waits_for_it(database):
    with failing_commits(database):
        results = await asyncio.gather(*(database.write(add, f"owner {n}") for n in range(5)), return_exceptions=True)
    assert all(isinstance(result, StoreUnavailable) for result in results)
    assert await database.read(count) == 0
    assert await database.write(add, "afterwards") == "afterwards"


async def test_closing_keeps_what_was_queued(url):
    database = open_database(url)
    writes = [asyncio.ensure_future(database.write(add, f"owner {n}")) for n in range(20)]
    await asyncio.sleep(0)
    await asyncio.to_thread(database.close)
    assert len(await asyncio.gather(*writes)) == 20
    again = open_database(url)
    assert await again.read(count) == 20
    again.close()


async def test_a_cancelled_caller_does_not_stop_the_writer(database):
    task = asyncio.ensure_future(database.write(add, "cancelled"))
    await asyncio.sleep(0)
    task.cancel()
    assert await database.write(add, "after") == "after"


async def test_migrating_twice_changes_nothing(database, url):
    await database.write(add, "before")
    before = await database.read(shape)
    await asyncio.to_thread(migrate, url)
    await asyncio.to_thread(migrate, url)
    assert await database.read(shape) == before
    assert await database.read(count) == 1


def test_tables_and_migrations_say_the_same(url):
    command.check(configuration(url))


async def test_the_last_migration_can_be_taken_back_and_made_again(database, url):
    before = await database.read(shape)
    await asyncio.to_thread(command.downgrade, configuration(url), "-1")
    assert (await database.read(shape))["revision"] != before["revision"]
    await asyncio.to_thread(command.upgrade, configuration(url), "head")
    assert await database.read(shape) == before

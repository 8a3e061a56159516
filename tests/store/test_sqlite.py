"""What only SQLite is asked: one writer, one commit for all who wait, one file."""

import asyncio
import sqlite3

import pytest
from sqlalchemy import event, select, text

from arena.errors import StoreUnavailable
from arena.store.engine import open_database
from arena.store.tables import OwnerRow
from tests.store.test_engine import add, count


@pytest.fixture
def database(sqlite_url):
    database = open_database(sqlite_url)
    yield database
    database.close()


async def test_what_was_awaited_is_on_disk_for_another_connection(database, sqlite_url):
    await database.write(add, "one")
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as other:
        assert other.execute("SELECT name FROM owners").fetchall() == [("one",)]


async def test_every_write_is_flushed_before_it_is_answered(database):
    mode = await database.write(lambda session: session.execute(text("PRAGMA synchronous")).scalar())
    assert mode == 2
    assert await database.read(lambda session: session.execute(text("PRAGMA journal_mode")).scalar()) == "wal"


async def test_waiting_writes_share_one_commit(database):
    commits = 0

    def counted(_connection) -> None:
        nonlocal commits
        commits += 1

    event.listen(database._writing, "commit", counted)
    await asyncio.gather(*(database.write(add, f"owner {n}") for n in range(200)))
    assert await database.read(count) == 200
    assert commits < 100


async def test_a_missing_table_is_unavailable_and_not_a_crash(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'empty.db'}")
    with pytest.raises(StoreUnavailable):
        await database.read(count)
    database.close()


async def test_what_sqlite_rolled_back_for_the_sake_of_another_is_not_called_saved(database):
    def lose_all(session) -> None:
        session.connection().exec_driver_sql("ROLLBACK")  # as SQLite does by itself when the disk fails
        raise OSError

    works = [(add, "before"), (lose_all,), (add, "after")]
    results = await asyncio.gather(*(database.write(*work) for work in works), return_exceptions=True)
    kept = await database.read(lambda session: set(session.scalars(select(OwnerRow.name))))
    assert {result for result in results if isinstance(result, str)} <= kept
    assert await database.write(add, "later") == "later"

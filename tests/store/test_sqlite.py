"""What only SQLite is asked: one writer, one commit for all who wait, one file."""

import asyncio
import sqlite3

import pytest
from sqlalchemy import event, text

from arena.errors import StoreUnavailable
from arena.store.engine import open_database
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

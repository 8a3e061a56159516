"""Migrations of a server that others are using."""

import asyncio
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest
from alembic import command
from sqlalchemy import text

from arena.errors import Unavailable
from arena.store.engine import open_database
from arena.store.migrate import check, configuration, migrate

ROOT = Path(__file__).parent.parent.parent
READS = 4.0


async def add_owners(url: str, until: asyncio.Event) -> list[float]:
    """Write as the old version does, fifty times a second; returns how long each took."""
    connection, took = await asyncpg.connect(url), []
    while not until.is_set():
        start = time.monotonic()
        await connection.execute(
            "INSERT INTO owners (name, created_at) VALUES ($1, $2)", f"owner {len(took)}", datetime.now(UTC)
        )
        took.append(time.monotonic() - start)
        await asyncio.sleep(0.02)
    await connection.close()
    return took


async def read_for_long(url: str) -> float:
    """A reader who keeps the table from being changed; returns when it ended."""
    connection = await asyncpg.connect(url)
    async with connection.transaction():
        await connection.fetchval("SELECT count(*) FROM owners")
        await asyncio.sleep(READS)
    await connection.close()
    return time.monotonic()


async def test_a_migration_waits_for_a_long_reader_without_holding_up_the_writers(postgres_url):
    await asyncio.to_thread(command.downgrade, configuration(postgres_url), "0001")
    ending = asyncio.Event()
    writing = asyncio.create_task(add_owners(postgres_url, ending))
    reading = asyncio.create_task(read_for_long(postgres_url))
    await asyncio.sleep(0.3)
    await asyncio.to_thread(migrate, postgres_url)
    migrated = time.monotonic()
    assert await reading <= migrated
    await asyncio.sleep(0.3)
    ending.set()
    took = await writing
    assert len(took) > 20
    assert max(took) < READS / 2
    database = open_database(postgres_url)
    await check(database)
    database.close()


def test_processes_that_migrate_at_once_all_find_it_done(postgres):
    with postgres.database() as url:
        code = f"from arena.store.migrate import migrate; migrate({url!r})"
        each = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(3)]
        assert [process.wait(60) for process in each] == [0, 0, 0]
        command.check(configuration(url))


async def test_an_older_schema_is_refused_and_a_newer_one_served(postgres_url):
    database = open_database(postgres_url)
    await check(database)

    def pretend(session, revision: str) -> None:
        session.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})

    await database.write(pretend, "9999")
    await check(database)
    await database.write(pretend, "0001")
    with pytest.raises(Unavailable, match="arena migrate"):
        await check(database)
    database.close()

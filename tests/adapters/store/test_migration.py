"""Migrations: which databases are migrated, served or refused, and a PostgreSQL server that is in use meanwhile."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url, text

from arena.adapters.store.engine import migration, open_database
from arena.adapters.store.engine.migration import check, configuration, migrate, newest, revisions
from arena.domain.errors import Unavailable
from tests.paths import ROOT

WRITES = 20
"""Rows that the old version must be able to write while the migration waits."""

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "r9999"
down_revision = "{newest}"


def upgrade() -> None:
    op.add_column("owners", sa.Column("next", sa.String(40), nullable=True))
"""

WAITING = """SELECT count(*) FROM pg_locks
WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'owners'::regclass
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


async def add_owners(url: str, written: list[str], until: asyncio.Event):
    """Write as the old version does, without a pause."""
    connection = await asyncpg.connect(url)
    while not until.is_set():
        name = f"owner {len(written)}"
        await connection.execute("INSERT INTO owners (name, created_at) VALUES ($1, $2)", name, datetime.now(UTC))
        written.append(name)
        await asyncio.sleep(0.01)
    await connection.close()


async def seen(condition: Callable[[], Awaitable[bool]]):
    while not await condition():
        await asyncio.sleep(0.01)


@pytest.fixture
def next_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A further migration in a separate folder, as the next version would add it."""
    (tmp_path / "9999_next.py").write_text(NEXT.format(newest=newest()))

    def with_next(url: str) -> Config:
        config = configuration(url)
        config.set_main_option(
            "version_locations", f"{ROOT / 'migrations' / 'arena_migrations' / 'versions'}{os.pathsep}{tmp_path}"
        )
        config.set_main_option("path_separator", "os")
        return config

    monkeypatch.setattr(migration, "configuration", with_next)


@pytest.mark.usefixtures("next_migration")
async def test_a_migration_waits_for_a_long_reader_without_holding_up_the_writers(postgres_url):
    written: list[str] = []
    ending = asyncio.Event()
    writing = asyncio.create_task(add_owners(postgres_url, written, ending))
    reader, watcher = await asyncpg.connect(postgres_url), await asyncpg.connect(postgres_url)

    async def waits() -> bool:
        return await watcher.fetchval(WAITING) > 0

    async def more() -> bool:
        return len(written) >= before + WRITES

    async with asyncio.timeout(60):
        async with reader.transaction():
            await reader.fetchval("SELECT count(*) FROM owners")
            migrating = asyncio.create_task(asyncio.to_thread(migrate, postgres_url))
            await seen(waits)
            before = len(written)
            await seen(more)
            assert not migrating.done()
        await migrating
        ending.set()
        await writing
        await reader.close()
        await watcher.close()
    database = open_database(postgres_url)
    await check(database)
    columns = await database.read(lambda session: inspect(session.connection()).get_columns("owners"))
    database.close()
    assert "next" in {column["name"] for column in columns}


def test_processes_that_migrate_at_once_all_find_it_done(postgres):
    with postgres.database() as url:
        code = f"from arena.adapters.store.engine.migration import migrate; migrate({url!r})"
        processes = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(3)]
        assert [process.wait(60) for process in processes] == [0, 0, 0]
        command.check(configuration(url))


def set_revision(session, revision: str) -> None:
    session.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


async def test_an_older_schema_is_refused_and_a_newer_one_served(postgres_url, monkeypatch):
    database = open_database(postgres_url)
    await check(database)
    await database.write(set_revision, "r9999")
    await check(database)
    await database.write(set_revision, newest())
    later = [*revisions(), "r9999"]
    monkeypatch.setattr(migration, "revisions", lambda: later)
    with pytest.raises(Unavailable, match="arena migrate"):
        await check(database)
    database.close()


@pytest.mark.parametrize("revision", ["0001", "0031", "9999"])
async def test_a_schema_from_before_the_first_release_is_neither_migrated_nor_served(url, revision):
    database = open_database(url)
    await database.write(set_revision, revision)
    with pytest.raises(Unavailable, match=f"schema {revision}.*release that made it"):
        await asyncio.to_thread(migrate, url)
    with pytest.raises(Unavailable, match=f"schema {revision}.*release that made it"):
        await check(database)
    database.close()


def test_a_newer_schema_is_not_migrated(sqlite_url):
    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'r9999'")
    with pytest.raises(Unavailable, match="schema r9999"):
        migrate(sqlite_url)


def test_the_revisions_are_those_of_the_migrations_in_their_order():
    scripts = ScriptDirectory.from_config(configuration("sqlite://")).walk_revisions()
    assert revisions() == [script.revision for script in scripts][::-1]


@pytest.mark.process
def test_a_current_file_is_found_so_without_loading_what_migrates(sqlite_url):
    code = f"""
import sys
from collections.abc import Awaitable, Callable
from arena.adapters.store.engine.migration import migrate
migrate({sqlite_url!r})
print("alembic" in sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"

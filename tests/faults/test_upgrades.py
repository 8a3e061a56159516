"""Votes while the arena is upgraded: the next version's migration beside this one, and earlier releases' databases."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import asyncpg
import pytest

from arena.adapters.store.engine.migration import newest
from arena.domain.terms import Outcome, Side
from tests.faults.load import SOON, UNSAVED, Load, Ready, check, cookie, stock, voter_key
from tests.kept_database import KEPT, unpacked
from tests.paths import PYTHONPATH
from tests.processes import PATIENCE, Process

NEXT = '''
"""A column in the tables that are used most, and a table of its own, as an upgrade adds them."""

import sqlalchemy as sa
from alembic import op

revision = "r9999"
down_revision = "{newest}"


def upgrade() -> None:
    for name in ("votes", "battles", "endpoints"):
        op.add_column(name, sa.Column("next", sa.String(40), nullable=True))
    op.create_table("nexts", sa.Column("vote", sa.BigInteger, sa.ForeignKey("votes.number"), primary_key=True))


def downgrade() -> None:
    op.drop_table("nexts")
    for name in ("votes", "battles", "endpoints"):
        op.drop_column(name, "next")
'''


@dataclass(frozen=True)
class Size:
    seconds: float
    rate: float
    within: float
    refused: frozenset[tuple[int, str]]


BUSY = frozenset({UNSAVED})
"""What a machine may say that has too much to do, whoever migrates."""
SIZES = [
    pytest.param(Size(3, 30, PATIENCE, BUSY), id="small"),
    pytest.param(Size(60, 50, 2, frozenset()), id="full", marks=pytest.mark.heavy),
]


def next_version(folder: Path) -> Path:
    """Where migrations lie that are one more than this version's."""
    package = folder / "next" / "arena_migrations"
    shutil.copytree(str(files("arena_migrations")), package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "versions" / "9999_next.py").write_text(NEXT.format(newest=newest()))
    return package.parent


async def read_for_long(url: str, seconds: float) -> float:
    """A reader who keeps the tables from being changed; returns when it ended."""
    connection = await asyncpg.connect(url)
    async with connection.transaction():
        await connection.fetchval("SELECT count(*) FROM votes JOIN battles ON battle_id = battles.id")
        await asyncio.sleep(seconds)
    await connection.close()
    return time.monotonic()


@pytest.mark.parametrize("size", SIZES)
async def test_a_migration_beside_a_reader_holds_up_no_vote(size, postgres_url, process, tmp_path, record_property):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=postgres_url).start()
    newer = process("migrate", ARENA_DATABASE_URL=postgres_url)
    newer.environment["PYTHONPATH"] = f"{next_version(tmp_path)}:{PYTHONPATH}"
    load = Load([door.url], await stock(postgres_url, 10_000), size.rate)
    async with load.running():
        # A process that has only begun has no connections yet.
        await load.reach(100)
        load.forget()
        reading = asyncio.create_task(read_for_long(postgres_url, size.seconds))
        await load.go_on()
        await asyncio.to_thread(newer.start)
        assert await asyncio.to_thread(newer.process.wait, PATIENCE) == 0
        migrated = time.monotonic()
        assert await reading <= migrated
        await load.go_on(20)
    record_property("acknowledged", len(load.kept))
    record_property("slowest vote in s", f"{load.slowest:.2f}")
    await check(postgres_url, load)
    assert "schema is r9999" in newer.log.read_text()
    assert load.failures() <= size.refused
    assert load.broken == {}
    assert load.slowest <= size.within


FIRST_TURN = "turn_id = (SELECT id FROM turns WHERE battle_id = 'voted-0')"


def opened(path: Path, count: int) -> Iterator[Ready]:
    """So many open battles in a database of any release, each a copy of one that it has, with another voter."""
    ready = [Ready(f"battle-{number}", cookie(f"voter-{number}"), Outcome.A) for number in range(count)]
    with closing(sqlite3.connect(path)) as database, database:
        for each in ready:
            own = {"id": each.id, "voter_key": voter_key(each.cookie), "state": "open", "ended_at": None}
            again(database, "battles", "id = 'voted-0'", {**own, "created_at": f"{datetime.now(UTC):%F %T.%f}"})
            turn = again(database, "turns", "battle_id = 'voted-0'", {"id": None, "battle_id": each.id})
            for side in Side:
                again(database, "replies", f"{FIRST_TURN} AND side = '{side}'", {"id": None, "turn_id": turn})
    return iter(ready)


def again(database: sqlite3.Connection, table: str, where: str, other: dict[str, object]) -> int:
    """Insert a row once more with other values in some columns; returns its number."""
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(f":{name}" if name in other else name for name in columns)
    query = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} WHERE {where}"  # noqa: S608
    return database.execute(query, other).lastrowid or 0


def votes(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT count(*) FROM votes").fetchone()[0]


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name.removesuffix(".db.gz"))
async def test_an_earlier_release_s_database_is_upgraded_by_a_restart_under_votes(
    kept, process, tmp_path, record_property
):
    path = unpacked(kept, tmp_path / "data")
    url, before = f"sqlite:///{path}", votes(path)
    plain = await started(process("serve", "--no-worker", ARENA_DATA=str(tmp_path / "new")))
    arena = process("serve", "--no-worker", ARENA_DATABASE_URL=url, ARENA_READING_SPEED="0")
    load = Load([arena.url], opened(path, 2_000), 50)
    async with load.running():
        migrating = await started(arena)
        await load.reach(50)
        assert load.longest <= migrating + load.slowest + 2 * SOON
        load.forget()
        began = time.monotonic()
        assert await asyncio.to_thread(arena.stop) == 0
        await started(arena)
        restarting = time.monotonic() - began
        await load.go_on(50)
    assert load.longest <= restarting + load.slowest + 2 * SOON
    seconds = {"to open": plain, "to migrate and open": migrating, "of a restart": restarting}
    record_property("acknowledged", len(load.kept))
    record_property("seconds", {name: round(value, 1) for name, value in seconds.items()})
    await check(url, load)
    assert votes(path) == before + len(load.kept)
    assert load.failures() == set()
    assert set(load.broken) <= {"ConnectError", "ReadError", "RemoteProtocolError"}


async def started(arena: Process) -> float:
    """Start a process; returns the seconds until it serves."""
    began = time.monotonic()
    await asyncio.to_thread(arena.start)
    return time.monotonic() - began

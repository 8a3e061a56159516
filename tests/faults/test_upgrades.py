"""Votes while the arena is upgraded: the next version's migration beside this one, and earlier releases' databases."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import asyncpg
import pytest

from arena.adapters.store.engine.migration import newest
from arena.domain.terms import Outcome
from tests.api.rows import Rows, in_transaction
from tests.cli.commands import run
from tests.faults.load import RETRY_SECONDS, UNSAVED, Load, OpenBattle, add_battles, check, cookie, voter_key
from tests.kept_database import KEPT_DATABASES, count_votes
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
    load = Load([door.url], await add_battles(postgres_url, 10_000), size.rate)
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
    record_property("acknowledged", len(load.acknowledged))
    record_property("slowest vote in s", f"{load.slowest:.2f}")
    await check(postgres_url, load)
    assert "schema is r9999" in newer.log.read_text()
    assert load.failures() <= size.refused
    assert load.transport_errors == {}
    assert load.slowest <= size.within


def opened(url: str, count: int) -> Iterator[OpenBattle]:
    """So many open battles in a database of any release, each a copy of one that it has, with another voter."""
    ready = [OpenBattle(f"battle-{number}", cookie(f"voter-{number}"), Outcome.A) for number in range(count)]
    Rows(url).open_like("voted-0", {each.id: voter_key(each.cookie) for each in ready})
    return iter(ready)


async def begun(arena: Process, url: str = "") -> float:
    """Start an arena, which migrates a file itself; returns the seconds until it serves."""
    began = time.monotonic()
    if url.startswith("postgresql"):
        assert (await asyncio.to_thread(run, "migrate", ARENA_DATABASE_URL=url)).returncode == 0
    await asyncio.to_thread(arena.start)
    return time.monotonic() - began


@pytest.mark.parametrize("release_file", KEPT_DATABASES, ids=lambda path: path.name.removesuffix(".gz"))
async def test_an_earlier_release_s_database_is_upgraded_by_a_restart_under_votes(
    release_url, process, tmp_path, record_property
):
    before = await asyncio.to_thread(in_transaction, release_url, count_votes)
    plain = await begun(process("serve", "--no-worker", ARENA_DATA=str(tmp_path / "new")))
    arena = process("serve", "--no-worker", ARENA_DATABASE_URL=release_url, ARENA_READING_SPEED="0")
    load = Load([arena.url], await asyncio.to_thread(opened, release_url, 2_000), 50)
    async with load.running():
        migrating = await begun(arena, release_url)
        await load.reach(50)
        assert load.longest <= migrating + load.slowest + 2 * RETRY_SECONDS
        load.forget()
        began = time.monotonic()
        assert await asyncio.to_thread(arena.stop) == 0
        await begun(arena, release_url)
        restarting = time.monotonic() - began
        await load.go_on(50)
    assert load.longest <= restarting + load.slowest + 2 * RETRY_SECONDS
    seconds = {"to open": plain, "to migrate and open": migrating, "of a restart": restarting}
    record_property("acknowledged", len(load.acknowledged))
    record_property("seconds", {name: round(value, 1) for name, value in seconds.items()})
    await check(release_url, load)
    assert await asyncio.to_thread(in_transaction, release_url, count_votes) == before + len(load.acknowledged)
    assert load.failures() == set()
    assert set(load.transport_errors) <= {"ConnectError", "ReadError", "RemoteProtocolError"}

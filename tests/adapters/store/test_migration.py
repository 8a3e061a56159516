"""Migrations of a PostgreSQL server in use."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import asyncpg
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from arena.adapters.store import conversions
from arena.adapters.store.engine import open_database
from arena.adapters.store.migration import check, configuration, known, migrate
from arena.adapters.store.tables import EndpointRow
from arena.domain.errors import Unavailable
from tests.paths import ROOT

WRITES = 20
"""How many rows the old version writes while the migration waits; one that held it up would let none through."""

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


async def test_a_migration_waits_for_a_long_reader_without_holding_up_the_writers(postgres_url):
    await asyncio.to_thread(command.downgrade, configuration(postgres_url), "0001")
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
    database.close()


def test_processes_that_migrate_at_once_all_find_it_done(postgres):
    with postgres.database() as url:
        code = f"from arena.adapters.store.migration import migrate; migrate({url!r})"
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


def test_the_revisions_are_those_of_the_migrations_in_their_order():
    scripts = ScriptDirectory.from_config(configuration("sqlite://")).walk_revisions()
    assert known() == [script.revision for script in scripts][::-1]


def test_a_current_file_is_found_so_without_loading_what_migrates(sqlite_url):
    code = f"""
import sys
from collections.abc import Awaitable, Callable
from arena.adapters.store.migration import migrate
migrate({sqlite_url!r})
print("alembic" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_endpoints_from_before_changes_waited_have_none_and_keep_their_aliases(url):
    await asyncio.to_thread(command.downgrade, configuration(url), "0003")
    database = open_database(url)
    owner = "INSERT INTO owners (id, name, created_at) VALUES (1, 'Acme', '2026-01-01 00:00:00')"
    endpoint = (
        "INSERT INTO endpoints (id, name, owner_id, dialect, url, private, wire_model, weight, aliases, demo, listed,"
        " state, version, created_at) VALUES (1, 'acme', 1, 'scripted', '', false, 'm', 1, '[\"Heron\"]', false, true,"
        " 'active', 1, '2026-01-01 00:00:00')"
    )

    def fill(session) -> None:
        for statement in (owner, endpoint):
            session.execute(text(statement))

    await database.write(fill)
    await asyncio.to_thread(migrate, url)
    row = await database.read(lambda session: session.get(EndpointRow, 1))
    assert (row.aliases, row.former_aliases, row.pending) == (["Heron"], [], None)
    database.close()


async def test_what_was_asked_before_budgets_were_shared_counts_for_both_shares(url):
    await asyncio.to_thread(command.downgrade, configuration(url), "0004")
    database = open_database(url)
    add = (
        "INSERT INTO owners (id, name, created_at) VALUES (1, 'O', '2026-01-01')",
        """INSERT INTO endpoints
        (id, name, owner_id, dialect, url, private, wire_model, weight, aliases, demo, listed, state, version,
        created_at)
        VALUES (1, 'm', 1, 'd', 'u', false, 'w', 1, '[]', false, true, 'active', 1, '2026-01-01')""",
        "INSERT INTO budgets (endpoint_id, day, calls, tokens) VALUES (1, '2026-01-01', 5, 70)",
    )
    old = "INSERT INTO breakers (process, endpoint_id, since, seen_at) VALUES ('p', 1, '2026-01-01', '2026-01-01')"
    await database.write(lambda session: [session.execute(text(each)) for each in add])
    await asyncio.to_thread(migrate, url)
    await database.write(lambda session: session.execute(text(old)))

    def read(session):
        return [
            session.execute(text(f"SELECT {found}")).one()
            for found in ("calls, tokens FROM budgets", "calls, tokens FROM chat_budgets", "chats FROM breakers")
        ]

    assert await database.read(read) == [(5, 70), (5, 70), (False,)]
    database.close()


async def test_questions_from_before_conversions_stay_and_can_have_some(url):
    await asyncio.to_thread(command.downgrade, configuration(url), "0028")
    database = open_database(url)
    add = (
        """INSERT INTO question_sets
        (id, name, version, licence, source, language, digest, questions, public, created_at)
        VALUES (1, 's', 1, 'CC0', 'tests', 'en', 'd', 1, false, '2026-01-01')""",
        """INSERT INTO questions (id, set_id, number, name, area, category, task, turns, prompt, body)
        VALUES (1, 1, 1, 'q', '', '', '', 1, 'Why?', '{"id": "q", "turns": ["Why?"]}')""",
    )
    await database.write(lambda session: [session.execute(text(each)) for each in add])
    await asyncio.to_thread(migrate, url)
    await asyncio.to_thread(command.check, configuration(url))
    fields = {"question_id": 1, "endpoint": "e", "version": 1, "text": "", "tokens": 1, "created_at": datetime.now(UTC)}
    for _ in range(2):
        await database.write(lambda session: conversions.add(session, **fields, reason="none"))
    row = await database.read(conversions.by_id, 1)
    assert (row.question_id, row.wording, row.reason) == (1, None, "none")
    assert await database.read(conversions.by_id, 2) is None
    await asyncio.to_thread(command.downgrade, configuration(url), "0028")
    assert await database.read(lambda session: session.scalar(text("SELECT prompt FROM questions"))) == "Why?"
    database.close()


OLD_VOTES = """
INSERT INTO owners (id, name, created_at) VALUES (1, 'Somebody', '2026-01-01 00:00:00+00:00');
INSERT INTO endpoints (id, name, owner_id, dialect, url, private, wire_model, weight, aliases, demo, state, created_at)
  VALUES (1, 'red', 1, 'scripted', '', false, 'red', 1, '[]', false, 'active', '2026-01-01 00:00:00+00:00'),
         (2, 'blue', 1, 'scripted', '', false, 'blue', 1, '[]', false, 'active', '2026-01-01 00:00:00+00:00');
INSERT INTO votes (number, id, outcome, voter_key, endpoint_a_id, endpoint_b_id, not_counted, style, created_at)
  VALUES (4, 'one', 'a', 'v', 1, 2, NULL, '[1, 2]', '2026-01-01 00:00:00+00:00'),
         (7, 'two', 'tie', 'v', 2, 1, 'stopped', NULL, '2026-01-01 00:00:00+00:00');
INSERT INTO exclusions (number, vote_number, reason, by, created_at)
  VALUES (1, 4, 'a test', 'operator', '2026-01-01 00:00:00+00:00')
"""
ADD = "INSERT INTO votes (id, outcome, voter_key, endpoint_a_id, endpoint_b_id, not_counted, created_at) VALUES"


async def test_a_log_learns_new_reasons_and_keeps_every_vote(url):
    await asyncio.to_thread(command.downgrade, configuration(url), "0005")
    database = open_database(url)

    def all_of(session) -> list[tuple]:
        rows = session.execute(text("SELECT number, id, outcome, not_counted, style FROM votes ORDER BY number"))
        return [tuple(map(str, row)) for row in rows]

    def add(session, number: int, reason: str, a: int = 1) -> None:
        session.execute(text(f"{ADD} ('{number}', 'a', 'v', {a}, 2, '{reason}', '2026-01-01 00:00:00+00:00')"))

    for statement in OLD_VOTES.split(";"):
        await database.write(lambda session, each: session.execute(text(each)) and None, statement)
    before = await database.read(all_of)
    await asyncio.to_thread(migrate, url)
    await asyncio.to_thread(command.check, configuration(url))
    assert await database.read(all_of) == before
    if url.startswith("postgresql"):
        asked = text("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid = 'votes'::regclass")
        triggers = await database.read(lambda session: session.scalar(asked))
        assert triggers == "hold_place"
        await database.write(lambda s: s.execute(text("SELECT setval('votes_number_seq', 7)")) and None)
    for number, reason in enumerate(("too_fast", "neighbourhood_limit", "bot_check", "repeated")):
        await database.write(add, number, reason)
    for reason, a in (("no such reason", 1), ("stopped", 2), ("stopped", 99)):
        with pytest.raises(IntegrityError):
            await database.write(add, 9, reason, a)
    assert [row[0] for row in await database.read(all_of)] == ["4", "7", "8", "9", "10", "11"]
    await asyncio.to_thread(command.downgrade, configuration(url), "0005")
    assert [row[3] for row in await database.read(all_of)] == ["None", *["stopped"] * 5]
    database.close()

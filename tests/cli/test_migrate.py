"""A database from before the first release is refused by every command in one sentence that says what to do."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import text

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import newest
from tests.cli.commands import run

COMMANDS = [
    ("serve", "--port", "0"),
    ("migrate",),
    ("migrate", "--check"),
    ("rank",),
    ("endpoints", "list"),
    ("questions", "list"),
    ("log", "export", "log"),
    ("votes", "export", "votes.jsonl"),
]
SERVER_COMMANDS = [("worker",), ("serve", "--port", "0", "--workers", "2"), *COMMANDS]
SENTENCE = (
    "arena: another release made this database (schema 0031), and this one cannot read it: "
    "use the release that made it, or begin with an empty folder (ARENA_DATA) or database (ARENA_DATABASE_URL)"
)
OLDER = "UPDATE alembic_version SET version_num = '0031'"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_data_folder_from_before_the_first_release_is_refused_in_one_sentence(tmp_path, empty_database, command):
    path = tmp_path / "arena.db"
    path.write_bytes(empty_database.read_bytes())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(OLDER)
    refusal = run(*command, ARENA_DATA=str(tmp_path))
    assert refusal.returncode == 1
    assert refusal.stderr.splitlines()[-1] == SENTENCE
    assert "Traceback" not in refusal.stderr


@pytest.mark.parametrize("command", SERVER_COMMANDS, ids=" ".join)
def test_so_is_a_server_database(tmp_path, postgres_url, command):
    database = open_database(postgres_url)
    asyncio.run(database.write(lambda session: session.execute(text(OLDER)) and None))
    database.close()
    refusal = run(*command, ARENA_DATA=str(tmp_path), ARENA_DATABASE_URL=postgres_url)
    assert refusal.returncode == 1
    assert refusal.stderr.splitlines()[-1] == SENTENCE
    assert "Traceback" not in refusal.stderr


def test_a_check_says_what_is_missing_and_changes_nothing(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path)}
    absent = run("migrate", "--check", **settings)
    assert absent.returncode == 1
    assert absent.stderr.startswith("arena: the database needs r0001, r0002")
    assert absent.stderr.endswith(": back it up and run `arena migrate`; nothing was changed\n")
    assert list(tmp_path.iterdir()) == []
    assert run("migrate", **settings).returncode == 0
    current = run("migrate", "--check", **settings)
    assert (current.returncode, current.stdout.endswith("; nothing has to be migrated.\n")) == (0, True)


@pytest.mark.parametrize(("revision", "code"), [("r0001", 1), (newest(), 0), ("r9999", 0)])
def test_a_check_on_a_server_tells_older_current_and_newer_schemas(tmp_path, postgres_url, revision, code):
    database = open_database(postgres_url)
    change = text("UPDATE alembic_version SET version_num = :revision")
    asyncio.run(database.write(lambda session: session.execute(change, {"revision": revision}) and None))
    database.close()
    told = run("migrate", "--check", ARENA_DATA=str(tmp_path), ARENA_DATABASE_URL=postgres_url)
    assert told.returncode == code
    assert ("the database needs r0002" in told.stderr) is (code == 1)

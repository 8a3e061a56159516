"""`arena log`: another arena's log is witnessed from its address or folder, and what cannot be is one sentence."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing

from arena.adapters.store.engine import open_database
from arena.adapters.store.keyring import Keyring
from arena.usecases.transparency import origins
from tests.cli.commands import run
from tests.usecases.transparency.arenas import START
from tests.usecases.transparency.test_witnessing import LEAVES, OTHER, log_of


def test_a_log_is_witnessed_and_one_that_was_shortened_is_not(sqlite_url, tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_DATABASE_URL": "", "ARENA_PUBLIC_URL": "https://arena.example"}
    log_of(tmp_path / "long", LEAVES)
    done = run("log", "witness", str(tmp_path / "long"), **settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"700 leaves of {OTHER.name} cosigned, at /log/witnessed/")
    place = done.stdout.split("at /log/")[1].strip(".\n")
    assert (tmp_path / "log" / place).read_text("utf-8").count("\n— ") == 2
    log_of(tmp_path / "short", LEAVES[:9])
    done = run("log", "witness", str(tmp_path / "short"), **settings)
    assert done.returncode == 1
    assert done.stderr == f"arena: {OTHER.name} is not cosigned: it has 9 leaves, and had 700.\n"
    done = run("log", "witness", str(tmp_path / "none"), **settings)
    assert done.returncode == 1
    assert "key of the log cannot be read" in done.stderr


def test_another_key_for_checkpoints_needs_a_log(sqlite_url, tmp_path):
    done = run("log", "rotate", "--checkpoints", ARENA_DATA=str(tmp_path), ARENA_DATABASE_URL="")
    assert (done.returncode, done.stderr) == (
        1,
        "arena: There is no log yet: it begins with the first start of the arena.\n",
    )


def test_a_new_key_for_promises_is_announced_by_a_leaf_and_used_from_then_on(sqlite_url, tmp_path):
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_DATABASE_URL": "", "ARENA_PUBLIC_URL": "https://arena.example"}
    announced = [run("log", "rotate", **settings).stdout.splitlines()[0] for _ in range(2)]
    with closing(sqlite3.connect(tmp_path / "arena.db")) as database:
        leaves = [json.loads(data) for (data,) in database.execute("select data from log_leaves order by number")]
    assert [(leaf["kind"], leaf["purpose"], leaf["key"]) for leaf in leaves if leaf["kind"] == "key"] == [
        ("key", "promise", key) for key in announced
    ]

    async def current(database):
        return await database.write(origins.promise_key, Keyring(file=tmp_path / "master.keys"), "arena.example", START)

    database = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    assert str(asyncio.run(current(database)).key) == announced[1] != announced[0]
    database.close()

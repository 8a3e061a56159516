"""`arena secrets`: a new key fits the variable, a rotation loses nothing, and what is lost is told by name."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.adapters.store import envelope_encryption
from arena.adapters.store.engine import open_database
from arena.adapters.store.keyring import Keyring, new_master
from tests.cli.commands import run, table_lines
from tests.conftest import START, add_endpoints

ORIGIN = "https://model.test:443"


@pytest.fixture
def data(sqlite_url, tmp_path) -> Path:
    """A data folder whose database has two endpoints."""
    return tmp_path


def stored(data: Path, keyring: Keyring) -> None:
    async def act(database) -> None:
        await database.write(add_endpoints)
        for number in (1, 2):
            await database.write(envelope_encryption.put, keyring, number, ORIGIN, f"sk-{number}", START)

    on_database(data, act)


def taken(data: Path, keyring: Keyring) -> list[str | None]:
    async def act(database) -> list[str | None]:
        return [await database.read(envelope_encryption.take, keyring, number, ORIGIN) for number in (1, 2)]

    return on_database(data, act)


def on_database(data: Path, act):
    with closing(open_database(f"sqlite:///{data / 'arena.db'}")) as database:
        return asyncio.run(act(database))


def arena(data: Path, *words: str, key: str = ""):
    return run("secrets", *words, ARENA_DATA=str(data), ARENA_SECRET_KEY=key)


def named(key: str) -> str:
    return Keyring(key).names()[0]


def test_a_new_key_fits_the_variable_and_says_where_it_goes():
    one, two = run("secrets", "new"), run("secrets", "new")
    assert len(Keyring(f"{one.stdout},{two.stdout}").names()) == 2
    assert "ARENA_SECRET_KEY" in one.stderr
    assert one.stdout.count("\n") == 1


def test_rotating_the_variable_leaves_every_key_to_the_new_master_alone(data):
    old, new = new_master(), new_master()
    stored(data, Keyring(old))
    done = arena(data, "rotate", key=f"{new},{old}")
    assert done.returncode == 0
    assert f"2 stored keys re-wrapped; all are under {named(new)}." in done.stdout
    assert f"Remove {named(old)} from ARENA_SECRET_KEY" in done.stdout
    assert taken(data, Keyring(new)) == ["sk-1", "sk-2"]


def test_rotating_the_file_needs_no_other_step_and_reaches_whoever_uses_it(data):
    serving = Keyring("", data / "master.keys")
    stored(data, serving)
    (before,) = serving.names()
    done = arena(data, "rotate")
    assert done.returncode == 0, done.stderr
    assert "Take" not in done.stdout
    (after,) = serving.names()
    assert after != before
    assert taken(data, serving) == ["sk-1", "sk-2"]


def test_rotating_without_the_old_key_is_one_clear_line_and_changes_nothing(data):
    old = new_master()
    stored(data, Keyring(old))
    done = arena(data, "rotate", key=new_master())
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert named(old) in done.stderr
    assert taken(data, Keyring(old)) == ["sk-1", "sk-2"]


def test_the_status_counts_what_each_key_wraps_and_shows_what_is_lost(data):
    old, new = new_master(), new_master()
    stored(data, Keyring(old))
    assert table_lines(arena(data, "status", key=f"{new},{old}").stdout) == [
        [named(new), "0", "seals"],
        [named(old), "2", "opens"],
    ]
    assert table_lines(arena(data, "status", key=new).stdout) == [
        [named(new), "0", "seals"],
        [named(old), "2", "no: these models are not paired"],
    ]


def test_a_database_restored_without_its_key_file_is_told_by_the_list_and_by_the_check_of_the_machine(data):
    old = new_master()
    stored(data, Keyring(old))
    with closing(sqlite3.connect(data / "arena.db")) as database:
        columns = [str(name) for (_, name, *_) in database.execute("PRAGMA table_info(endpoints)") if name != "id"]
        values = [{"name": "'practice'", "demo": "1", "standby": "1"}.get(name, name) for name in columns]
        database.execute(
            f"INSERT INTO endpoints ({', '.join(columns)}) SELECT {', '.join(values)} FROM endpoints LIMIT 1"  # noqa: S608
        )
        database.commit()
    told = f"the master key {named(old)} is not here"
    check = owners_keys(data, key="")
    assert check["state"] == "warning"
    assert check["message"] == f"2 stored keys cannot be opened, as {told}"
    assert "master.keys" in check["remedy"]
    lines = listed(data, key="")
    assert sum("active, no key here" in line for line in lines) == 2
    assert sum("its stored key cannot be opened here, see `arena secrets status`" in line for line in lines) == 2
    assert not any("paused" in line for line in lines), "a practice model is drawn while no real one can be"
    assert owners_keys(data, key=old)["state"] == "ok"
    assert any("practice" in line and "paused" in line for line in listed(data, key=old))
    assert not any("no key here" in line or "cannot be opened" in line for line in listed(data, key=old))


def owners_keys(data: Path, *, key: str) -> dict[str, str]:
    """The check of `arena doctor` on stored keys."""
    done = run("doctor", "--json", ARENA_DATA=str(data), ARENA_SECRET_KEY=key)
    (check,) = (check for check in json.loads(done.stdout) if check["subject"] == "owners' keys")
    return check


def listed(data: Path, *, key: str) -> list[str]:
    return run("endpoints", "list", ARENA_DATA=str(data), ARENA_SECRET_KEY=key, COLUMNS="200").stdout.splitlines()


def test_without_any_key_the_status_is_empty_and_makes_none(data):
    done = arena(data, "status")
    assert done.returncode == 0
    assert not (data / "master.keys").exists()


def test_a_variable_that_is_no_key_is_one_clear_line(data):
    done = arena(data, "status", key="too-short")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "arena secrets new" in done.stderr


def test_no_command_prints_a_key_but_new(data):
    old, new = new_master(), new_master()
    stored(data, Keyring(old))
    said = "".join(
        f"{done.stdout}{done.stderr}"
        for done in (arena(data, "status", key=f"{new},{old}"), arena(data, "rotate", key=f"{new},{old}"))
    )
    assert all(secret not in said for secret in (old, new, "sk-1", "sk-2"))


def test_the_file_of_the_database_holds_neither_keys_nor_master_keys(data):
    serving = Keyring("", data / "master.keys")
    stored(data, serving)
    arena(data, "rotate")
    with closing(sqlite3.connect(data / "arena.db")) as connection:
        dump = "\n".join(connection.iterdump()).encode()
    dump += b"".join(path.read_bytes() for path in data.glob("arena.db*"))
    for secret in (b"sk-1", b"sk-2", (data / "master.keys").read_bytes().strip()):
        assert secret not in dump
    assert serving.names()[0].encode() in dump

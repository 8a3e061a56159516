"""What keeps an arena from starting is one sentence, and leaves nothing half made behind."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.adapters.store.engine.migration import newest
from arena.serving.commands import COMMANDS
from tests.cli.commands import run

pytestmark = pytest.mark.process

STARTS = [("serve", "--port", "0"), ("migrate",)]
MOUNTED = 'mount -t tmpfs -o ro none "$0" && exec "$@"'
each_start = pytest.mark.parametrize("words", STARTS, ids=" ".join)


def typed(*command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ARENA_LOCAL": "off", **settings}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=300)


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that it says."""
    assert done.returncode == 1, done
    (line,) = done.stderr.splitlines()
    assert line.startswith("arena: ")
    return line


@each_start
def test_a_folder_that_cannot_be_written_is_named(words, tmp_path):
    probe = typed("unshare", "-rm", "sh", "-c", MOUNTED, str(tmp_path), "true")
    if probe.returncode:
        pytest.skip("no disk can be mounted here")
    start = ["unshare", "-rm", "sh", "-c", MOUNTED, str(tmp_path), sys.executable, "-m", "arena", *words]
    assert sentence(typed(*start, ARENA_DATA=f"{tmp_path}/data")) == f"arena: {tmp_path}/data: Read-only file system."


@each_start
def test_without_room_no_half_of_the_tables_is_left(words, tmp_path):
    data = tmp_path / "data"
    limited = ["bash", "-c", 'ulimit -f 100; exec "$@"', "bash", sys.executable, "-m", "arena", *words]
    assert sentence(typed(*limited, ARENA_DATA=str(data))).startswith("arena: the database cannot be migrated: ")
    with closing(sqlite3.connect(data / "arena.db")) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == []
    assert run("migrate", ARENA_DATA=str(data)).returncode == 0
    with closing(sqlite3.connect(data / "arena.db")) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (newest(),)


@each_start
def test_the_database_of_a_later_release_is_left_as_it_is(words, tmp_path, empty_database):
    path = tmp_path / "arena.db"
    path.write_bytes(empty_database.read_bytes())
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = 'r9999'")
    before = path.read_bytes()
    refusal = run(*words, ARENA_DATA=str(tmp_path), ARENA_LOCAL="off")
    assert refusal.returncode == 1
    assert refusal.stderr.splitlines()[-1].startswith("arena: another release made this database (schema r9999)")
    assert path.read_bytes() == before


def test_a_wrong_python_is_named_before_anything_is_imported(tmp_path):
    code = "import sys, runpy; sys.version_info = (3, 10, 13); runpy.run_module('arena', run_name='__main__')"
    wrong = typed(sys.executable, "-c", code)
    assert sentence(wrong) == "arena: Python 3.11 or newer is needed, and this is 3.10."


@pytest.mark.skipif(not list(Path.home().glob(".pyenv/versions/3.8.*")), reason="no Python 3.8 is installed")
def test_so_says_a_python_that_is_really_older():
    (python, *_) = Path.home().glob(".pyenv/versions/3.8.*/bin/python")
    assert "Python 3.11 or newer is needed, and this is 3.8." in sentence(typed(str(python), "-m", "arena"))


SCRIPT = """
import os, sys
from arena.serving import commands
assert "numpy" not in sys.modules, "numpy has read the number of threads before it is set"
commands.load(sys.argv[1])
print(os.environ["OPENBLAS_NUM_THREADS"])
"""


def threads(command: str, **variables: str) -> str:
    """The number of threads once this command is loaded, in a process with these variables."""
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | variables
    script = [sys.executable, "-c", SCRIPT, command]
    return subprocess.run(script, env=env, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("command", ["rank", "stability", "serve", "worker"])
def test_a_command_computes_with_one_thread_before_numpy_is_imported(command: str):
    assert command in COMMANDS
    assert threads(command) == "1"


def test_the_operator_may_set_another_number():
    assert threads("rank", OPENBLAS_NUM_THREADS="2") == "2"

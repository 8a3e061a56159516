"""The scripts that copy a database and put it back, on real ones."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path

DEPLOY = Path(__file__).parents[2] / "deploy"


def run(script: str, argument: Path, data: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ARENA_DATA": str(data), "ARENA_DATABASE_URL": ""}
    return subprocess.run(
        [DEPLOY / script, argument], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def filled(data: Path) -> sqlite3.Connection:
    data.mkdir()
    live = sqlite3.connect(data / "arena.db", isolation_level=None)
    live.execute("PRAGMA journal_mode=WAL")
    live.execute("CREATE TABLE votes (number INTEGER PRIMARY KEY)")
    live.executemany("INSERT INTO votes VALUES (?)", [(number,) for number in range(1000)])
    return live


def votes(path: Path) -> int:
    return sqlite3.connect(path).execute("SELECT count(*) FROM votes").fetchone()[0]


def test_a_copy_of_a_running_database_can_be_put_back(tmp_path):
    live = filled(tmp_path / "data")
    live.execute("BEGIN IMMEDIATE")
    live.execute("INSERT INTO votes VALUES (5000)")
    made = run("backup.sh", tmp_path / "copies", tmp_path / "data")
    assert made.returncode == 0, made.stderr
    live.execute("COMMIT")
    back = run("restore.sh", Path(made.stdout.strip()), tmp_path / "elsewhere")
    assert back.returncode == 0, back.stderr
    assert (votes(tmp_path / "elsewhere" / "arena.db"), votes(tmp_path / "data" / "arena.db")) == (1000, 1001)


def test_a_database_that_is_there_is_not_overwritten(tmp_path):
    filled(tmp_path / "data")
    made = run("backup.sh", tmp_path / "copies", tmp_path / "data")
    refused = run("restore.sh", Path(made.stdout.strip()), tmp_path / "data")
    assert refused.returncode == 1
    assert "exists already" in refused.stderr


def test_a_missing_database_leaves_no_copy(tmp_path):
    made = run("backup.sh", tmp_path / "copies", tmp_path / "nowhere")
    assert made.returncode != 0
    assert not [path for path in (tmp_path / "copies").iterdir() if path.suffix == ".db"]

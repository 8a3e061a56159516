"""The database of every earlier release is opened and upgraded by this version, and its votes give the same ratings."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.adapters.store.engine.migration import migrate, newest
from tests.api.populated import WIDE
from tests.cli.commands import run
from tests.kept_database import KEPT, ratings, unpacked

each_release = pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name.removesuffix(".db.gz"))


def columns(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """The columns of every table, by name, type and whether they may be empty."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: {row[1:4] for row in database.execute(f"PRAGMA table_info({name})")} for name in names}


@pytest.fixture
def upgraded(kept: Path, tmp_path: Path) -> Path:
    path = unpacked(kept, tmp_path / "data")
    migrate(f"sqlite:///{path}")
    return path


def test_there_is_one_of_the_first_version():
    assert "arena-0.1.0.db.gz" in {path.name for path in KEPT}


@each_release
def test_it_has_this_version_s_tables_and_every_row_it_had(kept, upgraded, empty_database, tmp_path):
    with closing(sqlite3.connect(upgraded)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (newest(),)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        votes = database.execute("SELECT count(*) FROM votes").fetchone()
    assert columns(upgraded) == columns(empty_database)
    with closing(sqlite3.connect(unpacked(kept, tmp_path / "before"))) as database:
        assert database.execute("SELECT count(*) FROM votes").fetchone() == votes
    assert votes > (200,)


@each_release
def test_its_votes_rate_as_they_did_and_its_newest_snapshot_can_be_computed_again(kept, upgraded):
    url = f"sqlite:///{upgraded}"
    assert ratings(url) == json.loads(kept.with_suffix("").with_suffix(".json").read_text())
    with closing(sqlite3.connect(upgraded)) as database:
        (snapshot,) = database.execute("SELECT max(id) FROM snapshots").fetchone()
    verified = run("rank", "verify", str(snapshot), ARENA_DATABASE_URL=url)
    assert verified.returncode == 0, verified.stderr + verified.stdout


@each_release
def test_an_arena_goes_on_with_it(kept, tmp_path, process):
    unpacked(kept, tmp_path / "data")
    arena = process("serve", "--no-worker", **WIDE).start()
    board = arena.get("/api/v1/leaderboard").json()
    assert len(board["rows"]) > 5
    battle = arena.get("/api/v1/models").json()
    assert battle

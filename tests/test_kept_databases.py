"""The database of every earlier release is opened and upgraded by this version, and its votes give the same ratings."""

from __future__ import annotations

import asyncio
import gzip
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime

import numpy as np
import pytest
from sqlalchemy import Connection, inspect, make_url, text

from arena.adapters.store import decisions, snapshots, votes
from arena.adapters.store.engine import on_postgres, open_database
from arena.adapters.store.engine.migration import migrate, newest, revisions
from arena.domain.answers.blocks import answer_html
from arena.usecases.integrity import gate_rounds
from arena.usecases.integrity.gate_rounds import GateState
from arena.usecases.ranking import verification
from arena.usecases.ranking.methods import Method
from arena.usecases.ranking.publication import Publication, publish_whole
from arena.usecases.ranking.vote_columns import CountedLog, head_of
from arena_trust.integrity.weights_in_force import FULL_QUARTERS
from tests.api.populated import WIDE
from tests.api.rows import in_transaction
from tests.cli.commands import run
from tests.kept_database import KEPT_DATABASES, count_votes, facts, ratings
from tests.paths import ROOT
from tests.processes import until

RELEASES = [
    pytest.param(path, marks=pytest.mark.postgres if ".sql" in path.suffixes else ()) for path in KEPT_DATABASES
]
each_release = pytest.mark.parametrize("release_file", RELEASES, ids=lambda path: path.name.removesuffix(".gz"))
SECRET = re.compile(r"arena_[\w-]{30}|sk-\w{8}|BEGIN [A-Z ]*PRIVATE KEY|/(root|home|tmp|work)/")
"""What stands for a key, and for a place on the machine on which a database was made."""


def tables(connection: Connection) -> dict[str, set[tuple[object, ...]]]:
    """The columns of every table, by name, type and whether they may be empty."""
    there = inspect(connection)
    columns = {name: there.get_columns(name) for name in there.get_table_names()}
    return {name: {(e["name"], str(e["type"]), e["nullable"]) for e in each} for name, each in columns.items()}


def schema(connection: Connection) -> str:
    return connection.scalars(text("SELECT version_num FROM alembic_version")).one()


def fresh(url: str, request: pytest.FixtureRequest) -> str:
    """The address of an empty database of this version on the same kind of server."""
    return request.getfixturevalue("empty_postgres" if on_postgres(url) else "sqlite_url")


def test_there_is_one_of_the_first_version():
    assert "arena-0.1.0.db.gz" in {path.name for path in KEPT_DATABASES}


def test_each_version_of_the_changelog_has_one_of_sqlite_and_one_of_postgresql():
    released = re.findall(r"^## (\d.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert released
    assert {f"arena-{each}.{kind}.gz" for each in released for kind in ("db", "sql")} <= {
        path.name for path in KEPT_DATABASES
    }


@each_release
def test_it_is_small_of_a_schema_that_this_version_knows_and_without_a_secret(release_file, release_url):
    assert release_file.stat().st_size < 200_000
    told = in_transaction(release_url, schema)
    assert told == facts(release_file)["schema"]
    assert told in revisions(), f"{release_file.name} was made by a newer version than this one, which knows {newest()}"
    assert SECRET.findall(gzip.decompress(release_file.read_bytes()).decode(errors="replace")) == []


@each_release
def test_it_has_this_version_s_tables_and_every_row_it_had(release_url, request):
    before = in_transaction(release_url, count_votes)
    migrate(release_url)
    assert in_transaction(release_url, schema) == newest()
    assert in_transaction(release_url, tables) == in_transaction(fresh(release_url, request), tables)
    assert in_transaction(release_url, count_votes) == before > 200
    if not on_postgres(release_url):
        with closing(sqlite3.connect(make_url(release_url).database or "")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def newest_snapshot(url: str) -> str:
    return str(in_transaction(url, lambda connection: connection.scalar(text("SELECT max(id) FROM snapshots"))))


@each_release
def test_votes_of_a_kept_database_keep_their_ratings_and_the_new_snapshot_verifies(release_file, release_url):
    migrate(release_url)
    assert ratings(release_url) == facts(release_file)["ratings"]
    verified = run("rank", "verify", newest_snapshot(release_url), ARENA_DATABASE_URL=release_url)
    assert verified.returncode == 0, verified.stderr + verified.stdout


@each_release
def test_the_newest_board_that_it_published_can_be_computed_again(release_url):
    migrate(release_url)
    verified = run("rank", "verify", newest_snapshot(release_url), ARENA_DATABASE_URL=release_url)
    published, computed = (line.split()[3:] for line in verified.stdout.splitlines()[:2])
    assert published == computed


@pytest.mark.parametrize(
    "release_file", [release for release in RELEASES if "-0.1.0." not in str(release)], ids=lambda path: path.name
)
def test_so_can_all_tables_beside_that_board_of_which_those_of_0_1_0_have_another_form(release_url):
    migrate(release_url)
    verified = run("rank", "verify", newest_snapshot(release_url), ARENA_DATABASE_URL=release_url)
    assert verified.returncode == 0, verified.stderr + verified.stdout
    assert len(verified.stdout.splitlines()) > 10


@each_release
async def test_decisions_of_its_gate_are_in_force_until_this_version_s_gate_decides(release_url):
    await asyncio.to_thread(migrate, release_url)
    database, state, log, later = open_database(release_url), GateState(), CountedLog(), CountedLog()
    with closing(database), ThreadPoolExecutor(1) as executor:
        earlier = await database.read(decided)
        await database.read(lambda session: log.advance(session, head_of(session)))
        light = [vote for _, quarters, _, numbers in earlier if quarters < FULL_QUARTERS for vote in numbers]
        assert light
        assert (log.decided.weights(np.array(light, np.int64)) < 1).all()
        now = datetime.now(UTC)
        await gate_rounds.judge(database, state, executor=executor, now=now)
        assert state.judged == await database.read(votes.last_number)
        await publish_whole(Publication(database, Method(), later, executor, lambda: now))
        assert (await database.read(decided))[: len(earlier)] == earlier
        newest = await database.read(snapshots.last)
        assert newest.last_decision == await database.read(decisions.last)
        assert (await verification.verify(database, newest.id, executor=executor)).holds
        # A worker that starts anew finds nothing to decide again.
        before = await database.read(decided)
        await gate_rounds.judge(database, GateState(), executor=executor, now=now)
        assert await database.read(decided) == before


def decided(session) -> list[tuple[int, int, str, list[int]]]:
    return [(row.number, row.quarters, row.method, row.votes) for row in decisions.after(session, 0)]


@each_release
def test_an_arena_goes_on_with_it(release_url, process):
    if on_postgres(release_url):
        migrate(release_url)
    arena = process("serve", "--no-worker", ARENA_DATABASE_URL=release_url, **WIDE).start()
    board = arena.get("/api/v1/leaderboard").json()
    assert len(board["rows"]) > 5
    battle = arena.get("/api/v1/models").json()
    assert battle


@each_release
def test_an_answer_stored_in_it_is_read_without_a_script(release_url, process):
    if on_postgres(release_url):
        migrate(release_url)
    token = in_transaction(release_url, lambda connection: connection.scalar(text("SELECT token FROM shares")))
    arena = process("serve", "--no-worker", ARENA_DATABASE_URL=release_url, **WIDE).start()
    (turn, *_) = arena.get(f"/api/v1/shared/{token}?as=html").json()["turns"]
    assert turn["html"] == {side: answer_html(answer) for side, answer in turn["answers"].items()}
    until(lambda: arena.get("/").status_code != 503)  # as long as the pages are being made
    page = arena.get(f"/shared?b={token}")
    assert page.status_code == 200
    assert all(html in page.text for html in turn["html"].values())
    assert "".join(turn["answers"].values())

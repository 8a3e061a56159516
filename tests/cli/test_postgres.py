"""The same commands on PostgreSQL and Redis, as an operator who runs several processes types them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from arena.adapters.store.engine.migration import newest
from tests.cli.commands import run
from tests.cli.test_rank import COLUMNS, VOTES


@pytest.fixture
def new_database(postgres) -> Iterator[str]:
    with postgres.database() as url:
        yield url


def test_migrations_come_first_and_a_command_says_so(new_database, tmp_path):
    settings = {"ARENA_DATABASE_URL": new_database, "ARENA_DATA": str(tmp_path)}
    export = ("votes", "export", str(tmp_path / "votes.jsonl"))
    for command in (export, ("serve", "--port", "0")):
        early = run(*command, **settings)
        assert early.returncode == 1
        assert early.stderr.endswith("run `arena migrate` first\n")
        assert len([line for line in early.stderr.splitlines() if line.startswith("arena: ")]) == 1
    for _ in range(2):
        assert run("migrate", **settings).stdout == f"The database schema is {newest()}.\n"
    assert run(*export, **settings).returncode == 0


def test_a_server_that_is_not_there_is_one_clear_line(tmp_path):
    settings = {"ARENA_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing", "ARENA_DATA": str(tmp_path)}
    for command in (("migrate",), ("rank",)):
        away = run(*command, **settings)
        assert away.returncode == 1
        assert away.stderr.splitlines()[-1].startswith("arena: ")
        assert "Traceback" not in away.stderr


def test_a_worker_of_its_own_needs_a_server(tmp_path):
    alone = run("worker", ARENA_DATA=str(tmp_path))
    assert (alone.returncode, "needs PostgreSQL" in alone.stderr) == (1, True)


def test_votes_go_in_and_out_are_excluded_ranked_and_verified(postgres_url, tmp_path):
    settings = {"ARENA_DATABASE_URL": postgres_url, "ARENA_DATA": str(tmp_path), "ARENA_RANK_ORDERS": "20"}
    assert "200 votes added" in run("votes", "import", str(VOTES), *COLUMNS, **settings).stderr
    assert run("votes", "exclude", "7", "--reason", "test", **settings).returncode == 0
    rows = json.loads(run("rank", "--json", **settings).stdout)["rows"]
    assert sum(row["battles"] for row in rows) == 2 * 199
    assert "They agree" in run("rank", "verify", "1", **settings).stdout
    export = tmp_path / "votes.jsonl"
    assert run("votes", "export", str(export), **settings).returncode == 0
    assert len(export.read_text().splitlines()) == 200
    again = run("rank", str(export), "--json", **settings)
    elo = {row["name"]: row["elo"] for row in rows}
    assert {row["name"]: row["elo"] for row in json.loads(again.stdout)["rows"]} == elo

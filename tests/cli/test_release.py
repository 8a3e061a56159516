"""`arena release`: nothing is published before a person has read it, and the log knows what was."""

from __future__ import annotations

import asyncio
import io
import json

import pytest
from sqlalchemy import select

from arena.adapters.store import shares
from arena.adapters.store.engine import open_database
from arena.adapters.store.tables.conversations import BattleRow
from arena.adapters.store.tables.operations import ReleaseRow
from arena.adapters.store.tables.transparency import LeafRow
from arena.usecases.releases import reviews
from tests.cli.commands import CommandResult, run
from tests.usecases.releases.arenas import fill


@pytest.fixture
def arena(sqlite_url, tmp_path, monkeypatch):
    """`arena("publish", "one")` runs a command in an arena whose battles are old enough."""
    monkeypatch.setattr(reviews, "SAMPLE", 5)
    write(sqlite_url, fill)

    def release(*arguments: str, typed: str = "") -> CommandResult:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return run("release", *arguments, ARENA_DATA=str(tmp_path), ARENA_DATABASE_URL="")

    return release


def write(url: str, work):
    async def act(database):
        return await database.write(work)

    database = open_database(url)
    found = asyncio.run(act(database))
    database.close()
    return found


def withdraw_all(session) -> None:
    for battle in session.scalars(select(BattleRow.id)).all():
        shares.withdraw(session, battle)


def test_pairs_of_answers_are_written_with_what_was_left_out(arena, tmp_path):
    file = tmp_path / "pairs.jsonl"
    settings = {"ARENA_DATA": str(tmp_path), "ARENA_DATABASE_URL": ""}
    done = run("votes", "export", str(file), "--pairs", **settings)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert done.stderr.startswith(f"{len(lines)} pairs written.\n")
    assert " left out: tie\n" in done.stderr
    assert all(line["chosen"][0]["role"] == "assistant" and line["prompt"][0]["content"] for line in lines)
    assert run("votes", "export", "-", "--pairs", **settings).stdout == file.read_text()
    refused = run("votes", "export", str(file), "--pairs", "--salt", "x", **settings)
    assert (refused.returncode, refused.stderr) == (
        1,
        "arena: --pairs goes without --salt and --times: a pair tells neither voter nor time.\n",
    )


def test_a_release_is_built_read_published_and_named_in_the_log(arena, sqlite_url, tmp_path):
    built = arena("build", "2026-09")
    assert (built.returncode, built.stderr) == (0, "")
    assert "Next: arena release review 2026-09" in built.stdout
    early = arena("publish", "2026-09")
    assert (early.returncode, early.stderr) == (
        1,
        "arena: 0 of 5 conversations of release 2026-09 were read; review it first.\n",
    )
    half = arena("review", "2026-09", typed="\n\nq\n")
    assert "3 of 5" in half.stdout
    assert "4 of 5" not in half.stdout
    assert "2 of 5 conversations" in arena("publish", "2026-09").stderr
    rest = arena("review", "2026-09", "--by", "Ada", typed="\n\n\n")
    assert ("2 of 5" in rest.stdout, "All 5 are read" in rest.stdout) == (False, True)
    assert arena("publish", "2026-09").returncode == 0
    (leaf,) = write(
        sqlite_url, lambda session: session.scalars(select(LeafRow.data).where(LeafRow.kind == "release")).all()
    )
    row = write(sqlite_url, lambda session: session.get(ReleaseRow, "2026-09"))
    assert json.loads(leaf)["digest"] == row.digest
    assert (row.salt, row.reviewed_by) == (None, "Ada")
    assert "published already" in arena("publish", "2026-09").stderr
    assert "needs another name" in arena("build", "2026-09").stderr
    assert row.digest[:12] in arena("list").stdout


def test_what_the_reader_finds_is_in_no_release_and_this_one_is_built_again(arena, sqlite_url):
    arena("build", "one")
    shown = arena("review", "one", typed="x\n")
    assert "Build one again." in shown.stdout
    assert "found personal data" in arena("publish", "one").stderr
    withdrawn = write(sqlite_url, lambda session: session.scalars(select(BattleRow).where(BattleRow.withdrawn)).all())
    assert [battle.turns[0].prompt in shown.stdout for battle in withdrawn] == [True]
    arena("build", "one")
    arena("review", "one", typed="\n" * 5)
    assert arena("publish", "one").returncode == 0


def test_what_was_withdrawn_or_changed_since_the_build_is_not_published(arena, sqlite_url, tmp_path):
    arena("build", "one")
    arena("review", "one", typed="\n" * 5)
    card = tmp_path / "releases" / "one" / "README.md"
    text = card.read_text()
    card.write_text(f"{text}!")
    assert "are not those of release one; build it again" in arena("publish", "one").stderr
    card.write_text(text)
    write(sqlite_url, withdraw_all)
    done = arena("publish", "one")
    assert done.returncode == 1
    assert "conversations of release one were withdrawn since; build it again" in done.stderr
    assert "No conversation can be released (none is old enough" in " ".join(arena("build", "one").stderr.split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("review", "none"), "There is no release none; build it first."),
        (("build", "../none"), "The name of a release has 1 to 40"),
    ],
)
def test_a_bad_name_is_one_clear_error(sqlite_url, tmp_path, arguments, sentence):
    done = run("release", *arguments, ARENA_DATA=str(tmp_path), ARENA_DATABASE_URL="")
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1

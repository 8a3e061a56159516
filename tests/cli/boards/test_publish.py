"""`arena publish` as an operator types it."""

from __future__ import annotations

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.cli.context import opened
from arena.settings import Settings
from arena.usecases.exchange import importer
from arena.usecases.ranking.vote_columns import CountedLog
from tests.cli.commands import run
from tests.conftest import START
from tests.publication import publish_once
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.ranking.test_slice_boards import made


@pytest.fixture
def data(tmp_path) -> str:
    """The data folder of an arena with a board."""
    asyncio.run(_fill(tmp_path / "data"))
    return str(tmp_path / "data")


async def _fill(folder: Path) -> None:
    with opened(Settings(data=folder)) as database, ThreadPoolExecutor(1) as executor:
        await importer.import_votes(database, made(300), START)
        await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: START)


def test_without_a_board_the_command_says_so_and_writes_nothing(tmp_path):
    done = run("publish", str(tmp_path / "tree"), ARENA_DATA=str(tmp_path / "data"))
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr
    assert not (tmp_path / "tree").exists()


def test_the_command_writes_a_tree_whose_digests_are_right_and_says_how_many_files(tmp_path, data):
    folder = tmp_path / "tree"
    done = run("publish", str(folder), "--dataset", "org/board", ARENA_DATA=data)
    assert done.returncode == 0, done.stderr
    sums = [line.partition("  ") for line in (folder / "SHA256SUMS").read_text().splitlines()]
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest for digest, _, name in sums)
    assert f"{len(sums)} files in {folder}." in done.stdout + done.stderr
    assert [*(folder / "eval_results").rglob("arena.yaml")]


def test_without_a_folder_it_is_the_one_that_the_arena_serves(data):
    done = run("publish", ARENA_DATA=data)
    assert done.returncode == 0, done.stderr
    assert (Settings(data=Path(data)).files_folder / "index.json").is_file()


def test_a_folder_that_is_a_file_is_refused_in_one_line(tmp_path, data):
    (tmp_path / "tree").write_text("")
    done = run("publish", str(tmp_path / "tree"), ARENA_DATA=data)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr

"""Files that are replaced together: a process that dies at any step leaves the old folder or one that is finished."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.adapters import staged_files as staging
from arena.adapters.staged_files import staged_files
from arena.domain.errors import Invalid

OLD = {"index": "old", "sums": "old", "a/x": "old", "a/kept": "old"}
NEW = {"index": "new", "sums": "new", "a/x": "new", "b/c/y": "new"}


@pytest.fixture
def folder(tmp_path) -> Path:
    write(tmp_path / "tree", OLD)
    return tmp_path / "tree"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def read(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def places(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir())


async def replace(folder: Path, act=lambda: None) -> None:
    async with staged_files(folder, "index") as stage:
        write(stage, NEW)
        act()


async def test_new_files_replace_the_old_ones_and_others_stay(folder):
    await replace(folder)
    assert (read(folder), places(folder)) == (OLD | NEW, ["a", "b", "b/c"])


async def test_a_failure_in_the_block_leaves_the_folder(folder):
    with pytest.raises(ZeroDivisionError):
        await replace(folder, lambda: 1 / 0)
    assert (read(folder), places(folder)) == (OLD, ["a"])


async def test_a_folder_in_the_place_of_a_file_leaves_all_others(folder):
    (folder / "sums").unlink()
    (folder / "sums").mkdir()
    with pytest.raises(Invalid, match="in the place of a file"):
        await replace(folder)
    assert (read(folder), places(folder)) == ({name: "old" for name in OLD if name != "sums"}, ["a", "sums"])


CALLS = ("replace", "unlink", "mkdir", "rmdir")


@contextmanager
def dying_at(step: int):
    """End this process without a clean-up at its call number `step` that changes a folder."""
    count = 0

    def counted(call):
        def call_or_die(*args, **kwargs):
            nonlocal count
            count += 1
            if count == step:
                os._exit(1)
            return call(*args, **kwargs)

        return call_or_die

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    yield


def die(folder: Path, step: int) -> bool:
    """Replace the files in a process that dies at a step; whether it lived to its end."""
    child = os.fork()
    if child == 0:
        with dying_at(step):
            staging._unlock(staging._begin(folder, "index"))
            write(folder / staging.STAGE, NEW)
            staging._replace(folder, "index")
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.process
async def test_a_process_that_dies_at_any_step_leaves_old_or_new_files_and_the_next_one_finishes(tmp_path):
    step, seen = 0, set()
    while True:
        step += 1
        folder = tmp_path / str(step) / "tree"
        write(folder, OLD)
        lived = die(folder, step)
        files = {name: text for name, text in read(folder).items() if not staging.is_own_name(name)}
        if "index" in files:  # a list that is there is that of all files
            assert files in (OLD, OLD | NEW)
        seen.add(files.get("index"))
        staging._unlock(staging._begin(folder, "index"))
        healed = {name: text for name, text in read(folder).items() if not staging.is_own_name(name)}
        assert healed in (OLD, OLD | NEW)
        assert "index" in files or healed == OLD | NEW
        await replace(folder)
        assert read(folder) == OLD | NEW
        assert [name for name in places(folder) if staging.is_own_name(name)] == []
        if lived:
            break
    assert seen == {"old", None, "new"}


async def test_a_folder_is_written_by_one_process_at_a_time(folder):
    async with staged_files(folder, "index") as stage:
        write(stage, NEW)
        with pytest.raises(Invalid, match="another process"):
            await replace(folder)
    assert read(folder) == OLD | NEW


async def test_a_stage_that_a_process_left_is_emptied(folder):
    write(folder / staging.STAGE, {"index": "half", "a/half": "half"})
    await replace(folder)
    assert read(folder) == OLD | NEW

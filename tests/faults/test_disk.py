"""The disk is full, or does not take what it is told to keep: nothing is promised, reads go on, and it heals itself."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from arena.adapters.mapped_rows import MappedRows
from arena.adapters.store import snapshots
from arena.adapters.store.leases import unguarded
from arena.cli.boards.publish import source_of
from arena.domain.errors import Invalid
from arena.serving.loops import Progress
from arena.serving.publisher import Publisher
from arena.settings import Settings
from arena.usecases.exchange import importer
from arena.usecases.files.tree import publish_files
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.ranking.vote_slices import ROW
from tests.conftest import START
from tests.faults.load import UNSAVED, Load, add_battles, check
from tests.faults.tracing import FLUSH, strace
from tests.processes import Process
from tests.publication import publish_once
from tests.trust.integrity.logs import honest
from tests.usecases.integrity.test_gate_rounds import MONDAY, cast, fill
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.ranking.test_slice_boards import made

VOTERS = pytest.mark.parametrize("voters", [8, pytest.param(32, marks=pytest.mark.heavy)])
FAILED_FLUSHES = 10
"""How many must have failed before anything is concluded."""

SIZES = [pytest.param(30, id="small"), pytest.param(5_000, id="full", marks=pytest.mark.heavy)]


@contextmanager
def no_file_can_be_written(door: Process) -> Iterator[None]:
    """The kernel refuses every byte."""
    soft, hard = resource.prlimit(door.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(door.pid, resource.RLIMIT_FSIZE, (0, hard))
    yield
    resource.prlimit(door.pid, resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def no_flush_succeeds(door: Process) -> Iterator[None]:
    """The disk takes the bytes and cannot keep them."""
    with strace([door.pid], door.folder / "flushes", "-e", f"trace={FLUSH}", "-e", f"inject={FLUSH}:error=EIO"):
        yield


FAULTS = [no_file_can_be_written, no_flush_succeeds]


async def fails_and_heals(door: Process, load: Load, fault) -> None:
    """While it lasts no vote is promised, and what is stored can be read."""
    with fault:
        before, refused = len(load.acknowledged), load.answers[UNSAVED]
        await load.until(lambda: load.answers[UNSAVED] > refused + 4 * load.voters)
        # Who was just voting when it began may have been in time.
        assert len(load.acknowledged) - before <= load.voters
        for path in ("/api/v1/status", "/api/v1/models", "/healthz"):
            assert (await asyncio.to_thread(door.get, path)).status_code == 200
        assert (await asyncio.to_thread(door.get, "/readyz")).status_code == 503
    await load.go_on()


@VOTERS
@pytest.mark.parametrize("fault", FAULTS)
async def test_what_cannot_be_kept_is_not_promised_and_nobody_is_revealed(fault, voters, sqlite_url, process):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=sqlite_url).start()
    load = Load([door.url], await add_battles(sqlite_url, 1000), rate=50, voters=voters)
    async with load.running():
        await load.reach(10)
        await fails_and_heals(door, load, fault(door))
        await fails_and_heals(door, load, fault(door))
    await check(sqlite_url, load)
    assert load.failures() == {UNSAVED}
    assert load.transport_errors == {}


@pytest.mark.parametrize("votes", SIZES)
async def test_of_flushes_that_fail_now_and_then_none_costs_a_vote(votes, sqlite_url, process, record_property):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=sqlite_url).start()
    load = Load([door.url], await add_battles(sqlite_url, votes * 2 + 1000), rate=100)
    every_fifth = ("-e", f"trace={FLUSH}", "-e", f"inject={FLUSH}:error=EIO:when=5+5")
    flushes = door.folder / "flushes"
    async with load.running():
        with strace([door.pid], flushes, *every_fifth):
            await load.reach(votes)
            await load.until(lambda: flushes.read_text().count("INJECTED") >= FAILED_FLUSHES)
    await check(sqlite_url, load)
    # A vote whose flush failed is tried once more, so that few voters, or none, are told.
    assert load.failures() <= {UNSAVED}
    record_property("answers", str(dict(load.answers)))


MOUNTED = 'mount -t tmpfs -o size=8m none "$0" && cp "$1" "$0" && shift && exec "$@"'


def filled(disk: Path) -> Path:
    """A file that takes all that is left."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(65536))
        except OSError:
            return filler


@contextmanager
def full(disk: Path) -> Iterator[None]:
    filler = filled(disk)
    yield
    filler.unlink()


@pytest.fixture
def mounts() -> None:
    """Skip where a process may not have a disk of its own."""
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    if not shutil.which("unshare") or subprocess.run(probe, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")


@pytest.mark.usefixtures("mounts")
@VOTERS
async def test_a_full_disk_is_survived(voters, sqlite_url, process, tmp_path):
    """A small disk of its own, mounted where only the process sees it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=f"sqlite:///{folder}/arena.db")
    load = Load([door.url], await add_battles(sqlite_url, 1000), rate=50, voters=voters)
    source = sqlite_url.removeprefix("sqlite:///")
    door.command = ["unshare", "-rm", "sh", "-c", MOUNTED, str(folder), source, *door.command]
    door.start()
    disk = Path(f"/proc/{door.pid}/root{folder}")
    async with load.running():
        await load.reach(10)
        for _ in range(2):
            await fails_and_heals(door, load, full(disk))
    kept = tmp_path / "kept"
    shutil.copytree(disk, kept)
    await check(f"sqlite:///{kept}/arena.db", load)
    assert load.failures() == {UNSAVED}


HELD = 'mount -t tmpfs -o size=2m none "$0" && echo mounted && read _'


@pytest.fixture
def small_disk(mounts: None, tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB, seen through a process that holds it."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["unshare", "-rm", "sh", "-c", HELD, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"mounted\n"
        yield Path(f"/proc/{holder.pid}/root{folder}")
        holder.communicate(b"\n")


def read_tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def leave(filler: Path, room: int) -> None:
    """Give back so many bytes of a full disk."""
    os.truncate(filler, filler.stat().st_size - room)


@pytest.mark.process
async def test_public_files_for_which_the_disk_has_no_room_leave_those_of_the_day_before(
    database, small_disk, tmp_path
):
    await importer.import_votes(database, made(300), START)
    with ThreadPoolExecutor(1) as executor:
        await publish_once(database, METHOD, CountedLog(), executor=executor, now=lambda: START)
    tree, source = small_disk / "tree", source_of(Settings(data=tmp_path), "org/board")
    await publish_files(database, tree, source, START)
    before, refusals = read_tree(tree), list[str]()
    for room in range(0, 1_000_000, 32_768):
        filler = filled(small_disk)
        leave(filler, room)
        try:
            await publish_files(database, tree, source, START + timedelta(days=1))
        except Invalid as error:
            refusals.append(str(error))
            assert read_tree(tree) == before
        else:
            break
        finally:
            filler.unlink()
    assert len(refusals) > 2
    assert all("No space left on device" in refusal for refusal in refusals)
    assert json.loads((tree / "index.json").read_text())["made_at"][:10] != START.date().isoformat()
    for line in (tree / "SHA256SUMS").read_text().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((tree / name).read_bytes()).hexdigest() == digest


@pytest.mark.process
def test_rows_for_which_the_disk_has_no_room_move_to_memory_with_those_before(small_disk):
    file, numbers = MappedRows(ROW, small_disk), np.arange(5)
    file.append(numbers[:2].astype(ROW))
    before, stored = file.rows, file.stored()
    with full(small_disk):
        for number in numbers[2:]:
            file.append(np.array([number]).astype(ROW).repeat(10_000))
    assert before["number"].tolist() == stored.open()["number"].tolist() == [0, 1]
    assert file.rows["number"].tolist() == file.stored().open()["number"].tolist()
    assert file.rows["number"].tolist() == [0, 1, *np.repeat(numbers[2:], 10_000)]


@pytest.mark.process
@pytest.mark.both_databases
async def test_a_full_disk_of_data_stops_neither_votes_nor_boards(database, small_disk, caplog):
    log = honest(120)
    await database.write(fill, log.rows(np.arange(60)), np.zeros(60, bool))
    with ThreadPoolExecutor(1) as executor, full(small_disk):
        publisher = Publisher(database, METHOD, executor, lambda: MONDAY, folder=small_disk)
        for number, votes in ((1, 60), (2, 120)):
            if number > 1:
                await database.write(lambda session: cast(session, log.rows(np.arange(60, 120)), first=61))
            for work in (publisher.judge, publisher.publish_board, publisher.publish_parts):
                assert await work(unguarded) is Progress.MADE
            assert (await database.read(snapshots.newest)).last_vote == votes
            parts = await database.read(snapshots.parts_of, number)
            assert {part.kind for part in parts} >= {"board", "orders"}
    assert caplog.text.count("moves to memory") == 2

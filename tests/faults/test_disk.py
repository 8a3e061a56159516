"""The disk is full, or does not take what it is told to keep: nothing is promised, reads go on, and it heals itself."""

from __future__ import annotations

import asyncio
import resource
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.load import UNSAVED, Load, add_battles, check
from tests.faults.tracing import FLUSH, strace
from tests.processes import Process

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

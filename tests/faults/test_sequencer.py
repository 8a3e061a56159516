"""A sequencer that is killed anywhere, again and again, loses no leaf, forks nothing and raises no false alarm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.migration import migrate
from arena.domain.tlog.checkpoints import Checkpoint
from arena.domain.tlog.notes import Note
from arena.domain.tlog.proofs import consistency, consistent
from arena.domain.tlog.tiles import subtrees
from tests.paths import ROOT
from tests.usecases.transparency.arenas import leaves, sequencer, signed

WORKING = """
import asyncio, sys
from pathlib import Path
from arena.adapters.store import log_leaves
from arena.adapters.store.engine import open_database
from arena.domain.tlog.leaves import Kind
from tests.usecases.transparency.arenas import sequencer

async def work():
    database = open_database(sys.argv[1])
    log = sequencer(database, Path(sys.argv[2]))
    def add(session):
        for number in range(37):
            log_leaves.add(session, Kind.SNAPSHOT, id=number)
    print("ready", flush=True)
    while True:
        await database.write(add)
        await log.turn()

asyncio.run(work())
"""


def killed_often(folder: Path, times: int) -> list[Checkpoint]:
    """The checkpoints that were published when each of these processes was killed, at a moment of its own."""
    url, rng = f"sqlite:///{folder / 'arena.db'}", Random(1)
    migrate(url)
    found: list[Checkpoint] = []
    for _ in range(times):
        words = [sys.executable, "-c", WORKING, url, str(folder)]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "ready\n", process.stderr.read()
            time.sleep(rng.uniform(0, 0.3))
            os.kill(process.pid, signal.SIGKILL)
            # Whatever it had to complain about, a disagreement above all, would be here.
            assert process.stderr.read() == ""
        note = folder / "log" / "checkpoint"
        if note.exists():
            found.append(Checkpoint.parse(Note.parse(note.read_text("utf-8")).text))
    return found


@pytest.mark.parametrize("times", [5, pytest.param(50, marks=pytest.mark.heavy)])
async def test_a_killed_sequencer_loses_nothing_and_forks_nothing(tmp_path, times):
    seen = killed_often(tmp_path, times)
    database = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    log = sequencer(database, tmp_path)
    while await log.turn():
        pass
    last, entries = await signed(log)
    assert entries[1:] == await database.read(leaves)
    read = subtrees(log.files.read, last.size)
    for before in seen:
        assert before.origin == last.origin
        assert consistent(before.size, before.root, last.size, last.root, consistency(read, before.size, last.size))
    assert [each.size for each in seen] == sorted(each.size for each in seen)
    database.close()

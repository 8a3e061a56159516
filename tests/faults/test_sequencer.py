"""A sequencer that is killed anywhere, again and again, loses no leaf, forks nothing and raises no false alarm."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from arena.adapters.store.engine import open_database
from arena.adapters.store.engine.migration import migrate
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.notes import SignedNote
from arena_trust.tlog.proofs import consistency_proof, verify_consistency
from arena_trust.tlog.tiles import subtrees
from arena_trust.verifier.verification import VerificationInput, verify
from tests.faults.load import Load, add_battles, check
from tests.paths import ROOT
from tests.processes import PATIENCE, Process
from tests.usecases.transparency.arenas import leaves, read_signed_log, sequencer

WORKING = """
import asyncio, sys
from pathlib import Path
from arena.adapters.store import log_leaves
from arena.adapters.store.engine import open_database
from arena_trust.tlog.leaves import LeafKind
from tests.usecases.transparency.arenas import sequencer

async def work():
    database = open_database(sys.argv[1])
    log = sequencer(database, Path(sys.argv[2]))
    def add(session):
        for number in range(37):
            log_leaves.add(session, LeafKind.SNAPSHOT, id=number)
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
            found.append(Checkpoint.parse(SignedNote.parse(note.read_text("utf-8")).text))
    return found


@dataclass(frozen=True)
class Size:
    kills: int
    votes: int
    """Votes that are waited for before each kill."""
    battles: int


SIZES = [
    pytest.param(Size(1, 20, 1_000), id="small"),
    pytest.param(Size(50, 100, 60_000), id="full", marks=pytest.mark.heavy),
]


def published_votes(door: Process, folder: Path) -> tuple[int, Path]:
    """Number of leaves of the published log, and the export of the votes."""
    note = door.get("/log/checkpoint")
    size = Checkpoint.parse(SignedNote.parse(note.text).text).size if note.is_success else 0
    export = folder / "votes.jsonl"
    export.write_bytes(door.get("/api/v1/votes/export").content)
    return size, export


@pytest.mark.parametrize("size", SIZES)
async def test_every_vote_is_in_the_log_when_the_worker_is_killed_while_people_vote(
    size, postgres_url, process, tmp_path, record_property
):
    ready = await add_battles(postgres_url, size.battles)
    shared = {"ARENA_DATABASE_URL": postgres_url, "ARENA_SECRET_KEY": b64encode(bytes(32)).decode()}
    shared |= {"ARENA_CHECKPOINT_SECONDS": "0.2", "ARENA_LOG_FOLDER": str(tmp_path / "log")}
    door, worker = process("serve", "--no-worker", **shared), process("worker", **shared)
    door.start()
    load, rng = Load([door.url], ready, rate=30), Random(1)
    async with load.running():
        for _ in range(size.kills):
            await asyncio.to_thread(worker.start)
            await load.go_on(size.votes)
            await asyncio.sleep(rng.uniform(0, 0.5))
            worker.kill()
        await load.go_on()
    await check(postgres_url, load)
    await asyncio.to_thread(worker.start)
    request = VerificationInput(f"{door.url}/log", tmp_path / "votes.jsonl", None, None, tmp_path / "seen.json")
    async with asyncio.timeout(PATIENCE):
        while (await asyncio.to_thread(published_votes, door, tmp_path))[0] <= len(load.acknowledged):
            await asyncio.sleep(0.5)
    findings = await asyncio.to_thread(verify, request, lambda *_: None)
    assert findings.holds, str(findings)
    assert "transparency log" not in worker.log.read_text()
    record_property("acknowledged", len(load.acknowledged))


@pytest.mark.process
@pytest.mark.parametrize("times", [3, pytest.param(50, marks=pytest.mark.heavy)])
async def test_a_killed_sequencer_loses_nothing_and_forks_nothing(tmp_path, times):
    seen = killed_often(tmp_path, times)
    database = open_database(f"sqlite:///{tmp_path / 'arena.db'}")
    log = sequencer(database, tmp_path)
    while await log.turn():
        pass
    last, entries = await read_signed_log(log)
    assert entries[1:] == await database.read(leaves)
    read = subtrees(log.files.read, last.size)
    for before in seen:
        assert before.origin == last.origin
        assert verify_consistency(
            before.size, before.root, last.size, last.root, consistency_proof(read, before.size, last.size)
        )
    assert [each.size for each in seen] == sorted(each.size for each in seen)
    database.close()

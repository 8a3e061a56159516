"""Costs of the transparency log: sequencing, a proof in a log of many leaves, verifying a whole arena."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert

from arena.adapters.log_files import LogFiles
from arena.adapters.store.engine import open_database
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.leases import unguarded
from arena.adapters.store.migration import migrate
from arena.adapters.store.tables import LeafRow
from arena.usecases.transparency.sequencer import Sequencer
from arena_trust.tlog.hashing import SIZE, fold
from arena_trust.tlog.leaves import LeafKind, encode_leaf
from arena_trust.tlog.proofs import inclusion_proof, tree_root, verify_inclusion
from arena_trust.tlog.tiles import HEIGHT, WIDTH, Tile, subtrees
from arena_trust.verifier.verification import VerificationInput, verify
from benchmarks.transparency.published_arena import publish
from benchmarks.transparency.votes_beside import BesideRow, votes_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

PROOFS: Final = 1_000
PIECE: Final = 50_000


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: `count` things in seconds of wall and of processor time, and most memory, of all processes."""

    what: str
    count: int
    seconds: float
    processor: float
    megabytes: float | None = None

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)

    def __str__(self) -> str:
        each = 1e6 * self.processor / self.count
        times = f"{self.seconds:8.2f} s, {self.processor:8.2f} s of processor"
        memory = f", {self.megabytes:,.0f} MB" if self.megabytes else ""
        return f"{self.what:<28} {self.count:>10,}: {times}, {each:8.1f} us each{memory}"


def measure(leaves: int, tree: int, votes: int, cast: int) -> Iterator[Row | BesideRow]:
    """Sequence `leaves`, prove leaves of a log of `tree` leaves, cast `cast` votes a turn, and verify `votes`."""
    with tempfile.TemporaryDirectory() as folder:
        yield asyncio.run(votes_beside(Path(folder), cast))
    with tempfile.TemporaryDirectory() as folder:
        yield asyncio.run(_sequenced(Path(folder), leaves))
    with tempfile.TemporaryDirectory() as folder:
        yield _proven(Path(folder), tree)
    with tempfile.TemporaryDirectory() as folder:
        yield _verified(Path(folder), votes)


def _peak_megabytes() -> float:
    """Most memory that this process has had, and its largest child for each core."""
    kinds = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    own, child = (resource.getrusage(kind).ru_maxrss / 1e3 for kind in kinds)
    return own + (os.cpu_count() or 1) * child


def _timed(what: str, count: int, work: Callable[[], object]) -> Row:
    wall, before = time.perf_counter(), _processor()
    work()
    return Row(what, count, time.perf_counter() - wall, _processor() - before)


def _processor() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


async def _sequenced(folder: Path, leaves: int) -> Row:
    url = f"sqlite:///{folder / 'bench.db'}"
    migrate(url)
    database = open_database(url)
    try:
        await database.write(_fill, leaves)
        return await _sequence(database, folder, leaves)
    finally:
        database.close()


async def _sequence(database: Database, folder: Path, leaves: int) -> Row:
    keyring, files = Keyring(file=folder / "master.keys"), LogFiles(folder / "log")
    every = timedelta(seconds=10)
    sequencer = Sequencer(database, files, keyring, "bench", every, lambda: datetime.now(UTC), unguarded)
    wall, before = time.perf_counter(), _processor()
    while await sequencer.turn():
        pass
    return Row("leaves sequenced", leaves, time.perf_counter() - wall, _processor() - before)


def _fill(session: Session, leaves: int) -> None:
    for start in range(0, leaves, PIECE):
        numbers = range(start, min(start + PIECE, leaves))
        rows = [
            {"kind": LeafKind.SNAPSHOT, "data": encode_leaf(LeafKind.SNAPSHOT, id=each, digest="0" * 64)}
            for each in numbers
        ]
        session.execute(insert(LeafRow), rows)


def _proven(folder: Path, tree: int) -> Row:
    """Time proofs from files on disk, the reader's memory included, as receipts are made."""
    _plant(LogFiles(folder), tree)
    files, rng = LogFiles(folder), Random(1)
    read = subtrees(files.read, tree)
    top = tree_root(read, tree)
    places = [rng.randrange(tree) for _ in range(PROOFS)]
    row = _timed(f"proofs in {tree:,} leaves", PROOFS, lambda: [inclusion_proof(read, each, tree) for each in places])
    for place in places[:10]:
        tile = Tile(0, place // WIDTH, min(WIDTH, tree - place // WIDTH * WIDTH))
        leaf = files.read(tile)[place % WIDTH * SIZE :][:SIZE]
        if not verify_inclusion(leaf, place, tree, inclusion_proof(read, place, tree), top):
            raise AssertionError("a proof of this benchmark does not hold")
    return row


def _plant(files: LogFiles, tree: int) -> None:
    """Write the tiles of a log whose leaves have random hashes; entries are not needed."""
    rng, level, row = Random(2), 0, b""
    while tree >> HEIGHT * level:
        count, above = tree >> HEIGHT * level, list[bytes]()
        for number in range(-(-count // WIDTH)):
            width = min(WIDTH, count - number * WIDTH)
            start = number * WIDTH * SIZE
            data = row[start : start + width * SIZE] if level else rng.randbytes(width * SIZE)
            path = files.folder / Tile(level, number, width).path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if width == WIDTH:
                above.append(fold([data[place : place + SIZE] for place in range(0, len(data), SIZE)]))
        level, row = level + 1, b"".join(above)


def _verified(folder: Path, votes: int) -> Row:
    """Time the verification in a process of its own, so that the memory of whatever wrote the arena is not counted."""
    arena = publish(folder, votes)
    question = VerificationInput(str(arena.log), arena.export, arena.board, None, folder / "seen.json")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_verification, question, votes).result()


def _verification(question: VerificationInput, votes: int) -> Row:
    def work() -> None:
        findings = verify(question, lambda _what, _done, _whole: None)
        if not findings.holds:
            raise AssertionError(str(findings))

    row = _timed("votes verified", votes, work)
    return replace(row, megabytes=_peak_megabytes())

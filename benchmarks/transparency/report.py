"""Costs of the transparency log: votes during sequencing, sequencing, proofs in a large tree, and verification."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import resource
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
import typer
from sqlalchemy import insert

from arena.adapters.log_files import LogFiles
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.transparency import LeafRow
from arena.usecases.transparency.sequencer import Sequencer
from arena_trust.tlog.hashing import SIZE, fold
from arena_trust.tlog.leaves import LeafKind, encode_leaf
from arena_trust.tlog.proofs import inclusion_proof, tree_root, verify_inclusion
from arena_trust.tlog.tiles import HEIGHT, WIDTH, Tile, subtrees
from arena_trust.verifier.verification import VerificationInput, verify
from benchmarks.load import vote_load
from benchmarks.load.store import folder, opened, sqlite
from benchmarks.processes import measure_call
from benchmarks.results import Row
from benchmarks.transparency.published_arena import publish

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

TURNS: Final = 8
"""Number of batches of votes with the sequencer, and of batches without it."""
CALLERS: Final = 160
POLL_SECONDS: Final = 1.0
"""Seconds between polls for new leaves, as in the worker."""
PROOFS: Final = 1_000
PIECE: Final = 50_000


def measure(
    leaves: Annotated[int, typer.Option(min=1, help="Leaves to sequence.")] = 100_000,
    tree: Annotated[int, typer.Option(min=1, help="Leaves of the log in which proofs are made.")] = 10_000_000,
    votes: Annotated[int, typer.Option(min=1_000, help="Votes to verify.")] = 1_000_000,
    cast: Annotated[int, typer.Option(min=200, help="Votes of a turn, with and without a sequencer.")] = 5_000,
) -> Iterator[Row]:
    """Time the transparency log: votes beside it, sequencing, proofs, and `arena verify`."""
    with sqlite() as (place, url):
        yield asyncio.run(_votes_beside(place, url, cast))
    with sqlite() as (place, url):
        yield _sequence_row(place, url, leaves)
    with folder() as place:
        yield _proofs(place, tree)
    with folder() as place:
        yield _verify_row(place, votes)


async def _votes_beside(place: Path, url: str, votes: int) -> Row:
    """Cast batches of votes, every second batch with a sequencer in the same process."""
    with opened(url) as database:
        battles = await vote_load.prepare(database, 2 * TURNS * votes + vote_load.WARM_UP)
        await vote_load.cast_all(database, battles[: vote_load.WARM_UP], CALLERS)
        gc.freeze()  # As `arena serve` does; otherwise a collection would pause all callers for 0.1 s.
        pieces = [battles[start : start + votes] for start in range(vote_load.WARM_UP, len(battles), votes)]
        times_alone, times_beside = list[float](), list[float]()
        for first, second in zip(pieces[::2], pieces[1::2], strict=True):
            times_alone.append(await _p99(database, first))
            async with _run_sequencer(_sequencer(database, place)):
                times_beside.append(await _p99(database, second))
    median_alone, median_beside = float(np.median(times_alone)), float(np.median(times_beside))
    figures = {"without_p99_ms": median_alone, "with_p99_ms": median_beside, "votes": TURNS * votes}
    change = 100 * (median_beside / median_alone - 1)
    return Row("medians", "votes beside the log: change of p99", change, "%", "≤ 5", "", figures)


async def _p99(database: Database, battles: list[str]) -> float:
    return 1000 * float(np.percentile(await vote_load.cast_all(database, battles, CALLERS), 99))


def _sequencer(database: Database, place: Path) -> Sequencer:
    keyring, files = Keyring(file=place / "master.keys"), LogFiles(place / "log")
    interval = timedelta(seconds=10)
    return Sequencer(database, files, keyring, "bench", interval, lambda: datetime.now(UTC), unguarded)


async def _sequence(log: Sequencer) -> None:
    while await log.turn():
        pass


@asynccontextmanager
async def _run_sequencer(log: Sequencer) -> AsyncGenerator[None]:
    """Sequence during the block, after sequencing all waiting leaves."""
    await _sequence(log)
    task = asyncio.create_task(_sequence_repeatedly(log))
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _sequence_repeatedly(log: Sequencer) -> None:
    while True:
        await log.turn()
        await asyncio.sleep(POLL_SECONDS)


def _time_row(name: str, count: int, work: Callable[[], Any]) -> Row:
    """CPU microseconds of `work` per item of `count`."""
    _, wall, cpu = measure_call(work)
    figures = {"count": count, "seconds": wall, "cpu_s": cpu}
    return Row("each", name, 1e6 * cpu / count, "µs", figures=figures)


def _sequence_row(place: Path, url: str, leaves: int) -> Row:
    with opened(url) as database:
        asyncio.run(database.write(_fill, leaves))
        return _time_row("leaves sequenced", leaves, lambda: asyncio.run(_sequence(_sequencer(database, place))))


def _fill(session: Session, leaves: int) -> None:
    for start in range(0, leaves, PIECE):
        numbers = range(start, min(start + PIECE, leaves))
        rows = [
            {"kind": LeafKind.SNAPSHOT, "data": encode_leaf(LeafKind.SNAPSHOT, id=number, digest="0" * 64)}
            for number in numbers
        ]
        session.execute(insert(LeafRow), rows)


def _proofs(place: Path, tree: int) -> Row:
    """Time proofs from files on disk with the reader's cache, as for receipts."""
    _plant(LogFiles(place), tree)
    files, rng = LogFiles(place), Random(1)
    read_subtree = subtrees(files.read, tree)
    top = tree_root(read_subtree, tree)
    places = [rng.randrange(tree) for _ in range(PROOFS)]
    row = _time_row(
        f"proofs in {tree:,} leaves", PROOFS, lambda: [inclusion_proof(read_subtree, entry, tree) for entry in places]
    )
    for number in places[:10]:
        tile = Tile(0, number // WIDTH, min(WIDTH, tree - number // WIDTH * WIDTH))
        leaf = files.read(tile)[number % WIDTH * SIZE :][:SIZE]
        if not verify_inclusion(leaf, number, tree, inclusion_proof(read_subtree, number, tree), top):
            raise AssertionError("a proof of this benchmark does not hold")
    return row


def _plant(files: LogFiles, tree: int) -> None:
    """Write the tiles of a log with random leaf hashes and without entries."""
    rng, level, row = Random(2), 0, b""
    while tree >> HEIGHT * level:
        count, hashes = tree >> HEIGHT * level, list[bytes]()
        for number in range(-(-count // WIDTH)):
            width = min(WIDTH, count - number * WIDTH)
            start = number * WIDTH * SIZE
            data = row[start : start + width * SIZE] if level else rng.randbytes(width * SIZE)
            path = files.folder / Tile(level, number, width).path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if width == WIDTH:
                hashes.append(fold([data[place : place + SIZE] for place in range(0, len(data), SIZE)]))
        level, row = level + 1, b"".join(hashes)


def _verify_row(place: Path, votes: int) -> Row:
    """Time the verification in a separate process, whose memory excludes that of writing the arena."""
    arena = publish(place, votes)
    request = VerificationInput(str(arena.log), arena.export, arena.board, None, place / "seen.json")
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_verification, request, votes).result()


def _verification(request: VerificationInput, votes: int) -> Row:
    row = _time_row("votes verified", votes, lambda: _check(request))
    return replace(row, figures={**row.figures, "memory_mb": _peak_megabytes()})


def _check(request: VerificationInput) -> None:
    findings = verify(request, lambda _task, _done, _whole: None)
    if not findings.holds:
        raise AssertionError(str(findings))


def _peak_megabytes() -> float:
    """Peak memory of this process plus that of its largest child per core, in MB."""
    kinds = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    main, child = (resource.getrusage(kind).ru_maxrss / 1e3 for kind in kinds)
    return main + (os.cpu_count() or 1) * child

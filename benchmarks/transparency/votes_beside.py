"""Latency of votes with and without a sequencer beside them, in turn in one run."""

from __future__ import annotations

import asyncio
import gc
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.adapters.log_files import LogFiles
from arena.adapters.store.engine import Database, open_database
from arena.adapters.store.keyring import Keyring
from arena.adapters.store.leases import unguarded
from arena.adapters.store.migration import migrate
from arena.usecases.transparency.sequencer import Sequencer
from benchmarks.load import vote_load

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

TURNS: Final = 8
"""Turns with the sequencer, and as many without it."""
CALLERS: Final = 160
PAUSE: Final = 1.0
"""Seconds between two looks for new leaves, as in the worker."""


@dataclass(frozen=True, slots=True)
class BesideRow:
    """p99 of `count` votes each, in milliseconds: the medians over the turns."""

    what: str
    count: int
    without_p99_ms: float
    with_p99_ms: float

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self)

    def __str__(self) -> str:
        more = 100 * (self.with_p99_ms / self.without_p99_ms - 1)
        times = f"p99 {self.without_p99_ms:.1f} ms without, {self.with_p99_ms:.1f} ms with the sequencer"
        return f"{self.what:<28} {self.count:>10,}: {times} ({more:+.0f} %)"


async def votes_beside(folder: Path, votes: int) -> BesideRow:
    """Cast `votes` votes in each of several turns, every second one beside a sequencer in the same process."""
    url = f"sqlite:///{folder / 'bench.db'}"
    migrate(url)
    database = open_database(url)
    try:
        battles = await vote_load.prepare(database, 2 * TURNS * votes + vote_load.WARM_UP)
        await vote_load.cast_all(database, battles[: vote_load.WARM_UP], CALLERS)
        gc.freeze()  # As `arena serve` does; otherwise a collection would pause all callers for 0.1 s.
        pieces = [battles[start : start + votes] for start in range(vote_load.WARM_UP, len(battles), votes)]
        without, beside = list[float](), list[float]()
        for first, second in zip(pieces[::2], pieces[1::2], strict=True):
            without.append(await _p99(database, first))
            async with _sequencing(database, folder):
                beside.append(await _p99(database, second))
    finally:
        database.close()
    return BesideRow("votes beside the log", TURNS * votes, float(np.median(without)), float(np.median(beside)))


async def _p99(database: Database, battles: list[str]) -> float:
    return 1000 * float(np.percentile(await vote_load.cast_all(database, battles, CALLERS), 99))


@asynccontextmanager
async def _sequencing(database: Database, folder: Path) -> AsyncGenerator[None]:
    """Sequence within the block; what was waiting before is in the log when it begins."""
    keyring, files = Keyring(file=folder / "master.keys"), LogFiles(folder / "log")
    every = timedelta(seconds=10)
    log = Sequencer(database, files, keyring, "bench", every, lambda: datetime.now(UTC), unguarded)
    while await log.turn():
        pass
    task = asyncio.create_task(_on(log))
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _on(log: Sequencer) -> None:
    while True:
        await log.turn()
        await asyncio.sleep(PAUSE)

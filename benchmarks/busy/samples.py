"""Samples of a busy arena, one each second: the age of the board and of each loop, and the cost of each process."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, inspect, select, text

from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.snapshots import SnapshotRow
from benchmarks.processes import Cost, children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

PERIOD: Final = 1.0
"""Seconds between two samples."""
PHASE: Final = 60.0
"""Seconds at the start and at the end whose costs are compared."""
MAX_WAIT: Final = 300.0
"""Longest time in seconds until the log of the start is on a board."""


@dataclass(frozen=True, slots=True)
class Sample:
    """State at one moment: age of the board in seconds, age of each loop, and cost of each process by name."""

    at: float
    board: float
    loops: Mapping[str, float]
    costs: Mapping[str, Cost]


@dataclass(slots=True)
class Samples:
    """All samples of a run; `roots` are the processes by name, each of which counts its children under " (fits)"."""

    roots: Mapping[str, int]
    taken: list[Sample] = field(default_factory=list[Sample])
    _fits: dict[str, dict[int, Cost]] = field(default_factory=lambda: defaultdict[str, dict[int, Cost]](dict))

    async def take(self, database: Database, seconds: float) -> None:
        """Take a sample each second for so many seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            board, loops = await database.read(ages, datetime.now(UTC))
            self.taken.append(Sample(time.monotonic(), board, loops, self._costs()))
            await asyncio.sleep(PERIOD)

    def _costs(self) -> dict[str, Cost]:
        costs: dict[str, Cost] = {}
        for name, pid in self.roots.items():
            costs[name] = Cost.of(pid)
            running, fits = dict(_costs_of(children(pid))), self._fits[name]
            fits |= running
            memory = sum(cost.memory for cost in running.values())
            costs[f"{name} (fits)"] = Cost(sum(cost.cpu for cost in fits.values()), memory)
        return costs

    def board_ages(self) -> tuple[float, float]:
        """The median and the largest age of the board in seconds."""
        ages = [sample.board for sample in self.taken]
        return statistics.median(ages), max(ages)

    def loop_ages(self) -> dict[str, float]:
        """The largest age of each loop in seconds; empty in an arena that does not store them."""
        largest: dict[str, float] = {}
        for sample in self.taken:
            for name, age in sample.loops.items():
                largest[name] = max(age, largest.get(name, 0.0))
        return largest

    def phases(self, name: str) -> dict[str, float]:
        """Percent of a core and MB of a process in the first and in the last minute, or halves of a shorter run."""
        first, last = self.taken[0].at, self.taken[-1].at
        phase = min(PHASE, (last - first) / 2)
        early = [sample for sample in self.taken if sample.at <= first + phase]
        late = [sample for sample in self.taken if sample.at >= last - phase]
        return {
            "first_percent": _percent(name, early),
            "last_percent": _percent(name, late),
            "first_mb": _memory(name, early),
            "last_mb": _memory(name, late),
        }

    def percent(self, name: str) -> float:
        """Percent of a core that a process took."""
        return _percent(name, self.taken)


def _percent(name: str, samples: list[Sample]) -> float:
    seconds = samples[-1].at - samples[0].at
    return 100 * (samples[-1].costs[name].cpu - samples[0].costs[name].cpu) / max(seconds, PERIOD)


def _memory(name: str, samples: list[Sample]) -> float:
    """The largest resident memory in MB."""
    return max(sample.costs[name].memory for sample in samples) / (1 << 20)


def _costs_of(pids: Iterable[int]) -> Iterable[tuple[int, Cost]]:
    for pid in pids:
        try:
            yield pid, Cost.of(pid)
        except OSError:  # it has just ended
            continue


async def first_board(database: Database) -> float:
    """Wait until the log of the start is on a board, for `MAX_WAIT` at most; returns the seconds.

    The board's loop is as old as the oldest vote that waits, here the first of the log, until it reports its success.
    That is waited for too, or the log's age would count as that of the loop.
    """
    start = time.monotonic()

    async def wait_until(is_reached: Callable[[float, Mapping[str, float]], bool]) -> float:
        seconds = 0.0
        while not is_reached(*await database.read(ages, datetime.now(UTC))) and seconds < MAX_WAIT:
            await asyncio.sleep(PERIOD)
            seconds = time.monotonic() - start
        return seconds

    seconds = await wait_until(lambda board, _: not board)
    await wait_until(lambda _, loops: loops.get("board", 0.0) < MAX_WAIT)
    return seconds


def ages(session: Session, now: datetime) -> tuple[float, dict[str, float]]:
    """Seconds since the oldest vote that is on no board was cast, and since the last success of each loop."""
    last = session.scalar(select(func.max(SnapshotRow.last_vote))) or 0
    query = select(VoteRow.created_at).where(VoteRow.number > last).order_by(VoteRow.number).limit(1)
    oldest = session.scalar(query)
    return max(0.0, (now - oldest).total_seconds()) if oldest else 0.0, _loop_ages(session, now)


def _loop_ages(session: Session, now: datetime) -> dict[str, float]:
    """By SQL, since an arena of an earlier version has no such table."""
    if not inspect(session.connection()).has_table("loops"):
        return {}
    rows = session.execute(text("SELECT name, passed_at FROM loops WHERE passed_at IS NOT NULL")).all()
    return {name: max(0.0, (now - _moment(passed)).total_seconds()) for name, passed in rows}


def _moment(value: datetime | str) -> datetime:
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def idle_ticks() -> tuple[int, int]:
    """Idle time and all time of the machine's processors so far, in the kernel's ticks."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def disk_bytes(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

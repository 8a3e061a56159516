"""Rows of the rating benchmark: the work, its peer, and the ratio of their times."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchmarks.jobs import NotMeasured, Process, Timing, environment, measure

FIRST_JOB: Final = "first job of a process, compile cache warm"
_ALONE: Final = """
import sys
class Alone:
    needed = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite", "arena_rating"}
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.needed:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Alone())
"""
"""Hides all other packages; numba loads scipy and cffi if they are installed."""
_FIRST_JOB: Final = """
import numpy, arena_rating as rating
left = numpy.arange(1000, dtype=numpy.int32) % 9
ends = left, left + 1, numpy.zeros(1000, numpy.uint8)
log = rating.Comparisons(*ends, None, None, None, tuple("abcdefghij"))
rating.elo_over_orders(log, rating.EloParameters(orders=8), seed=1)
rating.bradley_terry(rating.pair_counts(log))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement.

    Attributes:
        work: Name of the computation.
        votes: Number of votes.
        ours_s: Seconds of this library: wall time, or CPU time for work on one core.
        peer: Name of the peer, or "".
        peer_s: Seconds of the peer: the smaller of wall and CPU time, in its favour; None if not measured.
        ratio: peer_s / ours_s.
        ours_mb: Peak memory of this library's call above the level before it, in MB.
        goal: Lower bound of the ratio to reach; None without a goal.
        note: Remarks, such as the reason for a missing number, or that one was scaled.
    """

    work: str
    votes: int
    ours_s: float | None
    peer: str
    peer_s: float | None
    ratio: float | None
    ours_mb: float | None
    goal: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """A pair of jobs to measure.

    Attributes:
        title: Its name.
        job: Job of this library.
        peer: Name and description of the peer.
        theirs: Job of the peer.
        votes: Number of votes.
        number: Orders or rounds.
        goal: Ratio to reach at a million votes, if there is a goal.
        theirs_number: Orders or rounds of the peer where `number` would take minutes; its time is scaled up.
        repeats: Number of runs of each; the best counts.
        own_core: Whether this library is limited to one core and measured in CPU time.
    """

    title: str
    job: str
    peer: str
    theirs: str
    votes: int
    number: int
    goal: float | None
    theirs_number: int = 0
    repeats: int = 3
    own_core: bool = False


_CORE: Final = "evalica, compiled core on shuffled columns"
MILLION: Final = 1_000_000
WORKS: Final = (
    Work("Elo, 100 orders", "elo", _CORE, "evalica elo", MILLION, 100, 20),
    Work("Elo, 100 orders, one core", "elo on one core", _CORE, "evalica elo", MILLION, 100, 12, own_core=True),
    Work("Elo, 100 orders", "elo", "FastChat, vectorised", "fastchat elo", MILLION, 100, 40, repeats=2),
    Work("Elo, 1000 orders", "elo", _CORE, "evalica elo", MILLION, 1000, 25, 50, 2),
    Work("Elo, 1000 orders", "elo", "FastChat, bootstrap", "fastchat elo_bootstrap", MILLION, 1000, 25, 100, 1),
    Work("Elo, 20 orders", "elo", _CORE, "evalica elo", 10 * MILLION, 20, 15, repeats=2),
    Work(
        "Bradley-Terry with intervals",
        "bradley_terry",
        "FastChat, no interval",
        "fastchat bradley_terry",
        MILLION,
        0,
        130,
    ),
    Work("Bradley-Terry with intervals", "bradley_terry", "arena-rank", "arena-rank bradley_terry", MILLION, 0, 180),
    Work("Bradley-Terry, 100 bootstrap rounds", "bootstrap", "FastChat", "fastchat bootstrap", MILLION, 100, 200, 0, 1),
    Work(
        "Bradley-Terry, 100 bootstrap rounds",
        "bootstrap",
        "evalica, compiled core",
        "evalica bootstrap",
        MILLION,
        100,
        35,
    ),
    Work("style-controlled Bradley-Terry", "style", "FastChat, fit alone", "fastchat style", MILLION, 0, 50, repeats=2),
    Work("style-controlled Bradley-Terry", "style", "arena-rank", "arena-rank style", MILLION, 0, 50, repeats=2),
    Work("points, win rates and win matrix", "tables", "pandas, categorical", "pandas tables", MILLION, 0, 40),
    Work("points, win rates and win matrix", "tables", "pandas, one group-by", "pandas at_once", MILLION, 0, None),
)


def sized(work: Work, votes: int, *, quick: bool) -> Work:
    """Scale the work from a million to `votes` votes; when quick, with fewer orders and rounds."""
    size = max(1, work.votes * votes // MILLION)
    number = min(work.number, 8) if quick else work.number
    theirs = min(work.theirs_number, 4) if quick else work.theirs_number
    title = work.title.replace(f"{work.number} ", f"{number} ", 1) if work.number else work.title
    repeats = 1 if quick else work.repeats
    return Work(title, work.job, work.peer, work.theirs, size, number, work.goal, theirs, repeats, work.own_core)


def compare(work: Work, ours: Process, peers: Process) -> Row:
    """Run both in turn and keep the best of each; the first call of this library warms it up and is not measured."""
    asked = work.theirs_number or work.number
    ours.forget()
    try:
        ours.run("load", work.votes, 0)
        ours.run(work.job, min(work.votes, 1000), work.number and 8)
    except NotMeasured as error:
        return _unmeasured(work, None, f"not measured: {error}")
    mine, reason = [ours.run(work.job, work.votes, work.number)], ""
    theirs: list[Timing] = []
    try:
        peers.run(f"{work.theirs.split()[0]} load", work.votes, 0)
        for _ in range(work.repeats):
            theirs.append(peers.run(work.theirs, work.votes, asked))
            mine.append(ours.run(work.job, work.votes, work.number))
    except NotMeasured as error:
        reason = f"not measured: {error}"
    return _row(work, mine, theirs, reason)


def _row(work: Work, mine: list[Timing], theirs: list[Timing], reason: str) -> Row:
    best = min(run.cpu if work.own_core and run.cpu else run.wall for run in mine)
    if not theirs:
        return _unmeasured(work, best, reason, max(run.mb for run in mine))
    used = f"ours used {min(run.cpu for run in mine):.3g} s of CPU time"
    asked = work.theirs_number or work.number
    factor = work.number / asked if asked else 1.0
    peer = factor * min(min(run.wall, run.cpu) if run.cpu else run.wall for run in theirs)
    return Row(
        work=work.title,
        votes=work.votes,
        ours_s=best,
        peer=work.peer,
        peer_s=peer,
        ratio=peer / best,
        ours_mb=max(run.mb for run in mine),
        goal=work.goal,
        note=used if factor == 1 else f"{used}; the peer was run with {asked}, its time scaled",
    )


def _unmeasured(work: Work, ours: float | None, reason: str, mb: float | None = None) -> Row:
    return Row(work.title, work.votes, ours, work.peer, None, None, mb, work.goal, reason)


def first_jobs(repeats: int) -> Iterator[Row]:
    """CPU seconds of a whole process that ranks a small log with a warm compile cache."""
    alone = "numpy and numba alone, as if nothing else were installed; the whole process; the goal is at most 0.5 s"
    among = "the same with all packages that are installed here, some of which numba loads"
    for before, note in ((_ALONE, alone), ("", among)):
        used = min(_process_seconds(before + _FIRST_JOB) for _ in range(repeats + 1))
        yield Row(FIRST_JOB, 1000, used, "", None, None, None, None, note)


def _process_seconds(program: str) -> float:
    command = [sys.executable, "-c", program]
    return measure(lambda: subprocess.run(command, check=True, env=environment())).cpu  # noqa: S603 - own code


def all_rows(ours: Process, peers: Process, votes: int, *, quick: bool) -> Iterator[Row]:
    """Yield each row when it is ready."""
    for work in WORKS:
        yield compare(sized(work, votes, quick=quick), ours, peers)
    yield from first_jobs(0 if quick else 4)

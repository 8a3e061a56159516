"""Benchmark of the rating library: comparison with peers, the first job of a process, and time by length of the log."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from math import nan
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from arena.domain.errors import Unavailable
from benchmarks import ours, peers
from benchmarks.data import synthetic, write
from benchmarks.jobs import Timing, run
from benchmarks.jobs import measure as measured
from benchmarks.processes import NotMeasured, driver, environment
from benchmarks.results import Row

MILLION: Final = 1_000_000
ORDERS: Final = 8
"""Orders of Elo along the curve."""
FORMS: Final = (".svg", ".png")
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
"""Hides all other packages, since numba loads scipy and cffi if they are installed."""
_FIRST_JOB: Final = """
import numpy, arena_rating as rating
left = numpy.arange(1000, dtype=numpy.int32) % 9
ends = left, left + 1, numpy.zeros(1000, numpy.uint8)
log = rating.Comparisons(*ends, None, None, None, tuple("abcdefghij"))
rating.elo_over_orders(log, rating.EloParameters(orders=8), seed=1)
rating.bradley_terry(rating.pair_counts(log))
"""


@dataclass(frozen=True, slots=True)
class Work:
    """A job of this library and the same job of a peer.

    Attributes:
        title: Format string of the name, for the number of orders or rounds.
        job: Job of this library.
        peer: Name and description of the peer.
        theirs: Job of the peer.
        goal: Ratio to reach at a million votes.
        number: Orders or rounds.
        theirs_number: Orders or rounds of the peer if `number` would take minutes; its time is scaled up.
        repeats: Number of runs of each; the best counts.
        own_core: Whether this library is limited to one core and measured in CPU time.
        votes: Number of votes.
    """

    title: str
    job: str
    peer: str
    theirs: str
    goal: float
    number: int = 0
    theirs_number: int = 0
    repeats: int = 3
    own_core: bool = False
    votes: int = MILLION


_CORE: Final = "evalica, compiled core"
_ELO: Final = "Elo, {} orders"
_BT: Final = "Bradley-Terry with intervals"
_BOOTSTRAP: Final = "Bradley-Terry, {} bootstrap rounds"
_STYLE: Final = "style-controlled Bradley-Terry"
_TABLES: Final = "points, win rates and win matrix"
WORKS: Final = (
    Work(_ELO, "elo", _CORE, "evalica elo", 20, 100),
    Work(f"{_ELO}, one core", "elo on one core", _CORE, "evalica elo", 12, 100, own_core=True),
    Work(_ELO, "elo", "FastChat, vectorised", "fastchat elo", 40, 100, repeats=2),
    Work(_ELO, "elo", _CORE, "evalica elo", 25, 1000, 50, 2),
    Work(_ELO, "elo", "FastChat, bootstrap", "fastchat elo_bootstrap", 25, 1000, 100, 1),
    Work(_ELO, "elo", _CORE, "evalica elo", 15, 20, repeats=2, votes=10 * MILLION),
    Work(_BT, "bradley_terry", "FastChat, no interval", "fastchat bradley_terry", 130),
    Work(_BT, "bradley_terry", "arena-rank", "arena-rank bradley_terry", 180),
    Work(_BOOTSTRAP, "bootstrap", "FastChat", "fastchat bootstrap", 200, 100, repeats=1),
    Work(_BOOTSTRAP, "bootstrap", _CORE, "evalica bootstrap", 35, 100),
    Work(_STYLE, "style", "FastChat, fit alone", "fastchat style", 50, repeats=2),
    Work(_STYLE, "style", "arena-rank", "arena-rank style", 50, repeats=2),
    Work(_TABLES, "tables", "pandas, categorical", "pandas tables", 40),
)
_CURVES: Final = (
    (f"Elo, {ORDERS} orders", "elo", ORDERS),
    ("Bradley-Terry from the log", "bradley_terry", 0),
    ("Bradley-Terry from counted pairs", "bradley_terry counted", 0),
)
_PYTHON: Final = "Python with the peers (evalica, pandas, scipy, tqdm, arena-rank); by default this one."
_WORK: Final = "Only works of this title, such as 'Elo, 100 orders'; repeatable. No first jobs and no curves."
_FASTCHAT: Final = "FastChat's fastchat/serve/monitor/rating_systems.py, which is in no package."


def measure(
    votes: Annotated[int, typer.Option(min=1000, help="Size of the log.")] = MILLION,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer orders, one repeat, at most 20,000 votes.")] = False,
    draw: Annotated[Path | None, typer.Option(help="Draw the curves to FILE.svg or FILE.png.")] = None,
    peers_python: Annotated[str, typer.Option(envvar="ARENA_BENCH_PYTHON", help=_PYTHON)] = sys.executable,
    fastchat: Annotated[str, typer.Option(envvar="ARENA_BENCH_FASTCHAT", help=_FASTCHAT)] = "",
    work: Annotated[list[str] | None, typer.Option(help=_WORK)] = None,
) -> Iterator[Row]:
    """Time the rating library and its peers in turn."""
    if draw is not None:
        _check_drawing(draw)
        if work:
            raise NotMeasured("--draw needs the curves, which --work leaves out")
    votes = min(votes, 20_000) if quick else votes
    works = titled(work)
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        write(synthetic(10 * votes), Path(folder), feature_count=votes)
        for pair in works:
            yield compare(with_size(pair, votes, quick=quick), folder, peers_python, fastchat)
        if work:
            return
        yield from first_jobs(0 if quick else 4)
        curves = list(_curves(folder, sizes(votes, quick=quick), 1 if quick else 3))
    yield from curves
    if draw is not None:
        figure(curves).savefig(draw)


def titled(titles: Sequence[str] | None) -> Sequence[Work]:
    """The works of these titles; all without any.

    Raises:
        NotMeasured: A title that no work has.
    """
    names = [work.title.format(work.number) for work in WORKS]
    if unknown := {*(titles or ())} - {*names}:
        raise NotMeasured(f"no work is named {', '.join(sorted(unknown))}; there are {', '.join(dict.fromkeys(names))}")
    return [work for work, name in zip(WORKS, names, strict=True) if not titles or name in titles]


def with_size(work: Work, votes: int, *, quick: bool) -> Work:
    """The work scaled from a million to `votes` votes; if quick, with fewer orders and rounds."""
    size = max(1, work.votes * votes // MILLION)
    if not quick:
        return replace(work, votes=size)
    return replace(work, votes=size, number=min(work.number, 8), theirs_number=min(work.theirs_number, 4), repeats=1)


def compare(work: Work, folder: str, python: str, fastchat: str) -> Row:
    """The best of alternating runs of both, after an unmeasured warm-up of this library."""
    own_timings, peer_timings, reason = list[Timing](), list[Timing](), ""
    with (
        driver(ours, folder, env=environment(), quiet=True) as process,
        driver(peers, folder, fastchat, python=python, env=environment(), quiet=True) as peer,
    ):
        try:
            run(process, "load", work.votes, 0)
            run(process, work.job, min(work.votes, 1000), work.number and 8)
            own_timings.append(run(process, work.job, work.votes, work.number))
            run(peer, f"{work.theirs.split()[0]} load", work.votes, 0)
            for _ in range(work.repeats):
                peer_timings.append(run(peer, work.theirs, work.votes, work.theirs_number or work.number))
                own_timings.append(run(process, work.job, work.votes, work.number))
        except NotMeasured as error:
            reason = f"not measured: {error}"
    return _row(work, own_timings, peer_timings, reason)


def _row(work: Work, own_timings: list[Timing], peer_timings: list[Timing], note: str) -> Row:
    """The ratio of the best times; for the peer the smaller of wall and CPU time, in its favour."""
    fastest = min((timing.cpu if work.own_core and timing.cpu else timing.wall for timing in own_timings), default=nan)
    peer = min((min(timing.wall, timing.cpu or timing.wall) for timing in peer_timings), default=nan)
    scale = work.number / work.theirs_number if work.theirs_number else 1
    if work.theirs_number and peer_timings:
        peer *= scale
        note = f"the peer was run with {work.theirs_number}, its time scaled"
    figures = {"votes": work.votes, "ours_s": fastest, "peer_s": peer}
    if own_timings:
        figures |= {
            "ours_cpu_s": min(timing.cpu for timing in own_timings),
            "peer_cpu_s": min((timing.cpu for timing in peer_timings), default=nan) * scale,
            "ours_mb": max(timing.mb for timing in own_timings),
        }
    title, goal = work.title.format(work.number), f"≥ {work.goal}"
    return Row(work.peer, title, peer / fastest, "×", goal, note, figures)


def first_jobs(repeats: int) -> Iterator[Row]:
    """CPU seconds of a process that ranks a small log with a warm compile cache."""
    for case, imports, goal in (("numpy and numba alone", _ALONE, "≤ 0.5"), ("all packages", "", "")):
        seconds = min(_process_seconds(imports + _FIRST_JOB) for _ in range(repeats + 1))
        yield Row(case, FIRST_JOB, seconds, "s", goal, "numba loads some packages if they are installed")


def _process_seconds(program: str) -> float:
    command = [sys.executable, "-c", program]
    return measured(lambda: subprocess.run(command, check=True, env=environment())).cpu


def sizes(votes: int, *, quick: bool) -> list[int]:
    """Four sizes by powers of ten, up to ten times `votes`, or up to `votes` if quick."""
    largest = votes if quick else 10 * votes
    return [size for power in range(3, -1, -1) if (size := largest // 10**power) >= 1]


def _curves(folder: str, votes: list[int], repeats: int) -> Iterator[Row]:
    """Time by length of the log, the best of several warm runs; linear for Elo, constant from counted pairs."""
    with driver(ours, folder, env=environment()) as process:
        for title, job, number in _CURVES:
            for size in votes:
                run(process, "load", size, 0)
                run(process, job, size, number)
                seconds = min(run(process, job, size, number).wall for _ in range(repeats))
                yield Row(title, f"{size:,} votes", 1000 * seconds, "ms", figures={"votes": size})


def _check_drawing(path: Path) -> None:
    if path.suffix.lower() not in FORMS:
        raise NotMeasured(f"the name of the file to draw must end in {' or '.join(FORMS)}")
    if find_spec("matplotlib") is None:
        raise Unavailable("--draw needs matplotlib: uv sync --group bench, or pip install matplotlib")


def figure(curves: Sequence[Row]) -> Any:  # noqa: ANN401 - a matplotlib Figure, an optional package
    """Plot seconds by number of votes on logarithmic axes, a line per curve."""
    plot: Any = import_module("matplotlib.figure").Figure((7.6, 4.6), dpi=100, layout="constrained")
    axes = plot.subplots()
    for title in dict.fromkeys(row.case for row in curves):
        points = [(row.figures["votes"], row.value / 1000) for row in curves if row.case == title]
        axes.loglog(*zip(*points, strict=True), marker=".", label=title)
    axes.set(xlabel="votes", ylabel="seconds")
    axes.grid(visible=True)
    axes.legend()
    return plot

"""The benchmark of the rating library, and its results as text and as JSON."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.curves import Curve, as_rows, curves, sizes
from benchmarks.data import synthetic, write
from benchmarks.jobs import Process
from benchmarks.rating_rows import Row, all_rows


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters of a run.

    Attributes:
        votes: Size of the log that the goals are stated for; one row and the curves use ten times as many.
        quick: A few seconds only: fewer orders, one repeat, shorter curves.
        python: The Python with the peers.
        fastchat: Path of FastChat's `rating_systems.py`, or "".
    """

    votes: int
    quick: bool
    python: str
    fastchat: str


def measure(plan: Plan, tell: Callable[[Row], None]) -> tuple[list[Row], list[Curve]]:
    """Measure rows and curves; each row is passed to `tell` when it is ready."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-"))
        write(synthetic(10 * plan.votes), Path(folder), featured=plan.votes)
        ours = stack.enter_context(Process("benchmarks.ours", folder))
        peers = stack.enter_context(Process("benchmarks.peers", folder, plan.fastchat, python=plan.python))
        rows: list[Row] = []
        for row in all_rows(ours, peers, plan.votes, quick=plan.quick):
            tell(row)
            rows.append(row)
        drawn = curves(ours, sizes(plan.votes, quick=plan.quick), 1 if plan.quick else 3)
    return rows, drawn


def records(rows: Iterable[Row], drawn: list[Curve]) -> list[dict[str, object]]:
    """Return rows, then points of the curves, as JSON data."""
    return [_rounded(asdict(row)) for row in [*rows, *as_rows(drawn)]]


def _rounded(row: dict[str, object]) -> dict[str, object]:
    return {name: float(f"{value:.5g}") if isinstance(value, float) else value for name, value in row.items()}


HEADING = f"{'work':44} {'votes':>10} {'ours':>10} {'MB':>5} {'peer':>10} {'ratio':>7} {'goal':>5}  peer and notes"


def as_line(row: Row) -> str:
    """Format a row as a line of the table."""
    cells = f"{row.work:44} {row.votes:>10,} {_seconds(row.ours_s):>10} {_number(row.ours_mb):>5}"
    peers = f"{_seconds(row.peer_s):>10} {_number(row.ratio):>7} {_number(row.goal):>5}"
    return f"{cells} {peers}  {'; '.join(filter(None, (row.peer, row.note)))}"


def as_text(curve: Curve) -> str:
    """Format a curve as a line."""
    points = "  ".join(f"{votes:,}: {_seconds(seconds)}" for votes, seconds in curve.points)
    return f"{curve.title}: {points}"


def _seconds(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.2f} ms"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"

"""Time by length of the log: linear for Elo, constant for Bradley-Terry once pairs are counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchmarks.jobs import Process
from benchmarks.rating_rows import Row

ORDERS: Final = 8


@dataclass(frozen=True, slots=True)
class Curve:
    """Seconds by number of votes."""

    title: str
    points: tuple[tuple[int, float], ...]


_JOBS: Final = (
    (f"Elo, {ORDERS} orders", "elo", ORDERS),
    ("Bradley-Terry from the log", "bradley_terry", 0),
    ("Bradley-Terry from counted pairs", "bradley_terry counted", 0),
)


def sizes(votes: int, *, quick: bool) -> list[int]:
    """Sizes of four powers of ten, up to ten times `votes`, or up to `votes` when quick."""
    largest = votes if quick else 10 * votes
    return [size for power in range(3, -1, -1) if (size := largest // 10**power) >= 1]


def curves(ours: Process, votes: list[int], repeats: int) -> list[Curve]:
    """Measure all curves: the best of several warm runs for each point."""
    return [Curve(title, tuple(_points(ours, job, number, votes, repeats))) for title, job, number in _JOBS]


def _points(ours: Process, job: str, number: int, votes: list[int], repeats: int) -> Iterator[tuple[int, float]]:
    for size in votes:
        ours.run("load", size, 0)
        ours.run(job, size, number)
        yield size, min(ours.run(job, size, number).wall for _ in range(repeats))


def as_rows(drawn: list[Curve]) -> list[Row]:
    """Convert the points of the curves to rows without a peer."""
    note = "a point of a curve"
    return [
        Row(curve.title, votes, seconds, "", None, None, None, None, note)
        for curve in drawn
        for votes, seconds in curve.points
    ]

"""The speeds of a pool's models, and the pace that is chosen for a day by them.

Where enough models keep up with a rate, text flows at it. Where they do not, any flow would stop where the slower of
two models stops, and so name it: then text leaves in long segments, whose beats tell little. The figures behind the
constants are those of `uv run benchmarks blindness`, see docs/benchmarks.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RATES: Final = (60, 90, 120, 180, 240, 320)
"""Rates to choose from, in units a second: at each, models that keep up can hardly be told apart."""
USUAL: Final = 240
"""Rate of a pool of which nothing is known."""
ENOUGH: Final = 0.8
"""Share of the models that have to sustain a rate."""
EARLIEST: Final = 0.5
LATEST: Final = 2.0
"""Bounds of the start in seconds: a later one would cost the median voter more than a second."""
COARSE_RATE: Final = 120
COARSE_SEGMENT: Final = 4.0
"""Rate, and seconds of a segment, of a pool of which too few models sustain any rate."""
_SHORTEST: Final = 0.1
"""Seconds of writing; answers are read once per frame."""
_LENGTH: Final = 600
"""Units of an answer by which models are compared where all are slow."""


ANSWERS: Final = 20
"""Fewest answers from which a speed is measured."""
LONG: Final = 200
"""Fewest units of an answer whose rate counts: a short one comes at once."""


class Speed(NamedTuple):
    """Speed of one model: nine of ten answers begin within `first` seconds, nine of ten reach `rate` units a second."""

    first: float
    rate: float


@dataclass(frozen=True, slots=True)
class PoolPace:
    """The pace of a pool: see `Pace`; `slow` is the slower class of its models.

    `sustained` has the share of models by rate, that of the pool among them; it is empty while no speed is known.
    """

    rate: int = USUAL
    start: float = 1.8
    segment: float = 0.0
    slow: tuple[int, ...] = ()
    sustained: Mapping[int, float] = field(default_factory=dict[int, float])


class TimedAnswer(NamedTuple):
    """The length of an answer, and the milliseconds from its call to its first text and to its end."""

    units: int
    first_token_ms: int
    total_ms: int


def speed_of(answers: Iterable[TimedAnswer], fewest: int = ANSWERS) -> Speed | None:
    """The speed that these answers show; None if `fewest` of them are not long enough."""
    answers = list(answers)
    written = [(units, (total - first) / 1000) for units, first, total in answers if units >= LONG]
    rates = [units / max(seconds, _SHORTEST) for units, seconds in written]
    if len(rates) < fewest:
        return None
    return Speed(_ninth(answer.first_token_ms / 1000 for answer in answers), -_ninth(-rate for rate in rates))


def pool_pace(speeds: Mapping[int, Speed], by_hand: int = 0) -> PoolPace:
    """The pace for models with these speeds, by their numbers; with none known the usual one.

    A rate set `by_hand` stays, however few models sustain it.
    """
    if not speeds:
        return PoolPace(rate=by_hand or USUAL)
    sustained = {rate: share_at(speeds, rate) for rate in sorted({*RATES, by_hand or USUAL})}
    able = [rate for rate in RATES if sustained[rate] >= ENOUGH]
    start = min(max(_ninth(speed.first for speed in speeds.values()), EARLIEST), LATEST)
    if not able and not by_hand:
        return PoolPace(COARSE_RATE, start, COARSE_SEGMENT, _slower_half(speeds), sustained)
    rate = by_hand or max(able)
    slow = tuple(sorted(number for number, (first, pace) in speeds.items() if pace < rate or first > start))
    return PoolPace(rate, start, 0.0, slow, sustained)


def share_at(speeds: Mapping[int, Speed], rate: int) -> float:
    """Share of the models that sustain a rate."""
    return sum(speed.rate >= rate for speed in speeds.values()) / len(speeds)


def _ninth(values: Iterable[float]) -> float:
    """The 90th percentile, one of the values."""
    ordered = sorted(values)
    return ordered[ceil(0.9 * len(ordered)) - 1]


def _slower_half(speeds: Mapping[int, Speed]) -> tuple[int, ...]:
    ordered = sorted(speeds, key=lambda number: speeds[number].first + _LENGTH / speeds[number].rate)
    return tuple(sorted(ordered[len(ordered) // 2 :]))

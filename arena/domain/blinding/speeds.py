"""The speeds of a pool's models, and the pace of a day that follows from them.

If enough models sustain a rate, text is released at it. If they do not, the pauses of the slower model would identify
it, so text is released in long segments, whose beats reveal little. The constants come from `uv run benchmarks
blindness`, see docs/benchmarks.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RATES: Final = (60, 90, 120, 180, 240, 320)
"""Rates to choose from, in units per second; at each, models that sustain it can hardly be distinguished."""
USUAL: Final = 240
"""Rate of a pool without measured speeds."""
SUSTAINING_SHARE: Final = 0.8
"""Share of the models that have to sustain a rate."""
EARLIEST: Final = 0.5
LATEST: Final = 2.0
"""Bounds of the start in seconds; a later start would cost the median voter more than a second."""
COARSE_RATE: Final = 120
COARSE_SEGMENT: Final = 4.0
"""Rate, and seconds of a segment, of a pool in which too few models sustain any rate."""
_SHORTEST: Final = 0.1
"""Least seconds between first and last text; answers are read once per frame, so shorter times are not measured."""
_LENGTH: Final = 600
"""Units of the answer whose time classes models as slow where too few sustain any rate."""
ANSWERS: Final = 20
"""Fewest answers from which a speed is measured."""
MIN_MEASURED_UNITS: Final = 200
"""Fewest units of an answer whose rate is measured; a shorter one may arrive in one piece."""


class Speed(NamedTuple):
    """Speed of one model: 90 % of answers begin within `first` seconds, 90 % reach `rate` units per second."""

    first: float
    rate: float


@dataclass(frozen=True, slots=True)
class PoolPace:
    """The pace of a pool: see `Pace`; `slow` has the models of the slower class.

    `sustained`: share of the models that sustain each rate, the pool's included; empty without measured speeds.
    """

    rate: int = USUAL
    start: float = 1.8
    segment: float = 0.0
    slow: tuple[int, ...] = ()
    sustained: Mapping[int, float] = field(default_factory=dict[int, float])


class TimedAnswer(NamedTuple):
    """The length of an answer, and milliseconds from the call to its first text and to its end."""

    units: int
    first_token_ms: int
    total_ms: int


def speed_of(answers: Iterable[TimedAnswer], fewest: int = ANSWERS) -> Speed | None:
    """The speed of a model, from its answers; None if fewer than `fewest` of them are `MIN_MEASURED_UNITS`."""
    answers = list(answers)
    timings = [(units, (total - first) / 1000) for units, first, total in answers if units >= MIN_MEASURED_UNITS]
    rates = [units / max(seconds, _SHORTEST) for units, seconds in timings]
    if len(rates) < fewest:
        return None
    first = _percentile_90(answer.first_token_ms / 1000 for answer in answers)
    return Speed(first, -_percentile_90(-rate for rate in rates))


def pool_pace(speeds: Mapping[int, Speed], by_hand: int = 0) -> PoolPace:
    """The pace for models with these speeds, by number of the endpoint; the default pace if there are none.

    A rate set `by_hand` is used even if few models sustain it; 0 means none.
    """
    if not speeds:
        return PoolPace(rate=by_hand or USUAL)
    sustained = {rate: share_at(speeds, rate) for rate in sorted({*RATES, by_hand or USUAL})}
    usable = [rate for rate in RATES if sustained[rate] >= SUSTAINING_SHARE]
    start = min(max(_percentile_90(speed.first for speed in speeds.values()), EARLIEST), LATEST)
    if not usable and not by_hand:
        return PoolPace(COARSE_RATE, start, COARSE_SEGMENT, _slower_half(speeds), sustained)
    rate = by_hand or max(usable)
    slow = tuple(sorted(number for number, (first, pace) in speeds.items() if pace < rate or first > start))
    return PoolPace(rate, start, 0.0, slow, sustained)


def share_at(speeds: Mapping[int, Speed], rate: int) -> float:
    """Share of the models that sustain a rate."""
    return sum(speed.rate >= rate for speed in speeds.values()) / len(speeds)


def _percentile_90(values: Iterable[float]) -> float:
    """The 90th percentile by nearest rank."""
    ordered = sorted(values)
    return ordered[ceil(0.9 * len(ordered)) - 1]


def _slower_half(speeds: Mapping[int, Speed]) -> tuple[int, ...]:
    ordered = sorted(speeds, key=lambda number: speeds[number].first + _LENGTH / speeds[number].rate)
    return tuple(sorted(ordered[len(ordered) // 2 :]))

"""Two classes of twenty mock models that differ only in timing: fast services, and a spread of speeds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.blinding.speeds import Speed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

COUNT: Final = 20
_NINTH: Final = math.exp(1.2816)
"""The factor by which the 90th percentile of a lognormal variable with a deviation of 1 exceeds its median."""
_ORDER: Final = (7, 15, 2, 11, 19, 4, 13, 0, 9, 17, 6, 12, 1, 18, 5, 14, 3, 10, 16, 8)
"""Ranks of the first-token times in the order of rates, so that both are independent."""


@dataclass(frozen=True, slots=True)
class Mock:
    """Timing of a model.

    Attributes:
        first: Median seconds to the first text.
        rate: Median characters per second.
        chunk: Characters per piece.
        jitter: Standard deviation between answers of the logarithms of `first` and `rate`; twice that of each pause.
    """

    first: float
    rate: float
    chunk: int
    jitter: float

    @property
    def speed(self) -> Speed:
        """Its speed as the arena measures it."""
        return Speed(self.first * _NINTH**self.jitter, self.rate / _NINTH**self.jitter)

    def pieces(self, length: int, rng: Random) -> Iterator[tuple[float, int]]:
        """Draw (seconds, characters) of the pieces of an answer."""
        pause = self.chunk / (self.rate * rng.lognormvariate(0, self.jitter))
        moment = self.first * rng.lognormvariate(0, self.jitter)
        for start in range(0, length, self.chunk):
            yield moment, min(self.chunk, length - start)
            moment += pause * rng.lognormvariate(0, 2 * self.jitter)


def _mocks(firsts: tuple[float, float], rates: tuple[float, float]) -> tuple[Mock, ...]:
    """Mocks with first-token times and rates evenly spaced on a logarithmic scale."""
    first, rate = (
        [low * (high / low) ** (step / (COUNT - 1)) for step in range(COUNT)] for low, high in (firsts, rates)
    )
    return tuple(
        Mock(first[_ORDER[number]], rate[number], (5, 8, 12, 20, 40)[number % 5], (0.15, 0.2, 0.25)[number % 3])
        for number in range(COUNT)
    )


MOCKS: Final = {"fast": _mocks((0.03, 1.5), (400, 2_400)), "spread": _mocks((0.1, 9), (20, 250))}
"""Mocks by class: 400 to 2,400 characters per second, and 20 to 250."""

"""Twenty mock models that differ in timing only, from the fastest of today's services to slow reasoning models."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.adapters.providers.base import Chunk
from arena.domain.terms import Finish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from random import Random

    from arena.adapters.providers.base import Target
    from arena.domain.blinding.pacing import Pace
    from arena.domain.terms import Message

LENGTH: Final = 600
"""Characters of every answer."""
SURELY: Final = 1.5
"""A model that writes so many times as fast as the common rate sustains it."""
_P90: Final = 1.2816


@dataclass(frozen=True, slots=True)
class Mock:
    """Timing of a model.

    Attributes:
        first: Median seconds to the first text.
        rate: Median characters per second.
        chunk: Characters per piece.
        jitter: Standard deviation of the logarithm of both between answers; single pauses have twice as much.
    """

    name: str
    first: float
    rate: float
    chunk: int
    jitter: float

    def in_step(self, pace: Pace) -> bool:
        """Whether 90 % of its answers begin before the common start, and it sustains the common rate."""
        early = self.first * math.exp(_P90 * self.jitter) <= pace.start
        return early and self.rate >= SURELY * pace.characters / pace.interval

    def pieces(self, rng: Random) -> Iterator[tuple[float, int]]:
        """Draw seconds to wait and characters to send, until the answer is complete."""
        pause = self.chunk / (self.rate * rng.lognormvariate(0, self.jitter))
        yield self.first * rng.lognormvariate(0, self.jitter), self.chunk
        for sent in range(self.chunk, LENGTH, self.chunk):
            yield pause * rng.lognormvariate(0, 2 * self.jitter), min(self.chunk, LENGTH - sent)


MOCKS: Final = (
    Mock("sprinter", 0.15, 1500, 40, 0.15),
    Mock("hare", 0.25, 800, 16, 0.20),
    Mock("swift", 0.30, 320, 8, 0.15),
    Mock("falcon", 0.35, 450, 12, 0.25),
    Mock("magpie", 0.40, 260, 5, 0.20),
    Mock("heron", 0.45, 210, 10, 0.15),
    Mock("dolphin", 0.50, 300, 60, 0.20),
    Mock("starling", 0.55, 180, 5, 0.25),
    Mock("otter", 0.60, 150, 8, 0.15),
    Mock("lynx", 0.70, 240, 12, 0.20),
    Mock("badger", 0.80, 120, 5, 0.20),
    Mock("whale", 0.90, 170, 100, 0.20),
    Mock("donkey", 1.00, 110, 8, 0.15),
    Mock("stork", 1.10, 200, 25, 0.20),
    Mock("ox", 1.25, 95, 6, 0.15),
    Mock("bear", 1.40, 140, 40, 0.15),
    Mock("tortoise", 0.60, 48, 5, 0.15),
    Mock("snail", 0.90, 30, 5, 0.20),
    Mock("owl", 4.00, 190, 8, 0.25),
    Mock("sage", 9.00, 260, 16, 0.25),
)


class Mocks:
    """Provider of all mocks, whose wire model is their number; `sealed` ones send the whole answer at its end."""

    def __init__(self, rng: Random, *, sealed: bool = False) -> None:
        self._rng, self._sealed = rng, sealed

    async def stream(self, target: Target, messages: Sequence[Message]) -> AsyncIterator[Chunk]:  # noqa: ARG002 - the interface
        """Stream an answer of the mock."""
        clock = asyncio.get_running_loop().time
        due, pieces = clock(), list(MOCKS[int(target.wire_model)].pieces(self._rng))
        if self._sealed:
            pieces = [(sum(wait for wait, _ in pieces), LENGTH)]
        for wait, size in pieces:
            due += wait
            await asyncio.sleep(due - clock())
            yield Chunk(text="x" * size)
        yield Chunk(finish=Finish.STOP)

"""Battles of mocks with the arena's pacing, in virtual time, as their readers see them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from math import inf
from typing import TYPE_CHECKING

from arena.domain.blinding.pacing import Pacer
from arena.domain.terms import Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from arena.domain.blinding.pacing import Pace
    from benchmarks.blindness.mocks import Mock

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """One battle as its reader sees it, in seconds since the prompt.

    Attributes:
        pair: Numbers of the two mocks, in the order of the sides.
        pieces: Arrival and number of characters of each piece, per side.
        end: Arrival of the event that opens the vote.
    """

    pair: Pair
    pieces: dict[Side, list[tuple[float, int]]]
    end: float

    @property
    def start(self) -> float:
        """Arrival of the first text."""
        return min(pieces[0][0] for pieces in self.pieces.values())


def play(mocks: Sequence[Mock], pair: Pair, pace: Pace, length: int, rng: Random) -> Seen:
    """Run a battle in which both answers have `length` characters; minutes take milliseconds."""
    pacer = Pacer(pace, inf)
    pieces_of_side = {
        side: list(mocks[number].pieces(length, rng))[::-1] for side, number in zip(Side, pair, strict=True)
    }
    pieces: dict[Side, list[tuple[float, int]]] = {side: [] for side in Side}
    for tick in count():
        now = tick * pace.interval
        for side, queue in pieces_of_side.items():
            while queue and queue[-1][0] <= now:
                pacer.feed(side, "x" * queue.pop()[1])
                if not queue:
                    pacer.end(side)
        for side, text in pacer.frame(now).text.items():
            pieces[side].append((now, len(text)))
        if pacer.finished:
            return Seen(pair, pieces, now)
    raise AssertionError

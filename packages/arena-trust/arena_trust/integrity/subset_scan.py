"""The subset scan: the part of a log, told by up to three facts, whose scores on a model differ most from the rest.

A part is a conjunction of sets of values, such as "new voters, on the 3rd or 4th, within 8 seconds". The difference is
a log-likelihood ratio: votes times the Kullback-Leibler divergence of their mean score from the expected one, inside
and outside. Of all sets of values of one fact the best one is found without trying all, since it consists of the
values with the highest mean differences (Neill 2012, fast subset scan); facts are chosen one after another, each given
the others, until nothing improves. Each set costs the logarithm of the number of sets of its size, each fact that of
the number of facts, so that what is found in an honest log stays near 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from arena_rating import sums_by_code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from arena_trust.integrity.divisions import VoteDivision
    from arena_trust.integrity.model_hits import ModelHits

DEPTH: Final = 3
"""Facts that may be crossed."""
STARTS: Final = 3
"""Facts from which a search starts."""
_ROUNDS: Final = 6
_LEAST_VARIANCE: Final = 0.5
"""Least variance of scores over that without ties."""
_TINY: Final = 1e-9
_HALF: Final = 2.0**26
"""A half of a score in a packed number, above any number of votes on a model."""


class ValueSet(NamedTuple):
    """A set of values of one division, bool [slices + 1], its value for the scan, and its price."""

    values: NDArray[np.bool_]
    value: float
    price: float


@dataclass(slots=True)
class Scores:
    """Scores of a model's votes in one direction: `score` and `expected` [k], with the division codes of each vote.

    `scale` allows for ties, which make scores vary less than wins and losses. `columns` [k, 2] has 1 and the
    score packed in one number, whose sums are exact, and the expected score, so that one pass sums all three.
    """

    score: NDArray[np.float64]
    expected: NDArray[np.float64]
    codes: Mapping[str, tuple[NDArray[np.integer], int]]
    scale: float
    columns: NDArray[np.float64] = field(init=False)
    every: NDArray[np.intp] = field(init=False)
    totals: tuple[float, float, float] = field(init=False)

    def __post_init__(self) -> None:
        """Sum up all votes."""
        self.columns = np.stack([1 + 2 * _HALF * self.score, self.expected], axis=1)
        self.every = np.arange(len(self.score))
        self.totals = float(len(self.score)), float(self.score.sum()), float(self.expected.sum())

    def best(self, name: str, chosen: NDArray[np.intp] | None = None) -> ValueSet | None:
        """The best set of values of a division among some votes; None if no value is above expectation."""
        slices = self.codes[name][1]
        votes, score, expected = self.sums(name, chosen)
        above = np.flatnonzero(score > expected)
        if not len(above):
            return None
        order = above[np.argsort(-((score - expected)[above] / votes[above]), kind="stable")]
        inside = votes[order].cumsum(), score[order].cumsum(), expected[order].cumsum()
        number = int((votes > 0).sum())
        price = _set_prices(number)[: len(order)]
        value = self.ratio(*inside) - price
        best = int(value.argmax())
        values = np.zeros(slices + 1, np.bool_)
        values[order[: best + 1]] = True
        return ValueSet(values, float(value[best]), float(price[best]))

    def ratio(
        self, votes: NDArray[np.float64], score: NDArray[np.float64], expected: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Log-likelihood ratios of parts with these sums against one common board."""
        outside = self.totals[0] - votes, self.totals[1] - score, self.totals[2] - expected
        return self.scale * (_divergence(votes, score, expected) + _divergence(*outside))

    def inside(self, sets: Mapping[str, NDArray[np.bool_]], without: str = "") -> NDArray[np.bool_]:
        """Whether each vote is in all sets but that of one division, bool [k]."""
        mask = np.ones(len(self.score), np.bool_)
        for name, values in sets.items():
            if name != without:
                mask &= values[self.codes[name][0]]
        return mask

    def sums(
        self, name: str, chosen: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Numbers, scores and expected scores of some votes, by default all, by value of a division, [slices] each."""
        code, slices = self.codes[name]
        sums, expected = sums_by_code(code, self.every if chosen is None else chosen, self.columns, slices + 1)[:-1].T
        halves = np.floor(sums / _HALF)
        return sums - halves * _HALF, halves / 2, expected

    def rows(self, sets: Mapping[str, NDArray[np.bool_]], without: str = "") -> NDArray[np.intp]:
        """Places of the votes in all sets but that of one division."""
        return np.flatnonzero(self.inside(sets, without))

    def climb(self, start: str, first: ValueSet) -> tuple[float, dict[str, NDArray[np.bool_]]]:
        """The value and the sets of the best conjunction that is reached from one set."""
        sets, prices, value = {start: first.values}, {start: first.price}, first.value
        for _ in range(_ROUNDS):
            steps = self._steps(sets, prices)
            if not steps:
                break
            best, name, choice = max(steps, key=lambda step: step[0])
            if best <= value + _TINY:
                break
            value, sets[name], prices[name] = best, choice.values, choice.price
        return value, sets

    def _steps(
        self, sets: Mapping[str, NDArray[np.bool_]], prices: Mapping[str, float]
    ) -> list[tuple[float, str, ValueSet]]:
        """The value and the best set of each division, given the sets of the others."""
        names = [name for name in self.codes if name in sets or len(sets) < DEPTH]
        common = self.rows(sets) if len(sets) < DEPTH else None
        steps: list[tuple[float, str, ValueSet]] = []
        for name in names:
            if choice := self.best(name, self.rows(sets, name) if name in sets else common):
                others = sum(price for other, price in prices.items() if other != name)
                facts = len({*sets, name}) - 1
                steps.append((choice.value - others - math.log(len(self.codes)) * facts, name, choice))
        return steps


@dataclass(frozen=True, slots=True, eq=False)
class VotePart:
    """A part of the votes whose scores on a model are above (or, with `down`, below) what the rest says.

    `value` is the log-likelihood ratio less its price; `sets` has the values by division.
    """

    model: int
    down: bool
    value: float
    sets: dict[str, NDArray[np.bool_]]
    scores: Scores


def scan(
    hits: ModelHits, expected: NDArray[np.float64], divisions: Mapping[str, VoteDivision], models: int
) -> list[VotePart]:
    """The best part in each direction."""
    codes = {name: (division.code[hits.rows], division.slices) for name, division in divisions.items()}
    fair = float(expected.mean())
    ties = float((hits.score == 0.5).mean())
    scale = 1 / max(_LEAST_VARIANCE, 1 - ties / 4 / max(fair * (1 - fair), _TINY))
    price = math.log(2 * models * max(1, len(divisions)))
    parts: list[VotePart] = []
    for down in (False, True):
        score, chance = (1 - hits.score, 1 - expected) if down else (hits.score, expected)
        scores = Scores(score, chance, codes, scale)
        starts = [(choice.value, name, choice) for name in codes if (choice := scores.best(name))]
        starts.sort(key=lambda start: -start[0])
        climbed = [scores.climb(name, choice) for _, name, choice in starts[:STARTS]]
        if climbed:
            value, sets = max(climbed, key=lambda climb: climb[0])
            parts.append(VotePart(hits.model, down, value - price, sets, scores))
    return parts


@cache
def _set_prices(number: int) -> NDArray[np.float64]:
    """Logarithms of the numbers of sets of 1, 2, … of so many values, and of the number of sizes, [number]."""
    logs = np.array([math.lgamma(count + 1) for count in range(number + 1)])
    return logs[number] - logs[1:] - logs[-2::-1] + math.log(max(number, 1))


def _divergence(
    votes: NDArray[np.float64], score: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Votes times the divergence of their mean score from the expected one; 0 without votes."""
    count = np.maximum(votes, _TINY)
    mean, fair = np.clip(score / count, _TINY, 1 - _TINY), np.clip(expected / count, _TINY, 1 - _TINY)
    divergence = mean * np.log(mean / fair) + (1 - mean) * np.log((1 - mean) / (1 - fair))
    return np.where(votes > _TINY, votes * divergence, 0.0)

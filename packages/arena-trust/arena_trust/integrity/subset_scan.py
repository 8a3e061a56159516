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
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from arena_rating import sums_by_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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


Sets = Mapping[str, "NDArray[np.bool_]"]
"""Sets of values by division, bool [slices + 1] each."""


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
    all_rows: NDArray[np.intp] = field(init=False)
    totals: tuple[float, float, float] = field(init=False)
    choices: dict[tuple[str, bytes], ValueSet | None] = field(init=False)

    def __post_init__(self) -> None:
        """Sum up all votes."""
        self.choices = {}
        self.columns = np.stack([1 + 2 * _HALF * self.score, self.expected], axis=1)
        self.all_rows = np.arange(len(self.score))
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

    def inside(self, sets: Sets) -> NDArray[np.bool_]:
        """Whether each vote is in all sets, bool [k]."""
        mask = np.ones(len(self.score), np.bool_)
        for name, values in sets.items():
            mask &= values[self.codes[name][0]]
        return mask

    def sums(
        self, name: str, chosen: NDArray[np.intp] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Numbers, scores and expected scores of some votes, by default all, by value of a division, [slices] each."""
        code, slices = self.codes[name]
        rows = self.all_rows if chosen is None else chosen
        sums, expected = sums_by_code(code, rows, self.columns, slices + 1)[:-1].T
        halves = np.floor(sums / _HALF)
        return sums - halves * _HALF, halves / 2, expected

    def contrast(self, sets: Sets) -> tuple[float, float]:
        """The log-likelihood ratio of the votes in all sets, and the variance of their difference from the others."""
        inside, information = self.inside(sets), self.expected * (1 - self.expected)
        variance = sum(1 / max(float(information[mask].sum()), _TINY) for mask in (inside, ~inside))
        columns = (np.ones(len(inside)), self.score, self.expected)
        return float(self.ratio(*(np.array([float(column[inside].sum())]) for column in columns))[0]), variance

    def climb(self, start: str, first: ValueSet) -> tuple[float, dict[str, NDArray[np.bool_]]]:
        """The value and the sets of the best conjunction that is reached from one set."""
        chosen, masks, value = {start: first}, {start: first.values[self.codes[start][0]]}, first.value
        for _ in range(_ROUNDS):
            steps = self._steps(chosen, masks)
            if not steps:
                break
            best, name, choice = max(steps, key=lambda step: step[0])
            if best <= value + _TINY:
                break
            value, chosen[name], masks[name] = best, choice, choice.values[self.codes[name][0]]
        return value, {name: choice.values for name, choice in chosen.items()}

    def _steps(
        self, chosen: Mapping[str, ValueSet], masks: Mapping[str, NDArray[np.bool_]]
    ) -> list[tuple[float, str, ValueSet]]:
        """The value and the best set of each division, given the sets of the others and whose votes they have [k]."""
        names = [name for name in self.codes if name in chosen or len(chosen) < DEPTH]
        common = _in_all(masks.values()) if len(chosen) < DEPTH else b""
        steps: list[tuple[float, str, ValueSet]] = []
        for name in names:
            inside = _in_all(masks[other] for other in masks if other != name) if name in chosen else common
            if choice := self._best_among(name, inside):
                others = sum(entry.price for other, entry in chosen.items() if other != name)
                facts = len({*chosen, name}) - 1
                steps.append((choice.value - others - math.log(len(self.codes)) * facts, name, choice))
        return steps

    def _best_among(self, name: str, inside: bytes) -> ValueSet | None:
        """`best` among the votes of a mask [k] as bytes, empty for all; several climbs ask for the same."""
        if (name, inside) not in self.choices:
            rows = np.flatnonzero(np.frombuffer(inside, np.bool_)) if inside else None
            self.choices[name, inside] = self.best(name, rows)
        return self.choices[name, inside]


def _in_all(masks: Iterable[NDArray[np.bool_]]) -> bytes:
    """Whether each vote is in all masks [k], as bytes; empty without a mask."""
    return b"".join(mask.tobytes() for mask in [*accumulate(masks, np.logical_and)][-1:])


class VotePart(NamedTuple):
    """A part of the votes whose scores on a model are above (or, with `down`, below) what the rest says.

    It has no column of votes: a search keeps the parts of all models.

    Attributes:
        model: The model.
        down: Whether the scores are below.
        value: Log-likelihood ratio of the best sets less their price.
        sets: The values by division, bool [slices + 1] each.
        gain: Log-likelihood ratio of `sets`.
        variance: Variance of the difference in strength between the part and the rest.
    """

    model: int
    down: bool
    value: float
    sets: Sets
    gain: float
    variance: float


def scan(
    hits: ModelHits,
    expected: NDArray[np.float64],
    divisions: Mapping[str, VoteDivision],
    models: int,
    trim: Callable[[Scores, Sets], Sets] = lambda _, sets: sets,
) -> list[VotePart]:
    """The best part in each direction, with its sets as `trim` leaves them."""
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
            parts.append(VotePart(hits.model, down, value - price, sets := trim(scores, sets), *scores.contrast(sets)))
    return parts


@cache
def _log_factorials(bits: int) -> NDArray[np.float64]:
    """Logarithms of the factorials of all numbers of so many bits, [2^bits]: few tables serve all numbers of values."""
    return np.array([math.lgamma(number + 1) for number in range(1 << bits)])


def _set_prices(number: int) -> NDArray[np.float64]:
    """Logarithms of the numbers of sets of 1, 2, … of so many values, and of the number of sizes, [number]."""
    logs = _log_factorials(number.bit_length())[: number + 1]
    return logs[number] - logs[1:] - logs[-2::-1] + math.log(max(number, 1))


def _divergence(
    votes: NDArray[np.float64], score: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Votes times the divergence of their mean score from the expected one; 0 without votes."""
    count = np.maximum(votes, _TINY)
    mean, fair = _inner(score / count), _inner(expected / count)
    divergence = mean * np.log(mean / fair) + (1 - mean) * np.log((1 - mean) / (1 - fair))
    return np.where(votes > _TINY, votes * divergence, 0.0)


def _inner(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares without 0 and 1: what `np.clip` returns, which takes half as long again for a few numbers."""
    return np.minimum(np.maximum(shares, _TINY), 1 - _TINY)

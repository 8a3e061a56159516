"""Judgements and questions that are missing to tell two models apart: one definition for all sentences and tables.

The variance of a mean of judgements is that between questions and that of the judgements of each. More judgements of
the same questions lessen the second alone, so where the first is too much, only more questions tell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from arena_rating.clusters import MAX_FURTHER, MIN_CLUSTERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_EFFORT: Final = 2.0
"""Judgements of the same questions for each of new ones above which new questions are what is missing."""


class Needs(NamedTuple):
    """About how many further judgements would tell, or else how many further questions; None if not known."""

    judgements: int | None = None
    questions: int | None = None


@dataclass(frozen=True, slots=True)
class Judgements:
    """Judgements, the questions that they judge, and all that can be judged.

    `between` is the part of the variance that stays however many people judge the same questions.
    """

    number: int
    questions: int
    all_questions: int = MIN_CLUSTERS
    between: float = 0.0

    @property
    def missing_questions(self) -> int:
        """Questions that are missing for any claim."""
        return max(0, MIN_CLUSTERS - max(self.all_questions, self.questions))

    def needs(self, times: float, least: int = 0) -> Needs:
        """Work that is missing for `times` the information, and for `least` judgements in all.

        Further judgements are spread as before, first over questions that nobody has judged; further questions get as
        many judgements each as the present ones.
        """
        if self.missing_questions:
            return Needs(questions=self.missing_questions)
        times = max(times, MIN_CLUSTERS / max(self.questions, 1))
        growth = max(self._growth(times), least / max(self.number, 1))
        if growth > _MOST_EFFORT * max(times, least / max(self.number, 1)):
            return Needs(questions=_count(self.questions * times - self.all_questions))
        return Needs(judgements=_count(self.number * (growth - 1)))

    def _growth(self, times: float) -> float:
        """The number of judgements, in present ones, that gives `times` the information without further questions."""
        reach = max(self.all_questions / max(self.questions, 1), 1)
        if times <= reach:
            return times
        rest = 1 / times - self.between / reach
        return (1 - self.between) / rest if rest > 0 else math.inf


def _count(number: float) -> int | None:
    return max(1, math.ceil(number)) if number <= MAX_FURTHER else None


def design_effect(score: NDArray[np.float64], item: NDArray[np.int32], person: NDArray[np.int32]) -> float:
    """The design effect of clusters on the variance of the mean; if all scores are equal, judgements per item."""
    n, residual = len(score), score - score.mean()
    total = float((residual**2).sum())
    if total == 0:
        return n / len(np.unique(item))
    return max(
        1.0,
        (_clustered_sum(residual, item) + _clustered_sum(residual, person) - total) / total,
        _clustered_sum(residual, item) / total,
    )


def _clustered_sum(residual: NDArray[np.float64], cluster: NDArray[np.int32]) -> float:
    """Sum of the squared sums by cluster, with the factor for their number; for one cluster, as if independent."""
    sums = np.bincount(np.unique(cluster, return_inverse=True)[1], residual)
    return float((sums**2).sum()) * len(sums) / (len(sums) - 1) if len(sums) > 1 else float((residual**2).sum())


def part_between(residual: NDArray[np.float64], item: NDArray[np.int32], effect: float) -> float:
    """The part of the variance of a mean that is between items, by the products of residuals of one item.

    `effect` is the design effect of that variance. It is all where too few items have several judgements to tell.
    """
    place = np.unique(item, return_inverse=True)[1]
    sums, number, total = np.bincount(place, residual), np.bincount(place), float((residual**2).sum())
    products = float((number * (number - 1)).sum())
    if total == 0 or products < len(number):
        return 1.0
    variance = max(0.0, (float((sums**2).sum()) - total) / products)
    factor = len(number) / max(len(number) - 1, 1)
    return min(1.0, factor * variance * float((number**2).sum()) / (total * effect))

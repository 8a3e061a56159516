"""Duels: the share of a pair's comparisons that the first model wins, its interval, and whether one is better.

Judgements of one item depend on each other, as do those of one person. The variance is two-way clustered by item and
person (Cameron, Gelbach, Miller 2011), with a factor G / (G - 1) for G clusters. Its ratio to that of independent
judgements is the design effect, at least 1, by which Wilson's interval divides their number.

A report is read while people judge, so an interval that excludes 1/2 proves nothing. One is called better where the
judgements, so divided, are 20 times as likely by a uniform mixture of shares as by 1/2: for independent judgements of
mean 1/2, ties being 1/2, that happens at any look in at most 5 % (Ville 1939, Robbins 1970). It needs no large numbers,
but the design effect does: below `MIN_CLUSTERS` questions nothing is claimed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import wilson
from arena.domain.terms import Outcome
from arena.evaluations.domain.schemas.evaluation_reports import DuelView
from arena.evaluations.usecases.reports.neighbours import LEVEL, NORMAL
from arena_rating.clusters import MAX_FURTHER, MIN_CLUSTERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.usecases.reports.columns import ReportColumns

MAX_PAIRS: Final = 45
"""Most pairs to list: those of ten models."""
_SCORES: Final = {Outcome.A.value: 1.0, Outcome.B.value: 0.0}
_EVEN: Final = 0.5
_PROOF: Final = -math.log(1 - LEVEL)
_STEPS: Final = 60
"""Halvings of a range, down to the last bits of a float."""


def duels_of(log: ReportColumns) -> list[DuelView]:
    """The pairs that were compared, in the order of the models; none if they are more than `MAX_PAIRS`."""
    mask = log.is_judged & ~log.repeat
    item, person = log.item[mask], log.person[mask]
    score = np.array([_SCORES.get(value, _EVEN) for value in log.values] or [_EVEN])[log.code[mask]]
    first, second = log.first[item], log.second[item]
    pairs: list[tuple[int, int]] = sorted(set(zip(first.tolist(), second.tolist(), strict=True)))
    if len(pairs) > MAX_PAIRS:
        return []
    return [
        compare_scores(
            (log.models[a], log.models[b]),
            score[is_pair],
            item[is_pair],
            person[is_pair],
            questions=log.questions,
        )
        for a, b in pairs
        if (is_pair := (first == a) & (second == b)).any()
    ]


def compare_scores(
    names: tuple[str, str],
    score: NDArray[np.float64],
    item: NDArray[np.int32],
    person: NDArray[np.int32],
    *,
    questions: int = MIN_CLUSTERS,
) -> DuelView:
    """The duel of two models by the first one's scores [n] with their items and people.

    `questions` is the number of those on which the two can be judged at all, judged or not.
    """
    n, value = len(score), float(score.mean())
    independent = n / design_effect(score, item, person)
    low, high = wilson(value, independent, NORMAL)
    items = len(np.unique(item))
    significant, missing = is_excluded(_EVEN, value, independent, items), max(0, MIN_CLUSTERS - questions)
    more = None if missing else further_judgements(value, n, independent, items)
    return DuelView(
        first=names[0],
        second=names[1],
        judgements=n,
        wins=int((score == 1).sum()),
        ties=int((score == _EVEN).sum()),
        losses=int((score == 0).sum()),
        share=value,
        low=max(0.0, low),
        high=min(1.0, high),
        significant=significant,
        more=0 if significant else more,
        independent=independent,
        items=items,
        missing_questions=missing,
    )


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


def is_excluded(chance: float, value: float, number: float, items: int) -> bool:
    """Whether `number` independent judgements with the share `value` exclude the share `chance`, at any look."""
    return items >= MIN_CLUSTERS and mixture(value, number, chance) >= _PROOF


def mixture(value: float, number: float, chance: float = _EVEN) -> float:
    """Logarithm of how much likelier a share `value` of `number` judgements is by all shares alike than by `chance`."""
    won = value * number
    beta = math.lgamma(won + 1) + math.lgamma(number - won + 1) - math.lgamma(number + 2)
    return beta - won * math.log(chance) - (number - won) * math.log(1 - chance)


def further_judgements(value: float, n: int, independent: float, items: int, chance: float = _EVEN) -> int | None:
    """Further judgements, spread as before, that exclude `chance` at the same share; None if (nearly) equal."""
    if value == chance:
        return None
    low, high = 0.0, 50.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if mixture(value, math.exp(middle), chance) >= _PROOF else (middle, high)
    further = n * (max(math.exp(high) / independent, MIN_CLUSTERS / items) - 1)
    return max(1, math.ceil(further)) if further <= MAX_FURTHER else None

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
from arena.evaluations.domain.schemas.evaluation_reports import DuelView, NeighbourView
from arena.evaluations.usecases.reports.columns import EVEN
from arena.evaluations.usecases.reports.needs import Judgements, Needs, design_effect, part_between
from arena.evaluations.usecases.reports.neighbours import LEVEL, NORMAL
from arena_rating.clusters import MIN_CLUSTERS, MIN_VOTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from arena.evaluations.usecases.reports.columns import ReportColumns

MAX_PAIRS: Final = 45
"""Most pairs to list: those of ten models."""
_PROOF: Final = -math.log(1 - LEVEL)
_STEPS: Final = 60
"""Halvings of a range, down to the last bits of a float."""


def duels_of(log: ReportColumns) -> list[DuelView]:
    """The pairs that were compared, in the order of the models; none if they are more than `MAX_PAIRS`."""
    mask = log.is_judged & ~log.repeat
    item, person = log.item[mask], log.person[mask]
    score = log.points[mask]
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


def needs_of_duel(neighbours: list[NeighbourView], duels: Sequence[DuelView]) -> list[NeighbourView]:
    """The neighbours; two models that are alone need what their duel says, in sum `MIN_VOTES` judgements at least."""
    if len(neighbours) != 1 or len(duels) != 1 or not neighbours[0].tie or duels[0].significant:
        return neighbours
    (duel,), more = duels, duels[0].more
    needs = {
        "more": None if more is None else max(more, MIN_VOTES - duel.judgements),
        "more_questions": duel.missing_questions or duel.more_questions,
    }
    return [neighbours[0].model_copy(update=needs)]


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
    effect = design_effect(score, item, person)
    independent, items = n / effect, len(np.unique(item))
    low, high = wilson(value, independent, NORMAL)
    significant = is_excluded(EVEN, value, independent, items)
    judgements = Judgements(n, items, max(questions, items), part_between(score - value, item, effect))
    needs = Needs(0) if significant else judgements.needs(times_to_exclude(EVEN, value, independent))
    return DuelView(
        first=names[0],
        second=names[1],
        judgements=n,
        wins=int((score == 1).sum()),
        ties=int((score == EVEN).sum()),
        losses=int((score == 0).sum()),
        share=value,
        low=max(0.0, low),
        high=min(1.0, high),
        significant=significant,
        more=needs.judgements,
        more_questions=None if judgements.missing_questions else needs.questions,
        independent=independent,
        items=items,
        questions=judgements.all_questions,
        between=judgements.between,
        missing_questions=judgements.missing_questions,
    )


def is_excluded(chance: float, value: float, number: float, items: int) -> bool:
    """Whether `number` independent judgements with the share `value` exclude the share `chance`, at any look."""
    return items >= MIN_CLUSTERS and mixture(value, number, chance) >= _PROOF


def mixture(value: float, number: float, chance: float = EVEN) -> float:
    """Logarithm of how much likelier a share `value` of `number` judgements is by all shares alike than by `chance`."""
    won = value * number
    beta = math.lgamma(won + 1) + math.lgamma(number - won + 1) - math.lgamma(number + 2)
    return beta - won * math.log(chance) - (number - won) * math.log(1 - chance)


def times_to_exclude(chance: float, value: float, number: float) -> float:
    """How many times `number` independent judgements exclude `chance` at the same share; infinite if (nearly) equal."""
    if value == chance:
        return math.inf
    low, high = 0.0, 50.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if mixture(value, math.exp(middle), chance) >= _PROOF else (middle, high)
    return math.exp(high) / number

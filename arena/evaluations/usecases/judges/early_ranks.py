"""Early ranks from few judgements by people and many by a judge, by prediction-powered inference.

Their intervals hold whatever the judge does, and are narrower the more it agrees with people. They enter no board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena.evaluations.domain.judges.outcomes import TIE
from arena.evaluations.domain.judges.statistics import labels_of
from arena.evaluations.domain.schemas.judges import EarlyModelView, EarlyRanksView, EstimateView
from arena_rating import BadComparisons, Comparisons
from arena_rating.research.prediction_powered import PoweredScores, prediction_powered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.usecases.judges.judged_pairs import JudgedPairs

FEWEST: Final = 20
"""Fewest pairs that people and the judge have judged."""
_Z: Final = 1.959964


def early_ranks(outcome: NDArray[np.int64], pairs: JudgedPairs) -> EarlyRanksView | None:
    """Ranks by people and one judge, by its `outcome` [pairs]; None without pairs that it alone has judged.

    Without a majority of people a pair is a tie. Turns before the last are left out, as people judge the last one.
    """
    human = np.where((pairs.people < 0) & np.isfinite(pairs.agreement), TIE, pairs.people)
    by_both = (outcome >= 0) & (human >= 0)
    by_judge_alone = (outcome >= 0) & (human < 0) & pairs.is_last
    if by_both.sum() < FEWEST or not by_judge_alone.any():
        return None
    people, judge, judge_alone = (
        _comparisons(labels, mask, pairs)
        for labels, mask in ((human, by_both), (outcome, by_both), (outcome, by_judge_alone))
    )
    try:
        scores = prediction_powered(people, judge, judge_alone)
        people_only = prediction_powered(people, judge, judge_alone.where(np.zeros(len(judge_alone), np.bool_)))
    except BadComparisons:
        return None
    return _view(scores, people_only)


def _comparisons(labels: NDArray[np.int64], mask: NDArray[np.bool_], pairs: JudgedPairs) -> Comparisons:
    columns = (pairs.first[mask].astype(np.int32), pairs.second[mask].astype(np.int32))
    return Comparisons(*columns, labels_of(labels[mask]).astype(np.uint8), None, None, None, pairs.models)


def _view(scores: PoweredScores, people_only: PoweredScores) -> EarlyRanksView:
    low, high = scores.rank_sets(seed=0)
    people_low, people_high = people_only.rank_sets(seed=0)
    half_width = _Z * np.sqrt(np.diag(scores.covariance))
    value, least, most = (np.clip(scores.score + end * half_width, 0.0, 1.0) for end in (0, -1, 1))
    order: list[int] = np.argsort(-scores.score, kind="stable").tolist()
    rows = [
        EarlyModelView(
            name=scores.names[place],
            score=EstimateView(
                value=float(value[place]), low=float(least[place]), high=float(most[place]), n=scores.people
            ),
            rank_low=int(low[place]),
            rank_high=int(high[place]),
            people_low=int(people_low[place]),
            people_high=int(people_high[place]),
        )
        for place in order
        if np.isfinite(scores.score[place])
    ]
    return EarlyRanksView(people=scores.people, judged=scores.judged, weight=scores.weight, models=rows)

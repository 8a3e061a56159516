"""Early ranks from few answers by people and many by a judge, which say what they rest on.

They are prediction-powered: true whatever the judge does, and as narrow as it is like people. They stand in a report
and are never part of a board of people.
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
"""Pairs with an answer by people below which nothing is said."""
_Z: Final = 1.959964


def early_ranks(outcome: NDArray[np.int64], pairs: JudgedPairs) -> EarlyRanksView | None:
    """Ranks by people and one judge, by its `outcome` [pairs]; None without pairs that it alone has judged.

    People without a majority on a pair have said a tie. Turns before the last are left out: people judge the whole.
    """
    human = np.where((pairs.people < 0) & np.isfinite(pairs.agreement), TIE, pairs.people)
    by_both = (outcome >= 0) & (human >= 0)
    by_judge = (outcome >= 0) & (human < 0) & pairs.is_last
    if by_both.sum() < FEWEST or not by_judge.any():
        return None
    people, judge, judge_alone = (
        _log(labels, mask, pairs) for labels, mask in ((human, by_both), (outcome, by_both), (outcome, by_judge))
    )
    try:
        scores = prediction_powered(people, judge, judge_alone)
        unaided = prediction_powered(people, judge, judge_alone.where(np.zeros(len(judge_alone), np.bool_)))
    except BadComparisons:
        return None
    return _view(scores, unaided)


def _log(labels: NDArray[np.int64], mask: NDArray[np.bool_], pairs: JudgedPairs) -> Comparisons:
    columns = (pairs.first[mask].astype(np.int32), pairs.second[mask].astype(np.int32))
    return Comparisons(*columns, labels_of(labels[mask]).astype(np.uint8), None, None, None, pairs.models)


def _view(scores: PoweredScores, unaided: PoweredScores) -> EarlyRanksView:
    low, high = scores.rank_sets(seed=0)
    alone_low, alone_high = unaided.rank_sets(seed=0)
    half_width = _Z * np.sqrt(np.diag(scores.covariance))
    order: list[int] = np.argsort(-scores.score, kind="stable").tolist()
    rows = [
        EarlyModelView(
            name=scores.names[place],
            score=EstimateView(
                value=float(scores.score[place]),
                low=float(scores.score[place] - half_width[place]),
                high=float(scores.score[place] + half_width[place]),
                n=scores.people,
            ),
            rank_low=int(low[place]),
            rank_high=int(high[place]),
            people_low=int(alone_low[place]),
            people_high=int(alone_high[place]),
        )
        for place in order
        if np.isfinite(scores.score[place])
    ]
    return EarlyRanksView(people=scores.people, judged=scores.judged, weight=scores.weight, models=rows)

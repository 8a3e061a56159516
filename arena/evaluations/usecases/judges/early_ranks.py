"""Early ranks from few answers by people and many by a judge, which say what they rest on.

They are prediction-powered: true whatever the judge does, and as narrow as it is like people. They stand in a report
and are never part of a board of people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena.evaluations.domain.judges.outcomes import TIE
from arena.evaluations.domain.judges.statistics import labelled
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
    human = np.where((pairs.people < 0) & np.isfinite(pairs.agreed), TIE, pairs.people)
    both = (outcome >= 0) & (human >= 0)
    alone = (outcome >= 0) & (human < 0) & pairs.whole
    if both.sum() < FEWEST or not alone.any():
        return None
    people, same, others = (
        _log(labels, chosen, pairs) for labels, chosen in ((human, both), (outcome, both), (outcome, alone))
    )
    try:
        scores = prediction_powered(people, same, others)
        without = prediction_powered(people, same, others.where(np.zeros(len(others), np.bool_)))
    except BadComparisons:
        return None
    return _view(scores, without)


def _log(labels: NDArray[np.int64], chosen: NDArray[np.bool_], pairs: JudgedPairs) -> Comparisons:
    columns = (pairs.first[chosen].astype(np.int32), pairs.second[chosen].astype(np.int32))
    return Comparisons(*columns, labelled(labels[chosen]).astype(np.uint8), None, None, None, pairs.models)


def _view(scores: PoweredScores, without: PoweredScores) -> EarlyRanksView:
    low, high = scores.rank_sets(seed=0)
    alone_low, alone_high = without.rank_sets(seed=0)
    half = _Z * np.sqrt(np.diag(scores.covariance))
    order: list[int] = np.argsort(-scores.score, kind="stable").tolist()
    rows = [
        EarlyModelView(
            name=scores.names[place],
            score=EstimateView(
                value=float(scores.score[place]),
                low=float(scores.score[place] - half[place]),
                high=float(scores.score[place] + half[place]),
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

"""Models as a judge sees them: won and lost pairs, and ratings with and without the advantage of length."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from arena.domain.statistics.proportions import share
from arena.evaluations.domain.judges.merging import TIE
from arena.evaluations.domain.schemas.judges import EstimateView, JudgedModelView
from arena_rating import Comparisons, RatingError, bradley_terry, pair_counts, style_bradley_terry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.domain.statistics.proportions import Share
    from arena.evaluations.domain.annotators.chance_agreement import Coefficient
    from arena.evaluations.domain.judges.merging import Merged
    from arena.evaluations.usecases.judges.judged_pairs import Pairs


def models_of(merged: Merged, pairs: Pairs) -> list[JudgedModelView]:
    """The models, the highest rating first."""
    raw, at_length = _ratings(merged, pairs)
    views = [_model(number, merged.outcome, pairs, raw, at_length) for number in range(len(pairs.models))]
    return sorted(views, key=lambda view: -(view.rating if view.rating is not None else -math.inf))


def _model(
    number: int,
    outcome: NDArray[np.int64],
    pairs: Pairs,
    raw: NDArray[np.float64],
    at_length: NDArray[np.float64],
) -> JudgedModelView:
    known, mine, theirs = outcome >= 0, pairs.first == number, pairs.second == number
    won = known & ((mine & (outcome == 0)) | (theirs & (outcome == 1)))
    tied, met = known & (mine | theirs) & (outcome >= TIE), known & (mine | theirs)
    kept = won | tied
    return JudgedModelView(
        name=pairs.models[number],
        pairs=int(met.sum()),
        wins=int(won.sum()),
        ties=int(tied.sum()),
        losses=int(met.sum() - kept.sum()),
        first_turn=estimate(share(int((kept & ~pairs.later).sum()), int((met & ~pairs.later).sum()))),
        later_turns=estimate(share(int((kept & pairs.later).sum()), int((met & pairs.later).sum()))),
        rating=finite(raw[number]),
        rating_at_length=finite(at_length[number]),
    )


def _ratings(merged: Merged, pairs: Pairs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ratings as they are, and with the difference of lengths held at 0; nan where there is no fit."""
    known = merged.outcome >= 0
    columns = pairs.first[known].astype(np.int32), pairs.second[known].astype(np.int32)
    log = Comparisons(*columns, merged.outcome[known].astype(np.uint8), merged.votes[known], None, None, pairs.models)
    longer = pairs.longer_by[known].astype(np.float64)[:, None]
    nothing = np.full(len(pairs.models), np.nan)
    try:
        return bradley_terry(pair_counts(log)).rating, style_bradley_terry(log, longer, feature_names=["length"]).rating
    except RatingError:
        return nothing, nothing


def estimate(found: Share) -> EstimateView:
    """A share as it is shown."""
    ends = {"value": finite(found.value), "low": finite(found.low), "high": finite(found.high)}
    return EstimateView(**ends, n=found.total)


def coefficient(found: Coefficient) -> EstimateView:
    """A coefficient as it is shown."""
    ends = {"value": finite(found.value), "low": finite(found.low), "high": finite(found.high)}
    return EstimateView(**ends, n=found.items)


def finite(value: float) -> float | None:
    """A number, or none where it is not defined."""
    return float(value) if math.isfinite(value) else None

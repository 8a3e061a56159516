"""The report on predictors: what `prediction` has found, as everybody may see it."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from arena.evaluations.domain.schemas.predictors import (
    CorrelationView,
    ExpectedView,
    MixPartView,
    MixView,
    PredictionView,
    PredictorsView,
    PredictorView,
)
from arena.evaluations.store import judgements

if TYPE_CHECKING:
    from datetime import datetime

    from arena.adapters.store.engine import Database
    from arena.evaluations.domain.predictors import Correlation, Prediction, Predictor
    from arena.evaluations.usecases.predictors.prediction import Board, Predicted


async def publish_predictions(database: Database, found: Predicted, now: datetime) -> PredictorsView:
    """Show a report to everybody, in the place of the one before."""
    report = view(found, now)
    await database.write(judgements.add_prediction, report.model_dump(mode="json"), now)
    return report


def view(found: Predicted, now: datetime) -> PredictorsView:
    """All boards, and forecasts of models without votes."""
    expected = [
        ExpectedView(model=each.model, evaluation=each.evaluation, **asdict(each.forecast)) for each in found.expected
    ]
    boards = [_board(board, each) for board, each in found.boards.items()]
    return PredictorsView(created_at=now, boards=boards, expected=expected)


def _board(board: Board, found: Prediction) -> PredictionView:
    return PredictionView(
        category=board.category,
        language=board.language,
        predictors=[_predictor(each) for each in found.predictors],
        mixed=len(found.mixed),
        mix=_mix(found),
    )


def _predictor(found: Predictor) -> PredictorView:
    both = found.correlations
    return PredictorView(
        name=found.name,
        models=found.models,
        pearson=_correlation(both.pearson),
        spearman=_correlation(both.spearman),
        kendall=_correlation(both.kendall),
        variation=_finite(found.variation),
    )


def _mix(found: Prediction) -> MixView | None:
    mix = found.mix
    if mix is None:
        return None
    bands = zip(found.predictors, mix.weights, mix.bands, strict=True)
    return MixView(
        correlation=mix.correlation,
        low=min(mix.left_out_correlation),
        high=max(mix.left_out_correlation),
        exploratory=mix.exploratory,
        parts=[MixPartView(name=each.name, weight=weight, low=low, high=high) for each, weight, (low, high) in bands],
    )


def _correlation(found: Correlation) -> CorrelationView:
    values: dict[str, Any] = asdict(found)
    return CorrelationView(**{name: _finite(value) for name, value in values.items()})


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None

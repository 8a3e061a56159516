"""Evaluations as predictors of the arena's boards, and forecasts of ratings of models before their first vote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, NamedTuple

import numpy as np
from sqlalchemy.orm import Session

from arena.adapters.store import snapshots
from arena.adapters.store.engine import Database
from arena.domain.errors import NoBoard
from arena.domain.schemas.leaderboard import StandingsView
from arena.evaluations.domain.predictors.forecast import Forecast, forecast
from arena.evaluations.domain.predictors.prediction import Prediction, Predictor, predict
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
from arena.evaluations.usecases.predictors.prediction_scores import Scores, scores_in


class BoardKey(NamedTuple):
    """A board by its category and language; both are empty for all votes."""

    category: str
    language: str

    def __str__(self) -> str:
        return " ".join(filter(None, self)) or "all votes"


OVERALL: Final = BoardKey("", "")
BOARD: Final = "board"
"""The kind of a snapshot's part with the board of a category or language."""


@dataclass(frozen=True, slots=True)
class ExpectedRating:
    """A forecast by one evaluation for a model without a rating; it enters no board."""

    model: str
    evaluation: str
    forecast: Forecast


@dataclass(frozen=True, slots=True)
class BoardPredictions:
    """Predictions of each board, and the forecasts for the overall one."""

    boards: dict[BoardKey, Prediction]
    expected: tuple[ExpectedRating, ...]


async def predict_boards(database: Database, names: Sequence[str], *, seed: int) -> BoardPredictions:
    """Correlate scores by people and judges in evaluations with the boards of the newest snapshot.

    Raises:
        EvaluationNotFound: There is none of one of these names.
        NoBoard: No board is published.
    """
    scores: dict[str, Scores] = {}
    for name in dict.fromkeys(names):
        scores |= {title: values for title, values in await scores_in(database, name) if values}
    boards = await database.read(_boards)
    return BoardPredictions(
        {board: predict(scores, ratings, rng=np.random.default_rng(seed)) for board, ratings in boards.items()},
        tuple(_forecasts(scores, boards[OVERALL])),
    )


async def publish_predictions(database: Database, predictions: BoardPredictions, now: datetime) -> PredictorsView:
    """Publish a report in place of the previous one, and keep the tables by capability of that."""
    return await database.write(_publish, view(predictions, now), now)


def _publish(session: Session, report: PredictorsView, now: datetime) -> PredictorsView:
    previous = PredictorsView.model_validate(judgements.newest_prediction(session) or {})
    result = report.model_copy(update={"capabilities": previous.capabilities})
    judgements.add_prediction(session, result.model_dump(mode="json"), now)
    return result


def view(predictions: BoardPredictions, now: datetime) -> PredictorsView:
    """All boards, and forecasts of models without votes."""
    return PredictorsView(
        created_at=now,
        boards=[_prediction(board, prediction) for board, prediction in predictions.boards.items()],
        expected=[
            ExpectedView(model=rating.model, evaluation=rating.evaluation, **asdict(rating.forecast))
            for rating in predictions.expected
        ],
    )


def _boards(session: Session) -> dict[BoardKey, Scores]:
    newest = snapshots.newest(session)
    if newest is None or newest.payload is None:
        raise NoBoard("The arena has published no board of battles yet, with which scores are compared.")
    row = snapshots.newest_with_parts(session)
    parts = [part for part in snapshots.parts_of(session, row.id) if part.kind == BOARD] if row else []
    return {OVERALL: _ratings(newest.payload)} | {
        BoardKey(part.category or "", part.language or ""): _ratings(part.payload) for part in parts if part.payload
    }


def _ratings(payload: str) -> Scores:
    rows = StandingsView.model_validate_json(payload).rows
    return {row.name: row.bt for row in rows if row.bt is not None and row.component == 0}


def _forecasts(scores: dict[str, Scores], board: Scores) -> Iterator[ExpectedRating]:
    """Forecasts for models with a score and without a rating, if enough models have both."""
    for evaluation, values in scores.items():
        models = sorted(values.keys() & board.keys())
        judge, people = (np.array([column[model] for model in models], np.float64) for column in (values, board))
        for model in sorted(values.keys() - board.keys()):
            estimate = forecast(judge, people, values[model])
            if estimate is not None:
                yield ExpectedRating(model, evaluation, estimate)


def _prediction(board: BoardKey, prediction: Prediction) -> PredictionView:
    return PredictionView(
        category=board.category,
        language=board.language,
        predictors=[_predictor(predictor) for predictor in prediction.predictors],
        mixed=len(prediction.mixed),
        mix=_mix(prediction),
    )


def _predictor(predictor: Predictor) -> PredictorView:
    coefficients = predictor.correlations
    return PredictorView(
        name=predictor.name,
        models=predictor.models,
        pearson=CorrelationView.model_validate(coefficients.pearson),
        spearman=CorrelationView.model_validate(coefficients.spearman),
        kendall=CorrelationView.model_validate(coefficients.kendall),
        pearson_p=predictor.pearson_p,
        spearman_p=predictor.spearman_p,
        pearson_student_p=predictor.pearson_student_p,
        spearman_student_p=predictor.spearman_student_p,
        variation=predictor.variation,
    )


def _mix(prediction: Prediction) -> MixView | None:
    mix = prediction.mix
    if mix is None:
        return None
    bands = zip(prediction.predictors, mix.weights, mix.bands, strict=True)
    return MixView(
        correlation=mix.correlation,
        low=min(mix.left_out_correlation),
        high=max(mix.left_out_correlation),
        exploratory=mix.exploratory,
        parts=[MixPartView(name=part.name, weight=weight, low=low, high=high) for part, weight, (low, high) in bands],
    )

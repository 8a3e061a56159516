"""Evaluations as predictors of the arena's boards, and ratings expected of models before their first vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from arena.adapters.store import snapshots
from arena.domain.errors import NoBoard
from arena.domain.schemas.leaderboard import StandingsView
from arena.evaluations.domain.predictors import Prediction, predict
from arena.evaluations.domain.predictors.forecast import Forecast, forecast
from arena.evaluations.usecases.predictors.prediction_scores import scores_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.evaluations.usecases.predictors.prediction_scores import Scores


class Board(NamedTuple):
    """A board by its category and language; both are empty for all votes."""

    category: str
    language: str

    def __str__(self) -> str:
        return " ".join(filter(None, self)) or "all votes"


OVERALL: Final = Board("", "")
_BOARD: Final = "board"
"""The kind of a snapshot's part that is the board of a category or language."""


@dataclass(frozen=True, slots=True)
class ExpectedRating:
    """A forecast of one evaluation for a model that is not on the board; it is no rating and on no board."""

    model: str
    evaluation: str
    forecast: Forecast


@dataclass(frozen=True, slots=True)
class Predicted:
    """Predictions of each board, and the forecasts for the overall one."""

    boards: dict[Board, Prediction]
    expected: tuple[ExpectedRating, ...]


async def predict_boards(database: Database, names: Sequence[str], *, seed: int) -> Predicted:
    """Compare people's and judges' ratings in evaluations with the boards of the newest snapshot.

    Raises:
        EvaluationNotFound: There is none of one of these names.
        NoBoard: Nothing has been published yet.
    """
    scores: dict[str, Scores] = {}
    for name in dict.fromkeys(names):
        scores |= {which: given for which, given in await scores_in(database, name) if given}
    boards = await database.read(_boards)
    return Predicted(
        {board: predict(scores, ratings, rng=np.random.default_rng(seed)) for board, ratings in boards.items()},
        tuple(_expected(scores, boards[OVERALL])),
    )


def _boards(session: Session) -> dict[Board, Scores]:
    newest = snapshots.newest(session)
    if newest is None or newest.payload is None:
        raise NoBoard
    whole = snapshots.newest_with_parts(session)
    parts = [part for part in snapshots.parts_of(session, whole.id) if part.kind == _BOARD] if whole else []
    return {OVERALL: _ratings(newest.payload)} | {
        Board(part.category or "", part.language or ""): _ratings(part.payload) for part in parts if part.payload
    }


def _ratings(payload: str) -> Scores:
    rows = StandingsView.model_validate_json(payload).rows
    return {row.name: row.bt for row in rows if row.bt is not None and row.component == 0}


def _expected(scores: dict[str, Scores], board: Scores) -> Iterator[ExpectedRating]:
    """Forecasts for models with a score and without a rating, where enough models have both."""
    for evaluation, given in scores.items():
        known = sorted(given.keys() & board.keys())
        judged, people = (np.array([each[model] for model in known], np.float64) for each in (given, board))
        for model in sorted(given.keys() - board.keys()):
            expected = forecast(judged, people, given[model])
            if expected is not None:
                yield ExpectedRating(model, evaluation, expected)

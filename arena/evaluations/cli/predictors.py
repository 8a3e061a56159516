"""`arena predictors`: correlation of scores of evaluations with boards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from arena.cli.terminal.tables import AsJson, show_json
from arena.domain.errors import Invalid
from arena.evaluations.cli.prediction_tables import show_prediction
from arena.evaluations.domain.predictors.prediction import predict
from arena.evaluations.usecases.predictors.score_file import read_scores


def predictors(
    scores: Annotated[Path, typer.Argument(help="CSV or JSON: a column model, and one of scores per evaluation.")],
    board: Annotated[
        list[Path], typer.Option(help="A leaderboard as CSV or JSON; repeatable, for categories and languages.")
    ],
    rating: Annotated[str, typer.Option(help="The board's column to predict.")] = "bt",
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the bootstrap.")] = 0,
    json: AsJson = False,
) -> None:
    """Correlate scores with boards, and find the mix of them that comes nearest, with what single models change."""
    evaluations = read_scores(scores)
    predictions = {
        str(path): predict(evaluations, _ratings(path, rating), rng=np.random.default_rng(seed)) for path in board
    }
    if json:
        show_json(predictions)
        return
    for path, prediction in predictions.items():
        show_prediction(f"{path}: {rating}", prediction)


def _ratings(path: Path, column: str) -> dict[str, float]:
    board = read_scores(path)
    if column not in board:
        raise Invalid(f"{path}: no numbers in a column {column!r}; there are {', '.join(sorted(board))}.")
    return board[column]

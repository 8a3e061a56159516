"""Correlation of every evaluation with one board, and the mix of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arena.evaluations.domain.predictors.correlations import ROUNDS, Correlations, correlations, variation
from arena.evaluations.domain.predictors.mix import Mix, best_mix

if TYPE_CHECKING:
    from collections.abc import Mapping

    Scores = Mapping[str, float]
    """A number for each model by its name."""


@dataclass(frozen=True, slots=True)
class Predictor:
    """One evaluation against a board.

    Attributes:
        name: The evaluation.
        models: How many models have both a score and a rating; the figures rest on these.
        correlations: Its correlations with the ratings.
        variation: Coefficient of variation of its scores; near 0 it hardly tells models apart.
    """

    name: str
    models: int
    correlations: Correlations
    variation: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """All evaluations against one board.

    Attributes:
        predictors: Each evaluation over its own models, the highest Pearson correlation first.
        mixed: The models that all evaluations and the board have, on which the mix rests.
        mix: Weights in the order of `predictors`; None where none is defined.
    """

    predictors: tuple[Predictor, ...]
    mixed: tuple[str, ...]
    mix: Mix | None


def predict(
    evaluations: Mapping[str, Scores], ratings: Scores, *, rng: np.random.Generator, rounds: int = ROUNDS
) -> Prediction:
    """Compare the scores of each evaluation with the ratings of a board, by the names of models."""
    found = [_predictor(name, scores, ratings, rng, rounds) for name, scores in sorted(evaluations.items())]
    found.sort(key=lambda each: -np.nan_to_num(each.correlations.pearson.value, nan=-2))
    common = sorted(set(ratings).intersection(*evaluations.values()))
    table = np.array([[evaluations[each.name][model] for each in found] for model in common])
    rating = np.array([ratings[model] for model in common])
    return Prediction(tuple(found), tuple(common), best_mix(table, rating) if common else None)


def _predictor(name: str, scores: Scores, ratings: Scores, rng: np.random.Generator, rounds: int) -> Predictor:
    models = sorted(scores.keys() & ratings.keys())
    x, y = (np.array([column[model] for model in models], np.float64) for column in (scores, ratings))
    return Predictor(name, len(models), correlations(x, y, rng=rng, rounds=rounds), variation(x))

"""Correlations of evaluations with one board, with bootstrap intervals over models, and the mix of all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.domain.statistics.proportions import Estimate
from arena.evaluations.domain.predictors.mix import Mix, best_mix
from arena_rating.correlations import kendall, pearson, spearman
from arena_rating.student import student_chance

Array = NDArray[np.float64]
Measure = Callable[[Array, Array, Array], Array]
Scores = Mapping[str, float]
"""A number for each model by its name."""

ROUNDS: Final = 2_000
MIN_ROWS: Final = 3
"""Fewest rows; with two, every correlation is 1 or -1."""
MIN_ROWS_FOR_INTERVAL: Final = 8
"""Fewest rows for an interval; the bootstrap of fewer is far too narrow."""
FEWEST_FOR_T: Final = 10
"""Fewest rows for a p-value by Student's t; below, all orders are counted."""
_ROUNDING: Final = 1e-9
_PERFECT: Final = 1 - 1e-12
_ENDS: Final = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Correlations:
    """Pearson's r, Spearman's rho (mid-ranks) and Kendall's tau-b of the same rows."""

    pearson: Estimate
    spearman: Estimate
    kendall: Estimate


def correlations(x: Array, y: Array, *, rng: np.random.Generator, rounds: int = ROUNDS) -> Correlations:
    """Correlate two columns [rows] without nan.

    Bootstrap rounds in which a column is constant are left out of the interval. A coefficient is nan below `MIN_ROWS`
    or with a constant column; its ends are nan below `MIN_ROWS_FOR_INTERVAL` and for a perfect correlation, which no
    draw can change.
    """
    if len(x) < MIN_ROWS:
        empty = Estimate(np.nan, np.nan, np.nan, len(x))
        return Correlations(empty, empty, empty)
    draws = rng.multinomial(len(x), np.full(len(x), 1 / len(x)), size=rounds)
    counts = np.vstack([np.ones(len(x)), draws]).astype(np.float64)
    return Correlations(
        *(_with_interval(measure(x, y, counts), len(x)) for measure in (pearson, spearman, kendall)),
    )


def correlation_test(x: Array, y: Array, measure: Measure = pearson) -> tuple[float, float]:
    """The coefficient of two columns and its two-sided p-value, or nan.

    Below `FEWEST_FOR_T` rows it is exact: the share of all orders of y whose coefficient is as far from 0. Five rows in
    the same order are one of 120 orders, or its reverse: p = .017, where Student's t says 0.
    """
    value, p = student_test(x, y, measure)
    return (value, p) if np.isnan(value) or len(x) >= FEWEST_FOR_T else (value, _exact_chance(x, y, measure))


def _exact_chance(x: Array, y: Array, measure: Measure) -> float:
    """The share of the orders of y [n] with a coefficient at least as far from 0; both coefficients are linear in y."""
    if measure is spearman:
        x, y = _mid_ranks(x), _mid_ranks(y)
    orders = np.array(list(permutations(range(len(y)))), np.int8)
    sums = np.abs((y - y.mean())[orders] @ (x - x.mean()))
    return float((sums >= sums[0] - _ROUNDING * sums.max()).mean())


def _mid_ranks(values: Array) -> Array:
    return (values[:, None] > values).sum(axis=1) + ((values[:, None] == values).sum(axis=1) + 1) / 2


def student_test(x: Array, y: Array, measure: Measure = pearson) -> tuple[float, float]:
    """The coefficient of two columns and its p-value by Student's t with n - 2 degrees of freedom, as papers print it.

    For Spearman's coefficient this is the usual approximation; for few rows both are rough, and nan for a perfect
    order.
    """
    value = float(measure(x, y, np.ones((1, len(x))))[0]) if len(x) >= MIN_ROWS else np.nan
    if not abs(value) < 1:
        return value, 0.0 if len(x) >= FEWEST_FOR_T and not np.isnan(value) else np.nan
    freedom = len(x) - 2
    return value, 2 * student_chance(-abs(value) * math.sqrt(freedom / (1 - value**2)), freedom)


def variation(x: Array) -> float:
    """The coefficient of variation: sample standard deviation over mean; nan below two rows or at mean 0."""
    return float(np.std(x, ddof=1) / np.mean(x)) if len(x) > 1 and np.mean(x) else np.nan


def _with_interval(values: Array, n: int) -> Estimate:
    rounds = values[1:][~np.isnan(values[1:])]
    has_interval = len(rounds) > 0 and n >= MIN_ROWS_FOR_INTERVAL and abs(values[0]) < _PERFECT
    low, high = np.percentile(rounds, _ENDS) if has_interval else (np.nan, np.nan)
    return Estimate(float(values[0]), float(low), float(high), n)


@dataclass(frozen=True, slots=True)
class Predictor:
    """One evaluation against a board.

    Attributes:
        name: The evaluation.
        models: Number of models with both a score and a rating, from which the figures are.
        correlations: Its correlations with the ratings.
        pearson_p, spearman_p: Two-sided p-values of `correlation_test`.
        pearson_student_p, spearman_student_p: Those of Student's t, as papers print them.
        variation: Coefficient of variation of its scores; near 0 they hardly distinguish models.
    """

    name: str
    models: int
    correlations: Correlations
    pearson_p: float
    spearman_p: float
    pearson_student_p: float
    spearman_student_p: float
    variation: float


@dataclass(frozen=True, slots=True)
class EvaluationPair:
    """Two evaluations by their names, over the models that have both scores (HumanRankEval, figure 9)."""

    first: str
    second: str
    models: int
    pearson: float
    spearman: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """All evaluations against one board.

    Attributes:
        between: Correlations of each two evaluations.
        predictors: Each evaluation over its own models, the highest Pearson correlation first.
        mixed: The models that all evaluations and the board have, from which the mix is.
        mix: Weights in the order of `predictors`; None where it is not defined.
    """

    between: tuple[EvaluationPair, ...]
    predictors: tuple[Predictor, ...]
    mixed: tuple[str, ...]
    mix: Mix | None


def predict(
    evaluations: Mapping[str, Scores], ratings: Scores, *, rng: np.random.Generator, rounds: int = ROUNDS
) -> Prediction:
    """Correlate the scores of each evaluation with the ratings of a board, by the names of models."""
    predictors = [_predictor(name, scores, ratings, rng, rounds) for name, scores in sorted(evaluations.items())]
    predictors.sort(key=lambda predictor: -np.nan_to_num(predictor.correlations.pearson.value, nan=-2))
    models = sorted(set(ratings).intersection(*evaluations.values()))
    table = np.array([[evaluations[predictor.name][model] for predictor in predictors] for model in models])
    rating = np.array([ratings[model] for model in models])
    pairs = tuple(_pair(a, b, evaluations[a], evaluations[b]) for a, b in combinations(sorted(evaluations), 2))
    return Prediction(pairs, tuple(predictors), tuple(models), best_mix(table, rating) if models else None)


def _pair(first: str, second: str, first_scores: Scores, second_scores: Scores) -> EvaluationPair:
    x, y = (
        np.array([column[model] for model in sorted(first_scores.keys() & second_scores.keys())], np.float64)
        for column in (first_scores, second_scores)
    )
    (r, _), (rho, _) = correlation_test(x, y), correlation_test(x, y, spearman)
    return EvaluationPair(first, second, len(x), r, rho)


def _predictor(name: str, scores: Scores, ratings: Scores, rng: np.random.Generator, rounds: int) -> Predictor:
    models = sorted(scores.keys() & ratings.keys())
    x, y = (np.array([column[model] for model in models], np.float64) for column in (scores, ratings))
    result = correlations(x, y, rng=rng, rounds=rounds)
    chances = [test(x, y, measure)[1] for test in (correlation_test, student_test) for measure in (pearson, spearman)]
    return Predictor(name, len(models), result, *chances, variation(x))  # pyright: ignore[reportCallIssue]

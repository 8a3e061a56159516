"""Tables of predictions on standard output."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from arena.cli.terminal.tables import Cells, TextTable, show, show_tables
from arena.evaluations.domain.predictors.mix import EXPLORATORY_BELOW
from arena.evaluations.domain.predictors.prediction import MIN_ROWS_FOR_INTERVAL, EvaluationPair, Prediction, Predictor
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.statistics.proportions import Estimate
    from arena.evaluations.usecases.predictors.prediction import ExpectedRating


def show_expected(ratings: Sequence[ExpectedRating]) -> None:
    """Print forecasts of ratings of models without votes."""
    if ratings:
        print("Expected before any vote, in points of the board; these are forecasts, not ratings:")
        show(ratings, _rating_cells, json=False)


def show_prediction(title: str, prediction: Prediction) -> None:
    """Print each evaluation's correlations with a board, and their best mix in one sentence."""
    show_tables(TextTable([_predictor(predictor) for predictor in prediction.predictors], title))
    if prediction.between:
        show_tables(TextTable([_pair_cells(pair) for pair in prediction.between], "each with each other"))
    print(_mix(prediction))


def _pair_cells(pair: EvaluationPair) -> Cells:
    return {
        "evaluation": pair.first,
        "beside": pair.second,
        "models": pair.models,
        "Pearson": _chance(pair.pearson),
        "Spearman": _chance(pair.spearman),
    }


def _rating_cells(row: ExpectedRating) -> Cells:
    forecast = row.forecast
    return {
        "model": row.model,
        "by": row.evaluation,
        "rating": f"{forecast.rating:.0f}",
        "interval": f"{forecast.low:.0f} to {forecast.high:.0f} ({forecast.level:.0%})",
        "rests on": amount(forecast.models, "model"),
    }


def _predictor(predictor: Predictor) -> Cells:
    return {
        "evaluation": predictor.name,
        "models": predictor.models,
        "Pearson": _interval(predictor.correlations.pearson),
        "p": _chance(predictor.pearson_p),
        "p by t": _chance(predictor.pearson_student_p),
        "Spearman": _interval(predictor.correlations.spearman),
        "p of Spearman": _chance(predictor.spearman_p),
        "p of Spearman by t": _chance(predictor.spearman_student_p),
        "Kendall": _interval(predictor.correlations.kendall),
        "variation": f"{predictor.variation:.2f}",
    }


def _interval(estimate: Estimate) -> str:
    if not math.isfinite(estimate.value):
        return "undefined"
    if estimate.n < MIN_ROWS_FOR_INTERVAL:
        return f"{estimate.value:.4f} (no interval below {MIN_ROWS_FOR_INTERVAL} models)"
    ends = f" ({estimate.low:.2f} to {estimate.high:.2f})" if math.isfinite(estimate.low) else ""
    return f"{estimate.value:.4f}{ends}"


def _chance(p: float) -> str:
    return f"{p:.4f}" if math.isfinite(p) else ""


def _mix(prediction: Prediction) -> str:
    mix = prediction.mix
    if mix is None:
        models = amount(len(prediction.mixed), "model has", "models have")
        return f"No mix: {models} all scores and a rating, or a score does not vary."
    parts = [
        f"{weight:.3f} {predictor.name} ({low:.2f} to {high:.2f} without one model)"
        for predictor, weight, (low, high) in zip(prediction.predictors, mix.weights, mix.bands, strict=True)
    ]
    correlations = mix.left_out_correlation
    summary = f"r {mix.correlation:.4f}, {min(correlations):.2f} to {max(correlations):.2f} without one model"
    caution = f" Below {EXPLORATORY_BELOW} models this is exploratory only." if mix.exploratory else ""
    return f"Best mix: {' + '.join(parts)}; {summary}. It rests on {amount(len(prediction.mixed), 'model')}.{caution}"

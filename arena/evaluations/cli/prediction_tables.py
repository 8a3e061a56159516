"""Tables of predictions on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table

from arena.cli.text_tables import show
from arena.evaluations.domain.predictors.mix import EXPLORATORY_BELOW
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.domain.statistics.proportions import Estimate
    from arena.evaluations.domain.predictors.prediction import Prediction
    from arena.evaluations.usecases.predictors.prediction import ExpectedRating


def show_expected(found: Sequence[ExpectedRating]) -> None:
    """Print ratings that are expected of models without votes."""
    if not found:
        return
    print("Expected before any vote, in points of the board; these are forecasts, not ratings:")
    table = Table("model", "by", "rating", "interval", "rests on")
    for each in found:
        expected = each.forecast
        interval = f"{expected.low:.0f} to {expected.high:.0f} ({expected.level:.0%})"
        table.add_row(each.model, each.evaluation, f"{expected.rating:.0f}", interval, amount(expected.models, "model"))
    show(table)


def show_prediction(title: str, found: Prediction) -> None:
    """Print each evaluation's correlations with a board, and their best mix in one sentence."""
    table = Table("evaluation", "models", "Pearson", "Spearman", "Kendall", "variation", title=title)
    for each in found.predictors:
        both = each.correlations
        measured = (_interval(both.pearson), _interval(both.spearman), _interval(both.kendall))
        table.add_row(each.name, str(each.models), *measured, f"{each.variation:.2f}")
    show(table)
    print(_mix(found))


def _interval(found: Estimate) -> str:
    return f"{found.value:.4f} ({found.low:.2f} to {found.high:.2f})" if np.isfinite(found.value) else "undefined"


def _mix(found: Prediction) -> str:
    if found.mix is None:
        having = amount(len(found.mixed), "model has", "models have")
        return f"No mix: {having} all scores and a rating, or a score does not vary."
    parts = [
        f"{weight:.3f} {each.name} ({low:.2f} to {high:.2f} without one model)"
        for each, weight, (low, high) in zip(found.predictors, found.mix.weights, found.mix.bands, strict=True)
    ]
    without = found.mix.left_out_correlation
    known = f"r {found.mix.correlation:.4f}, {min(without):.2f} to {max(without):.2f} without one model"
    caution = f" Below {EXPLORATORY_BELOW} models this is exploratory only." if found.mix.exploratory else ""
    return f"Best mix: {' + '.join(parts)}; {known}. It rests on {amount(len(found.mixed), 'model')}.{caution}"

"""Models beside their bases by likelihood, as HumanRankEval compares models before and after tuning (figure 10)."""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.errors import Invalid
from arena.evaluations.domain.schemas.evaluation_reports import BaseView
from arena_rating.student import student_quantile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.evaluations.usecases.likelihood import ScoresById

_LEVEL: Final = 0.95


def bases_of(scores: Mapping[str, ScoresById], bases: Mapping[str, str]) -> list[BaseView]:
    """Each model of `bases` beside its base, in the order given; ranks are among all models.

    Raises:
        Invalid: A model has no likelihoods, or shares no question with its base.
    """
    values = {
        model: {number: score[0] for number, (_, score) in by_id.items() if score} for model, by_id in scores.items()
    }
    return [_view(values, model, base) for model, base in bases.items()]


def _view(values: Mapping[str, Mapping[int, float]], model: str, base: str) -> BaseView:
    for name in (model, base):
        if not values.get(name):
            raise Invalid(f"{name!r} has no likelihoods in this evaluation.")
    common = sorted(values[model].keys() & values[base].keys())
    if not common:
        raise Invalid(f"{model!r} and {base!r} have no question in common.")
    gaps, means = [values[model][number] - values[base][number] for number in common], _means(values)
    low, high = _interval(gaps)
    return BaseView(
        model=model,
        base=base,
        questions=len(common),
        correlation=means[model],
        base_correlation=means[base],
        difference=fmean(gaps),
        low=low,
        high=high,
        rank=1 + sum(value > means[model] for value in means.values()),
        base_rank=1 + sum(value > means[base] for value in means.values()),
    )


def _means(values: Mapping[str, Mapping[int, float]]) -> dict[str, float]:
    return {model: fmean(by_id.values()) for model, by_id in values.items() if by_id}


def _interval(gaps: list[float]) -> tuple[float | None, float | None]:
    """Student's interval of the mean of differences; None for one question."""
    if len(gaps) == 1:
        return None, None
    half = float(student_quantile(_LEVEL, np.array([len(gaps) - 1.0]))[0]) * stdev(gaps) / math.sqrt(len(gaps))
    return fmean(gaps) - half, fmean(gaps) + half

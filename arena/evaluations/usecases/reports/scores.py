"""Scores of single answers: means by criterion and area, and totals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from arena.evaluations.domain.people.protocols import SKIP, protocol, scores
from arena.evaluations.domain.schemas.evaluation_reports import CriterionView, TotalView
from arena_rating.counts import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from arena.evaluations.domain.schemas.evaluations import FormView, ScoredCriterionView
    from arena.evaluations.usecases.reports.columns import ReportColumns


def criterion_scores(
    name: str, log: ReportColumns
) -> Iterator[tuple[FormView, ScoredCriterionView, NDArray[np.float64]]]:
    """The scores of each criterion, float64 [n], nan for annotations without one."""
    form_of, is_judged = log.form[log.item], log.is_judged
    for form in (entry for entry in protocol(name).forms if entry.name in log.forms):
        is_of_form = (form_of == log.forms.index(form.name)) & is_judged
        for place, criterion in enumerate(form.criteria):
            numbers = np.array([_score(value, place) for value in log.values] or [np.nan])
            yield form, criterion, np.where(is_of_form, numbers[log.code], np.nan)


def rated_columns(name: str, log: ReportColumns) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Title and scores of each criterion, float64 [n], nan without one; outcomes are points of the first model."""
    if protocol(name).pairwise:
        yield "", np.where(log.is_judged, log.points, np.nan)
        return
    for form, criterion, column in criterion_scores(name, log):
        yield f"{form.name} {criterion.id}".strip(), column


def criteria_of(name: str, log: ReportColumns) -> list[CriterionView]:
    """Mean scores by model and criterion, over all areas and in each, without hidden repeats."""
    results: list[CriterionView] = []
    for form, criterion, column in criterion_scores(name, log):
        for place, area in [(None, ""), *((place, area) for place, area in enumerate(log.areas) if area)]:
            total, number = _by_model(log, column, place)
            results += [
                CriterionView(
                    model=model,
                    form=form.name,
                    criterion=criterion.id,
                    area=area,
                    mean=float(total[index] / number[index]),
                    most=criterion.high,
                    scores=int(number[index]),
                )
                for index, model in enumerate(log.models)
                if number[index]
            ]
    return results


def totals_of(name: str, log: ReportColumns) -> list[TotalView]:
    """Totals in per cent, highest first (LLMEval-2): mean over areas of points reached by points possible."""
    score, maximum = _points(name, log)
    shape = len(log.models), max(1, len(log.areas))
    cell = np.ravel_multi_index((log.first, log.area), shape)
    points, possible = (np.bincount(cell, column, math.prod(shape)).reshape(shape) for column in (score, maximum))
    is_judged = possible.any(axis=1)
    percent = 100 * np.nanmean(ratio(points[is_judged], possible[is_judged]), axis=1)
    names = np.array(log.models)[is_judged]
    totals = [TotalView(model=str(model), percent=float(value)) for model, value in zip(names, percent, strict=True)]
    return sorted(totals, key=lambda total: -total.percent)


def answer_shares(name: str, log: ReportColumns) -> NDArray[np.float64]:
    """The share of possible points of each answer, mean over people, [items]; nan without a score."""
    return ratio(*_points(name, log))


def annotation_shares(name: str, log: ReportColumns) -> NDArray[np.float64]:
    """The share of possible points that each annotation gives, [n], nan without one; a comparison's by the first."""
    if protocol(name).pairwise:
        return next(rated_columns(name, log))[1]
    points, maximum = np.zeros(len(log.item)), np.zeros(len(log.item))
    for _form, criterion, column in criterion_scores(name, log):
        points += np.nan_to_num(column)
        maximum += criterion.high * ~np.isnan(column)
    return ratio(points, maximum)


def _points(name: str, log: ReportColumns) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of each answer, mean over people, and possible points, [items]; 0 without a score."""
    items = len(log.first)
    points, maximum = np.zeros(items), np.zeros(items)
    for _form, criterion, column in criterion_scores(name, log):
        mask = ~np.isnan(column) & ~log.repeat
        number = np.bincount(log.item[mask], minlength=items)
        points += ratio(np.bincount(log.item[mask], column[mask], items), number, 0.0)
        maximum += criterion.high * (number > 0)
    return points, maximum


def _by_model(
    log: ReportColumns, column: NDArray[np.float64], area: int | None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    mask = ~np.isnan(column) & ~log.repeat
    if area is not None:
        mask &= log.area[log.item] == area
    model = log.first[log.item[mask]]
    total = np.bincount(model, column[mask], len(log.models)).astype(np.float64)
    return total, np.bincount(model, minlength=len(log.models))


def _score(value: str, place: int) -> float:
    numbers = scores(value) if value and value != SKIP else ()
    return float(numbers[place]) if place < len(numbers) else np.nan

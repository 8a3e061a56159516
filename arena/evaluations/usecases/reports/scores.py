"""Scores of single answers: means by criterion and area, and totals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arena.evaluations.domain.people import SKIP, protocol, scores
from arena.evaluations.domain.schemas.evaluations import CriterionView, TotalView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from arena.evaluations.domain.schemas.evaluations import FormView, ScoredCriterionView
    from arena.evaluations.usecases.reports.report_columns import ReportColumns


def criterion_scores(
    name: str, log: ReportColumns
) -> Iterator[tuple[FormView, ScoredCriterionView, NDArray[np.float64]]]:
    """The scores of each criterion, float64 [n], nan where an annotation has none."""
    form_of, judged = log.form[log.item], log.judged
    for form in (entry for entry in protocol(name).forms if entry.name in log.forms):
        mine = (form_of == log.forms.index(form.name)) & judged
        for place, criterion in enumerate(form.criteria):
            said = np.array([_score(value, place) for value in log.values] or [np.nan])
            yield form, criterion, np.where(mine, said[log.code], np.nan)


def criteria_of(name: str, log: ReportColumns) -> list[CriterionView]:
    """Mean scores by model and criterion, over all areas and in each; hidden repeats do not count again."""
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
    """Totals in per cent, highest first (LLMEval-2)."""
    parts: dict[str, dict[str, list[tuple[float, int]]]] = {}
    named = any(log.areas)
    for criterion in criteria_of(name, log):
        if bool(criterion.area) == named:
            parts.setdefault(criterion.model, {}).setdefault(criterion.area, []).append(
                (criterion.mean, criterion.most)
            )
    totals = [TotalView(model=model, percent=_percent(areas)) for model, areas in parts.items()]
    return sorted(totals, key=lambda total: -total.percent)


def answer_shares(name: str, log: ReportColumns) -> NDArray[np.float64]:
    """The share of possible points that each answer reached, as the mean over people, [items]; nan without a score."""
    items = len(log.first)
    total, most = np.zeros(items), np.zeros(items)
    for _form, criterion, column in criterion_scores(name, log):
        kept = ~np.isnan(column) & ~log.repeat
        total += np.bincount(log.item[kept], column[kept], items)
        most += criterion.high * np.bincount(log.item[kept], minlength=items)
    return np.divide(total, most, out=np.full(items, np.nan), where=most > 0)


def _percent(areas: dict[str, list[tuple[float, int]]]) -> float:
    shares = [sum(mean for mean, _ in area) / sum(most for _, most in area) for area in areas.values()]
    return 100 * sum(shares) / len(shares)


def _by_model(
    log: ReportColumns, column: NDArray[np.float64], area: int | None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    kept = ~np.isnan(column) & ~log.repeat
    if area is not None:
        kept &= log.area[log.item] == area
    model = log.first[log.item[kept]]
    total = np.bincount(model, column[kept], len(log.models)).astype(np.float64)
    return total, np.bincount(model, minlength=len(log.models))


def _score(value: str, place: int) -> float:
    said = () if value == SKIP else scores(value)
    return float(said[place]) if place < len(said) else np.nan

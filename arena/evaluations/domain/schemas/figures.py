"""Figures of models by area."""

from __future__ import annotations

import math
from collections.abc import Sequence

from arena.domain.schemas.base import Figure, Wire

_BESIDE = {"elo": "win_rate"}
"""By statistic that needs several comparisons, the one that stands in every area with any."""


class FigureView(Wire):
    """A statistic of a model in an area, an empty one meaning all, from `n` answers or comparisons."""

    statistic: str
    area: str
    model: str
    value: Figure
    n: int


def by_area(figures: Sequence[FigureView]) -> dict[str, list[dict[str, str | float | None]]]:
    """A table by statistic: a row for each area, `""` first, and a column for each model, the best one first.

    Elo has a row without figures for an area with too few comparisons.
    """
    result: dict[str, list[dict[str, str | float | None]]] = {}
    for statistic in dict.fromkeys(figure.statistic for figure in figures):
        rows = [figure for figure in figures if figure.statistic == statistic]
        beside = [figure for figure in figures if figure.statistic == _BESIDE.get(statistic)]
        cells = {(figure.area, figure.model): figure.value for figure in rows}
        models = dict.fromkeys(figure.model for figure in sorted(rows, key=lambda row: (row.area, -(row.value or 0))))
        result[statistic] = [
            {"area": area, **{model: cells.get((area, model)) for model in models}}
            for area in dict.fromkeys(figure.area for figure in [*beside, *rows])
        ]
    return result


def combined_table(figures: Sequence[FigureView]) -> list[dict[str, str | float | None]]:
    """One table of all statistics: a row for each area and statistic, a column for each model.

    Models are in the order of the first statistic, then those that only later ones have.
    """
    tables = by_area(figures)
    models = dict.fromkeys(name for lines in tables.values() for name in lines[0] if name != "area")
    return [
        {"area": area, "statistic": statistic, **{model: line.get(model) for model in models}}
        for area in dict.fromkeys(figure.area for figure in figures)
        for statistic, lines in tables.items()
        for line in lines
        if line["area"] == area
    ]


def leaders(figures: Sequence[FigureView]) -> dict[str, list[str]]:
    """The models with the highest figure over all areas, by statistic; equal ones are all first."""
    totals = [figure for figure in figures if not figure.area and figure.value is not None]
    highest = {figure.statistic: -math.inf for figure in totals}
    for figure in totals:
        highest[figure.statistic] = max(highest[figure.statistic], figure.value or 0)
    return {
        statistic: [figure.model for figure in totals if figure.statistic == statistic and (figure.value or 0) == value]
        for statistic, value in highest.items()
    }

"""Neighbours on a board: whether their order is significant, and how many further annotations it needs."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.means import mean
from arena.evaluations.domain.schemas.evaluation_reports import ComparedModelView, NeighbourView
from arena.evaluations.usecases.reports.scores import answer_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.evaluations.usecases.reports.report_columns import ReportColumns

NORMAL: Final = 1.96
"""Standard errors of a difference that is significant at 95 %."""
POWER: Final = 0.84
"""Standard errors beyond that for a power of 80 %."""

Place = tuple[str, float, float]
"""A model's name, its value, and half its 95 % interval over `NORMAL`: the standard error, larger for few answers."""


def neighbours_on_board(board: Sequence[ComparedModelView], annotations: int) -> list[NeighbourView]:
    """Neighbours by Bradley-Terry, assuming independent errors."""
    places = [
        (model.name, model.bt, (model.bt_high - model.bt_low) / (2 * NORMAL))
        for model in board
        if model.bt is not None and model.bt_low is not None and model.bt_high is not None
    ]
    return neighbours(places, annotations)


def neighbours_by_points(name: str, log: ReportColumns) -> list[NeighbourView]:
    """Neighbours by the mean share of points of their answers, in per cent; the sample is of answers."""
    share, places = answer_shares(name, log), list[Place]()
    for number, model in enumerate(log.models):
        points = 100 * share[(log.first == number) & ~np.isnan(share)]
        if len(points) > 1:
            estimate = mean(points)
            places.append((model, estimate.value, (estimate.high - estimate.low) / (2 * NORMAL)))
    return neighbours(places, int((log.is_judged & ~log.repeat).sum()))


def neighbours(places: Sequence[Place], annotations: int) -> list[NeighbourView]:
    """Each model with the next best one; errors shrink with the root of the number of `annotations`."""
    ranking = sorted(places, key=lambda place: -place[1])
    return [_neighbour(first, second, annotations) for first, second in pairwise(ranking)]


def _neighbour(first: Place, second: Place, annotations: int) -> NeighbourView:
    difference, error = first[1] - second[1], math.hypot(first[2], second[2])
    z = difference / error if error > 0 else (math.inf if difference else 0.0)
    further = None if z == 0 else math.ceil(annotations * max(0.0, ((NORMAL + POWER) / z) ** 2 - 1))
    return NeighbourView(
        first=first[0],
        second=second[0],
        difference=round(difference, 6),
        z=round(min(z, 1e6), 6),
        tie=z < NORMAL,
        more=0 if z >= NORMAL else further,
    )

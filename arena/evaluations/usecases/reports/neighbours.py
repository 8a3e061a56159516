"""Neighbours of a board: whether their order is known, and how many more annotations would tell it."""

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

KNOWN: Final = 1.96
"""Standard errors between two models from which their order is known with 95 % confidence."""
POWER: Final = 0.84
"""Standard errors beyond that at which four of five repetitions would find it."""

Place = tuple[str, float, float]
"""A model's name, its value, and half its 95 % interval over `KNOWN`: the standard error, larger for few answers."""


def neighbours_on_board(board: Sequence[ComparedModelView], annotations: int) -> list[NeighbourView]:
    """Neighbours by Bradley-Terry; the errors of two models are taken to be independent."""
    places = [
        (model.name, model.bt, (model.bt_high - model.bt_low) / (2 * KNOWN))
        for model in board
        if model.bt is not None and model.bt_low is not None and model.bt_high is not None
    ]
    return neighbours(places, annotations)


def neighbours_by_points(name: str, log: ReportColumns) -> list[NeighbourView]:
    """Neighbours by the mean share of points of their answers, in per cent; answers are the independent draws."""
    share, places = answer_shares(name, log), list[Place]()
    for number, model in enumerate(log.models):
        points = 100 * share[(log.first == number) & ~np.isnan(share)]
        if len(points) > 1:
            estimate = mean(points)
            places.append((model, estimate.value, (estimate.high - estimate.low) / (2 * KNOWN)))
    return neighbours(places, int((log.is_judged & ~log.repeat).sum()))


def neighbours(places: Sequence[Place], annotations: int) -> list[NeighbourView]:
    """Each model beside the next best one, after so many annotations; errors shrink with the root of their number."""
    ranking = sorted(places, key=lambda place: -place[1])
    return [_neighbour(first, second, annotations) for first, second in pairwise(ranking)]


def _neighbour(first: Place, second: Place, annotations: int) -> NeighbourView:
    difference, error = first[1] - second[1], math.hypot(first[2], second[2])
    z = difference / error if error > 0 else (math.inf if difference else 0.0)
    further = None if z == 0 else math.ceil(annotations * max(0.0, ((KNOWN + POWER) / z) ** 2 - 1))
    return NeighbourView(
        first=first[0],
        second=second[0],
        difference=round(difference, 6),
        z=round(min(z, 1e6), 6),
        tie=z < KNOWN,
        more=0 if z >= KNOWN else further,
    )

"""Neighbours on a board: whether their order is a claim, and how many further annotations it needs.

A report is read while people judge, so an order is claimed by bounds that hold at all looks (`arena_rating.clusters`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from arena.domain.statistics.means import mean
from arena.evaluations.domain.schemas.evaluation_reports import NeighbourView
from arena.evaluations.usecases.reports.scores import answer_shares
from arena_rating.clusters import MAX_FURTHER, MIN_CLUSTERS, MIN_VOTES, claim_half_width, claim_information

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.evaluations.usecases.reports.columns import ReportColumns
    from arena_rating import PairErrors

NORMAL: Final = 1.96
"""Standard errors of a difference that is significant at 95 %."""
LEVEL: Final = 0.95
RATING: Final = 400 / math.log(10)
"""Points of Bradley-Terry in one of log-odds."""
PER_CENT: Final = 25.0
"""Per cent of a share that one of log-odds moves it around a half."""
_DECIMALS: Final = 9

Place = tuple[str, float, float]
"""A model's name, its value, and half its 95 % interval over `NORMAL`: the standard error, larger for few answers."""


@dataclass(frozen=True, slots=True)
class Judgements:
    """Numbers of annotations, and of the items that they judge."""

    annotations: int
    items: int

    @classmethod
    def of(cls, log: ReportColumns) -> Self:
        """Those that count."""
        counted = log.is_judged & ~log.repeat
        return cls(int(counted.sum()), len(np.unique(log.item[counted])))


def neighbours_on_board(errors: PairErrors, judgements: Judgements) -> list[NeighbourView]:
    """Neighbours by Bradley-Terry that battles connect, by the error of their difference."""
    ranking: list[int] = np.argsort(-errors.rating, kind="stable").tolist()
    groups = [[place for place in ranking if errors.component[place] == group] for group in np.unique(errors.component)]
    return [
        _neighbour(
            (errors.names[i], errors.names[j]),
            RATING * float(errors.rating[i] - errors.rating[j]),
            RATING * float(errors.error[i, j] * max(errors.quantile[i], errors.quantile[j])) / NORMAL,
            RATING,
            judgements,
        )
        for group in groups
        for i, j in pairwise(group)
        if np.isfinite(errors.error[i, j])
    ]


def neighbours_by_points(name: str, log: ReportColumns) -> list[NeighbourView]:
    """Neighbours by the mean share of points of their answers, in per cent; the sample is of answers."""
    share, places = answer_shares(name, log), list[Place]()
    for number, model in enumerate(log.models):
        points = 100 * share[(log.first == number) & ~np.isnan(share)]
        if len(points) > 1:
            estimate = mean(points)
            places.append((model, estimate.value, (estimate.high - estimate.low) / (2 * NORMAL)))
    return neighbours(places, PER_CENT, Judgements.of(log))


def neighbours(places: Sequence[Place], unit: float, judgements: Judgements) -> list[NeighbourView]:
    """Each model with the next best one; errors shrink with the root of the number of annotations.

    Errors of two models are taken as independent. `unit` is one of log-odds in that of the values. No order is claimed
    below `MIN_VOTES` annotations or `MIN_CLUSTERS` items.
    """
    ranking = sorted(places, key=lambda place: -place[1])
    return [
        _neighbour((first[0], second[0]), first[1] - second[1], math.hypot(first[2], second[2]), unit, judgements)
        for first, second in pairwise(ranking)
    ]


def _neighbour(
    names: tuple[str, str], distance: float, spread: float, unit: float, judgements: Judgements
) -> NeighbourView:
    # Means of equal numbers may differ in their last bits.
    difference, error = round(distance, _DECIMALS), round(spread, _DECIMALS)
    z = difference / error if error > 0 else (math.inf if difference else 0.0)
    is_enough = judgements.annotations >= MIN_VOTES and judgements.items >= MIN_CLUSTERS
    is_claimed = is_enough and difference > claim_half_width(error / unit, NORMAL, LEVEL) * unit
    return NeighbourView(
        first=names[0],
        second=names[1],
        difference=round(difference, 6),
        z=round(min(z, 1e6), 6),
        tie=not is_claimed,
        more=0 if is_claimed else _further_annotations(difference / unit, error / unit, judgements),
    )


def _further_annotations(difference: float, error: float, judgements: Judgements) -> int | None:
    """Further annotations, distributed as before, for a claim at the same difference; None if it is 0 or next to it."""
    if difference == 0:
        return None
    annotations, items = judgements.annotations, max(judgements.items, 1)
    information = claim_information(difference, NORMAL, LEVEL)
    times = max(information * error**2, MIN_CLUSTERS / items, MIN_VOTES / max(annotations, 1))
    further = annotations * (times - 1)
    return max(1, math.ceil(further)) if further <= MAX_FURTHER else None

"""Neighbours on a board: whether their order is a claim, and how many further annotations it needs.

A report is read while people judge, so an order is claimed by bounds that hold at all looks (`arena_rating.clusters`).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.means import mean
from arena.evaluations.domain.people.protocols import protocol
from arena.evaluations.domain.schemas.evaluation_reports import NeighbourView
from arena.evaluations.usecases.reports.needs import Judgements, Needs, design_effect, part_between
from arena.evaluations.usecases.reports.scores import annotation_shares, answer_shares
from arena_rating.clusters import MIN_CLUSTERS, MIN_VOTES, claim_half_width, claim_information

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


def judgements_of(name: str, log: ReportColumns) -> Judgements:
    """The judgements of a protocol that count; residuals are those of a pair, or of a model for single answers."""
    share = annotation_shares(name, log)
    mask = log.is_judged & ~log.repeat & ~np.isnan(share)
    item, value = log.item[mask], share[mask]
    group = np.unique(log.first[item] * (len(log.models) + 1) + log.second[item], return_inverse=True)[1]
    residual = value - (np.bincount(group, value) / np.maximum(np.bincount(group), 1))[group]
    person = log.person[mask] if protocol(name).pairwise else item  # as in the errors of these boards
    effect = design_effect(residual, item, person) if len(item) else 1.0
    questions = len(np.unique(log.question[item]))
    return Judgements(len(item), questions, log.questions, part_between(residual, item, effect))


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
    return neighbours(places, PER_CENT, judgements_of(name, log))


def neighbours(places: Sequence[Place], unit: float, judgements: Judgements) -> list[NeighbourView]:
    """Each model with the next best one; errors shrink with the root of the number of annotations.

    Errors of two models are taken as independent. `unit` is one of log-odds in that of the values. No order is claimed
    below `MIN_VOTES` annotations or `MIN_CLUSTERS` questions.
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
    is_enough = judgements.number >= MIN_VOTES and judgements.questions >= MIN_CLUSTERS
    is_claimed = is_enough and difference > claim_half_width(error / unit, NORMAL, LEVEL) * unit
    needs = Needs(0) if is_claimed else judgements.needs(_times(difference / unit, error / unit), MIN_VOTES)
    return NeighbourView(
        first=names[0],
        second=names[1],
        difference=round(difference, 6),
        z=round(min(z, 1e6), 6),
        tie=not is_claimed,
        more=needs.judgements,
        more_questions=needs.questions,
    )


def _times(difference: float, error: float) -> float:
    """How many times the information claims the same difference; infinite if it is 0 or next to it."""
    return claim_information(difference, NORMAL, LEVEL) * error**2 if difference else math.inf

"""Two models against each other: who is better, how sure that is, and how many more votes would tell."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena_rating.clusters import ClusteredFit
from arena_rating.errors import BadParameters
from arena_rating.student import student_chance, student_quantile


@dataclass(frozen=True, slots=True)
class PairDifference:
    """The first of two models against the second; a tie is half a win.

    Attributes:
        chance: Chance that a vote between them is for the first.
        low: Lower end of its interval; None, as all below, where the votes say nothing of the two.
        high: Upper end.
        better: Chance that the first is the better one.
        more: Further votes between them after which the interval would leave out one half if the difference stays as it
            is; 0 if it does already, None for equals.
    """

    chance: float
    low: float | None
    high: float | None
    better: float | None
    more: int | None


def pair_difference(held: ClusteredFit, first: str, second: str) -> PairDifference:
    """Compare two models of one component by their ratings, errors and degrees of freedom.

    A vote between them adds p (1 - p) of information, divided by the larger of their design effects.

    Raises:
        BadParameters: An unknown name, the same one twice, or models that no battles connect.
    """
    fit = held.fit
    if first == second or not {first, second} <= set(fit.names):
        raise BadParameters("two of the models are to be named")
    i, j = fit.names.index(first), fit.names.index(second)
    if fit.component[i] != fit.component[j]:
        raise BadParameters(f"no battles connect {first} and {second}")
    gap = float(fit.rating[i] - fit.rating[j]) / fit.unit
    variance = float(fit.covariance[i, i] + fit.covariance[j, j] - 2 * fit.covariance[i, j]) / fit.unit**2
    chance = _chance(gap)
    if not (math.isfinite(variance) and variance > 0):
        return PairDifference(chance, None, None, None, None)
    freedom = np.array([min(held.freedom[i], held.freedom[j])])
    error, wide = math.sqrt(variance), float(student_quantile(fit.level, freedom)[0])
    effect = float(max(held.design_effect[i], held.design_effect[j]))
    missing = math.inf if gap == 0 else (wide / gap) ** 2 - 1 / variance
    return PairDifference(
        chance=chance,
        low=_chance(gap - wide * error),
        high=_chance(gap + wide * error),
        better=student_chance(gap / error, float(freedom[0])),
        more=math.ceil(max(0.0, missing * effect / (chance * (1 - chance)))) if math.isfinite(missing) else None,
    )


def _chance(gap: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * gap)

"""Two models against each other: who is better, how sure that is, and how many more votes would tell."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import bradley_terry
from arena_rating.clusters import ClusteredFit, ClusteredRows, clustered
from arena_rating.counts import pair_counts
from arena_rating.errors import BadParameters
from arena_rating.student import student_chance, student_quantile

if TYPE_CHECKING:
    from arena_rating.comparisons import Comparisons
    from arena_rating.leaderboard import LeaderboardParameters

_DECIMALS: Final = 5
_NORMAL: Final = 1e7
"""Degrees of freedom that stand for infinitely many, which JSON has no number for."""


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


@dataclass(frozen=True, slots=True, eq=False)
class PairErrors:
    """All that it takes to compare any two models of a fit, in natural units.

    Attributes:
        names: The m models.
        component: int64 [m], label; models of two components cannot be compared.
        rating: float64 [m].
        error: float [m, m], standard errors of differences; nan where they are not known.
        freedom: float64 [m], degrees of freedom of the intervals.
        design_effect: float64 [m].
        level: Nominal coverage of the intervals.
        wide: float64 [m], standard errors on either side of an interval.
    """

    names: tuple[str, ...]
    component: NDArray[np.int64]
    rating: NDArray[np.float64]
    error: NDArray[np.floating]
    freedom: NDArray[np.float64]
    design_effect: NDArray[np.float64]
    level: float
    wide: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wide", student_quantile(self.level, self.freedom))

    @classmethod
    def of_log(cls, log: Comparisons, parameters: LeaderboardParameters) -> Self:
        """Those of a log, by cluster as on its leaderboard."""
        counts = pair_counts(log)
        robust = clustered(
            bradley_terry(counts, prior=parameters.prior, level=parameters.level), ClusteredRows.of(log), counts
        )
        return cls.of(robust if log.voter is None else robust.widened(parameters.widening))

    @classmethod
    def of(cls, robust: ClusteredFit) -> Self:
        """Those of a fit with errors by cluster."""
        fit, diagonal = robust.fit, np.diag(robust.fit.covariance)
        variance = (diagonal[:, None] + diagonal - 2 * fit.covariance) / fit.unit**2
        error = np.sqrt(np.where(variance > 0, variance, np.nan))
        return cls(
            fit.names, fit.component, fit.rating / fit.unit, error, robust.freedom, robust.design_effect, fit.level
        )

    def connects(self, first: str, second: str) -> bool:
        """Whether both are among the models, and battles connect them."""
        places = [self.names.index(name) for name in (first, second) if name in self.names]
        return len(places) == 2 and self.component[places[0]] == self.component[places[1]]

    def published(self) -> Self:
        """The table as it is published: of models with a battle, rounded so that the last bits do not show."""
        places = np.flatnonzero(np.isfinite(self.rating))
        upper = np.triu(np.round(self.error[np.ix_(places, places)], _DECIMALS).astype(np.float32), 1)
        return replace(
            self,
            names=tuple(self.names[place] for place in places),
            component=self.component[places],
            rating=_round(self.rating[places]),
            error=upper + upper.T,
            freedom=_round(np.minimum(self.freedom[places], _NORMAL)),
            design_effect=_round(np.nan_to_num(self.design_effect[places], nan=1.0)),
        )


def _round(column: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.round(column, _DECIMALS) + 0.0


def pair_difference(errors: PairErrors, first: str, second: str) -> PairDifference:
    """Compare two models of one component by their ratings, errors and degrees of freedom.

    A vote between them adds p (1 - p) of information, divided by the larger of their design effects.

    Raises:
        BadParameters: An unknown name, the same one twice, or models that no battles connect.
    """
    if first == second or not {first, second} <= set(errors.names):
        raise BadParameters("two of the models are to be named")
    i, j = errors.names.index(first), errors.names.index(second)
    if errors.component[i] != errors.component[j]:
        raise BadParameters(f"no battles connect {first} and {second}")
    gap, error = float(errors.rating[i] - errors.rating[j]), float(errors.error[i, j])
    chance = _chance(gap)
    if not math.isfinite(error):
        return PairDifference(chance, None, None, None, None)
    quantile = float(max(errors.wide[i], errors.wide[j]))
    effect = float(max(errors.design_effect[i], errors.design_effect[j]))
    information = math.inf if gap == 0 else (quantile / gap) ** 2 - 1 / error**2
    return PairDifference(
        chance=chance,
        low=_chance(gap - quantile * error),
        high=_chance(gap + quantile * error),
        better=student_chance(gap / error, float(min(errors.freedom[i], errors.freedom[j]))),
        more=math.ceil(max(0.0, information * effect / (chance * (1 - chance))))
        if math.isfinite(information)
        else None,
    )


def _chance(gap: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * gap)

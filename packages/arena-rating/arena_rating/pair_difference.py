"""The difference of two models: which is better, with what confidence, and how many more votes would decide it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import bradley_terry
from arena_rating.clusters import ENOUGH, ClusteredFit, ClusteredRows, clustered
from arena_rating.counts import pair_counts, round_column
from arena_rating.errors import BadParameters
from arena_rating.student import student_chance, student_quantile

if TYPE_CHECKING:
    from arena_rating.comparisons import Comparisons
    from arena_rating.leaderboard import LeaderboardParameters

LEAST_VOTES: Final = 300
"""Votes of a log below which no claim is made about a difference."""
MIXTURE: Final = 30.0
"""Information on a difference (1 / s^2) around which claims are sharpest, about that of 20 models at 20,000 votes."""
_DECIMALS: Final = 5
_NORMAL: Final = 1e7
"""Degrees of freedom that stand for infinity, which JSON cannot express."""


@dataclass(frozen=True, slots=True)
class PairDifference:
    """The first of two models against the second; a tie is half a win.

    Without an error of the difference, all fields but `chance` are None.

    Attributes:
        chance: Chance that a vote between them is for the first.
        low: Lower end of the interval of `chance`.
        high: Upper end.
        better: Chance that the first is the better one.
        more: Further votes between them that would exclude 1/2 from the interval if the difference stayed as it is; 0
            if it is excluded, None if the ratings are equal.
    """

    chance: float
    low: float | None
    high: float | None
    better: float | None
    more: int | None


@dataclass(frozen=True, slots=True, eq=False)
class PairErrors:
    """Ratings of a fit with the standard errors of all differences, in natural units.

    Attributes:
        names: The m models.
        component: int64 [m], label; models of two components cannot be compared.
        rating: float64 [m].
        error: float [m, m], standard errors of differences, nan where unknown.
        freedom: float64 [m], degrees of freedom of the intervals.
        design_effect: float64 [m], as in `ClusteredFit`.
        level: Nominal coverage of the intervals.
        quantile: float64 [m], half width of an interval in standard errors.
    """

    names: tuple[str, ...]
    component: NDArray[np.int64]
    rating: NDArray[np.float64]
    error: NDArray[np.floating]
    freedom: NDArray[np.float64]
    design_effect: NDArray[np.float64]
    level: float
    quantile: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "quantile", student_quantile(self.level, self.freedom))

    @classmethod
    def of_log(cls, log: Comparisons, parameters: LeaderboardParameters) -> Self:
        """Errors of a log by cluster, as on its leaderboard."""
        counts = pair_counts(log)
        robust = clustered(
            bradley_terry(counts, prior=parameters.prior, level=parameters.level), ClusteredRows.of(log), counts
        )
        return cls.of(robust if log.voter is None else robust.widened(parameters.widening))

    @classmethod
    def of(cls, robust: ClusteredFit) -> Self:
        """Errors of a fit with errors by cluster."""
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
        """The table for publication: models with a battle, rounded to hide differences in the last bits."""
        places = np.flatnonzero(np.isfinite(self.rating))
        upper = np.triu(np.round(self.error[np.ix_(places, places)], _DECIMALS).astype(np.float32), 1)
        return replace(
            self,
            names=tuple(self.names[place] for place in places),
            component=self.component[places],
            rating=round_column(self.rating[places], _DECIMALS),
            error=upper + upper.T,
            freedom=round_column(np.minimum(self.freedom[places], _NORMAL), _DECIMALS),
            design_effect=round_column(np.nan_to_num(self.design_effect[places], nan=1.0), _DECIMALS),
        )


def pair_difference(errors: PairErrors, first: str, second: str) -> PairDifference:
    """Compare two models of one component by their ratings, errors and degrees of freedom.

    A vote between them adds p (1 - p) of information, divided by the larger of their design effects.

    Raises:
        BadParameters: An unknown name, one name twice, or models of two components.
    """
    i, j = _places(errors, first, second)
    gap, error = float(errors.rating[i] - errors.rating[j]), float(errors.error[i, j])
    chance = _chance(gap)
    if not math.isfinite(error):
        return PairDifference(chance, None, None, None, None)
    quantile = float(max(errors.quantile[i], errors.quantile[j]))
    effect = float(max(errors.design_effect[i], errors.design_effect[j]))
    information = (quantile / gap) ** 2 - 1 / error**2 if gap else math.inf
    return PairDifference(
        chance=chance,
        low=_chance(gap - quantile * error),
        high=_chance(gap + quantile * error),
        better=student_chance(gap / error, float(min(errors.freedom[i], errors.freedom[j]))),
        more=math.ceil(max(0.0, information * effect / (chance * (1 - chance)))) if gap else None,
    )


def claim_bounds(errors: PairErrors, first: str, second: str, *, votes: int, clusters: int) -> tuple[float, float]:
    """Bounds in points of first's rating less second's that hold at all looks at a growing log at once, at `level`.

    An interval holds at one look: of two equal models looked at 40 times until 2,000 votes, it excludes 0 at some time
    in a quarter of the logs. These bounds are an asymptotic confidence sequence: with information V = 1 / s^2 and a
    normal mixture, |gap| < s sqrt((1 + c/V) ln((1 + V/c) / (1 - level)^2)) at all V (Robbins 1970; Waudby-Smith,
    Arbour, Sinha, Kennedy and Ramdas 2021), with c = `MIXTURE`, stretched as Student's t is against the normal
    quantile. They are infinite below `LEAST_VOTES` votes or `ENOUGH` clusters, where errors are too rough for a claim.

    Raises:
        BadParameters: As `pair_difference`.
    """
    i, j = _places(errors, first, second)
    error = float(errors.error[i, j])
    if votes < LEAST_VOTES or clusters < ENOUGH or not math.isfinite(error):
        return -math.inf, math.inf
    stretch = float(max(errors.quantile[i], errors.quantile[j])) / NormalDist().inv_cdf(0.5 + errors.level / 2)
    share = MIXTURE * error**2
    boundary = math.sqrt((1 + share) * math.log((1 + 1 / share) / (1 - errors.level) ** 2))
    gap, half = float(errors.rating[i] - errors.rating[j]), stretch * boundary * error
    unit = 400 / math.log(10)
    return unit * (gap - half), unit * (gap + half)


def _places(errors: PairErrors, first: str, second: str) -> tuple[int, int]:
    if first == second or not {first, second} <= set(errors.names):
        raise BadParameters("name two different models of the table")
    i, j = errors.names.index(first), errors.names.index(second)
    if errors.component[i] != errors.component[j]:
        raise BadParameters(f"no battles connect {first} and {second}")
    return i, j


def _chance(gap: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * gap)

"""The difference of two models: which is better, with what confidence, and how many more votes would decide it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import bradley_terry
from arena_rating.clusters import (
    MAX_FURTHER,
    MIN_CLUSTERS,
    MIN_VOTES,
    ClusteredFit,
    ClusteredRows,
    claim_half_width,
    claim_information,
    claimed_pairs,
    clustered,
    difference_errors,
    number_of_votes,
)
from arena_rating.counts import pair_counts, round_column
from arena_rating.errors import BadParameters
from arena_rating.student import student_chance, student_quantile

if TYPE_CHECKING:
    from arena_rating.board.parameters import LeaderboardParameters
    from arena_rating.comparisons import Comparisons

_DECIMALS: Final = 5
_UNIT: Final = 400 / math.log(10)
"""Points of one in natural units."""
_NORMAL: Final = 1e7
"""Degrees of freedom that stand for infinity, which JSON cannot express."""


@dataclass(frozen=True, slots=True)
class PairDifference:
    """The first of two models against the second; a tie is half a win.

    Without an error of the difference, all fields but `chance` are None.

    Attributes:
        chance: Chance that a vote between them is for the first.
        low: Lower end of the interval of `chance`, which holds at one look.
        high: Upper end.
        better: Chance at one look that the first is the better one.
        claim_low: Lower bound of `chance` by `claim_bounds`, which holds at all looks at once; None below the votes or
            clusters that a claim needs.
        claim_high: Upper bound.
        more: Further votes between them that would exclude 1/2 from these bounds if the difference stayed as it is; 0
            if it is excluded, None if the ratings are equal, the clusters too few, or it is above `MAX_FURTHER`.
    """

    chance: float
    low: float | None
    high: float | None
    better: float | None
    claim_low: float | None
    claim_high: float | None
    more: int | None

    @property
    def is_claimed(self) -> bool:
        """Whether one of them is better at all looks at once."""
        return self.more == 0


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
        clusters: int64 [m], as there.
        votes: Votes of the log.
        level: Nominal coverage of the intervals.
        quantile: float64 [m], half width of an interval in standard errors.
    """

    names: tuple[str, ...]
    component: NDArray[np.int64]
    rating: NDArray[np.float64]
    error: NDArray[np.floating]
    freedom: NDArray[np.float64]
    design_effect: NDArray[np.float64]
    clusters: NDArray[np.int64]
    votes: int
    level: float
    quantile: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "quantile", student_quantile(self.level, self.freedom))

    @classmethod
    def of_log(cls, log: Comparisons, parameters: LeaderboardParameters) -> Self:
        """Errors of a log by cluster, as on its leaderboard."""
        counts = pair_counts(log)
        fit = bradley_terry(counts, prior=parameters.prior, level=parameters.level)
        robust = clustered(fit, ClusteredRows.of(log), counts, min_separate=parameters.min_separate)
        return cls.of(robust if log.voter is None else robust.widened(parameters.widening), log)

    @classmethod
    def of(cls, robust: ClusteredFit, log: Comparisons) -> Self:
        """Errors of a log's fit with errors by cluster."""
        fit = robust.fit
        return cls(
            names=fit.names,
            component=fit.component,
            rating=fit.rating / fit.unit,
            error=difference_errors(fit.covariance, fit.unit),
            freedom=robust.freedom,
            design_effect=robust.design_effect,
            clusters=robust.clusters,
            votes=number_of_votes(log),
            level=fit.level,
        )

    def connects(self, first: str, second: str) -> bool:
        """Whether both are among the models, and battles connect them."""
        places = [self.names.index(name) for name in (first, second) if name in self.names]
        return len(places) == 2 and self.component[places[0]] == self.component[places[1]]

    def claimed(self) -> NDArray[np.bool_]:
        """Pairs [m, m] whose difference is a claim, by `claimed_pairs`."""
        return claimed_pairs(self.rating, self.error, self.quantile, self.clusters, self.votes, self.level)

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
            clusters=self.clusters[places],
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
        return PairDifference(chance, *[None] * 6)
    quantile = float(max(errors.quantile[i], errors.quantile[j]))
    low, high = _natural_bounds(errors, i, j)
    return PairDifference(
        chance=chance,
        low=_chance(gap - quantile * error),
        high=_chance(gap + quantile * error),
        better=student_chance(gap / error, float(min(errors.freedom[i], errors.freedom[j]))),
        claim_low=_chance(low) if math.isfinite(low) else None,
        claim_high=_chance(high) if math.isfinite(high) else None,
        more=_further_votes(errors, i, j) if low <= 0 <= high else 0,
    )


def claim_bounds(errors: PairErrors, first: str, second: str) -> tuple[float, float]:
    """Bounds in points of first's rating less second's that hold at all looks at a growing log at once, at `level`.

    See `claims`. They are infinite below `MIN_VOTES` votes or `MIN_CLUSTERS` clusters, where errors are too rough.

    Raises:
        BadParameters: As `pair_difference`.
    """
    low, high = _natural_bounds(errors, *_places(errors, first, second))
    return _UNIT * low, _UNIT * high


def further_votes(errors: PairErrors, first: str, second: str, margin: float) -> int | None:
    """Further votes between two models that would exclude that `first` is worse by `margin` points, at all looks.

    The difference is taken to stay as it is; 0 if that is excluded, None if it is worse by as much, or without errors
    or the clusters that a claim needs.

    Raises:
        BadParameters: As `pair_difference`.
    """
    i, j = _places(errors, first, second)
    bound = -margin / _UNIT
    if not (math.isfinite(errors.error[i, j]) and errors.rating[i] - errors.rating[j] > bound):
        return None
    return 0 if _natural_bounds(errors, i, j)[0] > bound else _further_votes(errors, i, j, bound)


def _natural_bounds(errors: PairErrors, i: int, j: int) -> tuple[float, float]:
    gap, error = float(errors.rating[i] - errors.rating[j]), float(errors.error[i, j])
    if errors.votes < MIN_VOTES or not _has_clusters(errors, i, j) or not math.isfinite(error):
        return -math.inf, math.inf
    half = claim_half_width(error, float(max(errors.quantile[i], errors.quantile[j])), errors.level)
    return gap - half, gap + half


def _further_votes(errors: PairErrors, i: int, j: int, bound: float = 0.0) -> int | None:
    """Further votes between two models whose claim excludes `bound`: of their information, and of the log's least."""
    gap, error = float(errors.rating[i] - errors.rating[j]), float(errors.error[i, j])
    if gap == bound or not _has_clusters(errors, i, j):
        return None
    information = claim_information(abs(gap - bound), float(max(errors.quantile[i], errors.quantile[j])), errors.level)
    chance, effect = _chance(gap), float(max(errors.design_effect[i], errors.design_effect[j]))
    further, by_vote = max(0.0, (information - 1 / error**2) * effect), chance * (1 - chance)
    if further > MAX_FURTHER * by_vote:  # a vote between models that are far apart tells next to nothing
        return None
    return max(1, MIN_VOTES - errors.votes, math.ceil(further / by_vote) if further else 0)


def _has_clusters(errors: PairErrors, i: int, j: int) -> bool:
    return int(min(errors.clusters[i], errors.clusters[j])) >= MIN_CLUSTERS


def _places(errors: PairErrors, first: str, second: str) -> tuple[int, int]:
    if first == second or not {first, second} <= set(errors.names):
        raise BadParameters("name two different models of the table")
    i, j = errors.names.index(first), errors.names.index(second)
    if errors.component[i] != errors.component[j]:
        raise BadParameters(f"no battles connect {first} and {second}")
    return i, j


def _chance(gap: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * gap)

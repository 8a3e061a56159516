"""Cluster-robust errors of Bradley-Terry ratings, which allow for people who cast many votes.

Votes of one cluster may depend on each other in any way; clusters are independent. On the board a cluster is what a
pseudonym votes on a day (`Comparisons.voter`). With u_g the sum of the scores of cluster g, the covariance is
V = H^-1 (sum of u_g u_g') H^-1 (Liang and Zeger 1986).

A fit is pulled towards its largest clusters, so their scores at the maximum are too small. They are corrected to
(1 - A_g H^-1)^-1 u_g, with A_g the cluster's part of H: the Newton step of the fit without the cluster. The sum is
multiplied by (G - 1) / G (CR3 of Bell and McCaffrey 2002; the jackknife of MacKinnon, Nielsen and Webb 2023). Clusters
with at most `LARGEST` of the information on each competitor are not corrected, which moves an error by less than that.

With few or unequal clusters V itself is uncertain, so intervals use Student's t. Its degrees of freedom are
Satterthwaite's, (sum of s_g)^2 / sum of s_g^2 for the variances s_g of the clusters' contributions c_g to a rating.
Their estimate is 3 (sum of c_g^2)^2 / sum of c_g^4 - 2, unbiased in numerator and denominator, and at least 1.

Claims about differences of two ratings: bounds that hold at all looks at a growing log at once.

An interval holds at one look: of two equal models looked at 40 times until 2,000 votes, it excludes 0 at some time in a
quarter of the logs. Claims use an asymptotic confidence sequence: with error s, information V = 1 / s^2 and a normal
mixture, |gap| < s sqrt((1 + c/V) ln((1 + V/c) / (1 - level)^2)) at all V at once (Robbins 1970; Waudby-Smith, Arbour,
Sinha, Kennedy and Ramdas 2021), with c = `MIXTURE`, stretched as Student's t is against the normal quantile.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import pairwise
from statistics import NormalDist
from typing import Any, Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import (
    BradleyTerry,
    bradley_terry,
    centring,
    derivatives,
    rank_bounds,
    squared_residuals,
    subset,
    virtual_noise,
)
from arena_rating.comparisons import Comparisons, read_only
from arena_rating.counts import PairCounts, pair_counts
from arena_rating.rank_sets import Ranks, rank_sets
from arena_rating.student import student_quantile

LARGEST: Final = 0.01
"""Share of the information on a competitor above which a cluster's score is corrected."""
FEWEST: Final = 2
"""Clusters that an error needs: one cluster does not tell how much clusters differ."""
MIN_CLUSTERS: Final = 20
"""Clusters below which an interval is rough and is marked so."""
MIN_SEPARATE: Final = 10
"""Clusters below which an interval is never narrower than that of independent votes."""
MIN_VOTES: Final = 300
"""Votes of a log below which no claim is made about a difference."""
MIXTURE: Final = 30.0
"""Information on a difference (1 / s^2) around which claims are sharpest, about that of 20 models at 20,000 votes."""
MAX_FURTHER: Final = 1_000_000_000
"""Further votes above which no number of them is named: that many will never be cast."""
_HALVINGS: Final = 60
"""Halvings of a range, down to the last bits of a float."""
_BLOCKS: Final = 8
_THREADED: Final = 20_000
"""Votes from which a second thread saves more than it costs."""
_Array = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredRows:
    """The rows of a log with a weight above 0, grouped by cluster; clusters in the order of their first rows.

    Attributes:
        order: int64 [n], indices of the rows in the log.
        ends: int64 [G], the end of each cluster in `order`.
        log: The log.
    """

    order: NDArray[np.int64]
    ends: NDArray[np.int64]
    log: Comparisons

    @classmethod
    def of(cls, log: Comparisons, cluster: NDArray[np.int32] | None = None) -> Self:
        """Group by labels [n] of at least 0, by default the column `voter`; without one each vote is a cluster."""
        from arena_rating._kernels.clusters import by_cluster

        labels = log.voter if cluster is None else cluster
        return cls(
            *by_cluster(read_only(np.arange(len(log), dtype=np.int32) if labels is None else labels), log.frequency),
            log,
        )

    def __len__(self) -> int:
        return len(self.ends)

    def sums(self, kernel: Callable[..., T], *arguments: object) -> list[T]:
        """Results of `kernel(first, last, order, ends, left, …, weight, *arguments)` by block, one thread per core.

        The blocks depend on the number of clusters alone, so sums over them have the same bits on any machine.
        """
        bounds = [len(self) * block // _BLOCKS for block in range(_BLOCKS + 1)]
        log = self.log
        columns = self.order, self.ends, log.left, log.right, log.outcome, log.frequency
        if len(self.order) < _THREADED:
            return [kernel(first, last, *columns, *arguments) for first, last in pairwise(bounds)]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            futures = [threads.submit(kernel, first, last, *columns, *arguments) for first, last in pairwise(bounds)]
            return [future.result() for future in futures]


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredFit:
    """A fit with cluster-robust errors.

    Attributes:
        fit: The same ratings. Error, interval, covariance and rank bounds allow for clusters; errors are nan in a
            component with fewer than two.
        freedom: float64 [m], degrees of freedom of the intervals.
        clusters: int64 [m], number of clusters with a vote on the competitor.
        design_effect: float64 [m], the variance over that of independent votes; n votes tell as much as
            n / design_effect independent ones.
        meat: float64 [m, m], the sum of u_g u_g' in natural units, without the prior.
        widening: Factor on the cluster-robust errors, from `measure_widening`.
    """

    fit: BradleyTerry
    freedom: _Array
    clusters: NDArray[np.int64]
    design_effect: _Array
    meat: _Array
    widening: float = 1.0

    @property
    def has_interval(self) -> _Array:
        """1 for competitors with an interval, nan for the others, [m]."""
        return np.where(np.isfinite(self.fit.error), 1.0, np.nan)

    def widened(self, factor: float) -> ClusteredFit:
        """The fit with errors times `factor`, as `measure_widening` gives it for people who vote on several days."""
        if factor == 1:
            return self
        fit = with_errors(self.fit, factor**2 * self.fit.covariance, self.freedom)
        effect, meat = factor**2 * self.design_effect, factor**2 * self.meat
        return replace(self, fit=fit, design_effect=effect, meat=meat, widening=factor * self.widening)

    def rank_sets(self, seed: int, allowed: NDArray[np.bool_] | None = None) -> Ranks:
        """Best and worst ranks [m] by `rank_sets`, with differences as much wider than normal as the intervals are."""
        stretch = student_quantile(self.fit.level, np.append(self.freedom, np.inf))
        fit, factor = self.fit, stretch[:-1] / stretch[-1]
        return rank_sets(
            fit.rating, fit.covariance, fit.component, seed=seed, level=fit.level, stretch=factor, allowed=allowed
        )


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """H at the estimate of p parameters, in natural units; scores u move the centred parameters by bread' u."""

    estimate: _Array
    hessian: _Array
    inverse: _Array
    bread: _Array


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSums:
    """Totals of `cluster_sums` over its blocks; `factor` [p] is (G - 1) / G of each parameter's component."""

    meat: _Array
    squares: _Array
    fourths: _Array
    clusters: NDArray[np.int64]
    factor: _Array

    @property
    def freedom(self) -> _Array:
        """Degrees of freedom of each parameter, at least 1."""
        with np.errstate(invalid="ignore", divide="ignore"):
            estimate = 3 * self.squares**2 / self.fourths - 2
        return np.maximum(np.nan_to_num(estimate, nan=1.0, posinf=1.0), 1.0)


def clustered(
    fit: BradleyTerry, rows: ClusteredRows, counts: PairCounts, *, min_separate: int = MIN_SEPARATE
) -> ClusteredFit:
    """The fit of a log with errors by cluster, from the log's counts; without voters the fit keeps its errors.

    Below `min_separate` clusters on a competitor its error is never below that of independent votes.
    """
    if rows.log.voter is None:
        return _independent(fit, rows.log, counts)
    curvature = curvature_of(fit, counts)
    sums = sums_by_cluster(rows, curvature, fit.component)
    return _with_covariance(fit, _covariance(curvature, sums, fit.prior), sums, min_separate=min_separate)


def clustered_both_ways(
    fit: BradleyTerry, first: ClusteredRows, second: ClusteredRows, counts: PairCounts
) -> ClusteredFit:
    """The fit of a log with two kinds of clusters, such as annotators and items.

    V = V_first + V_second - V_both, with negative eigenvalues set to 0 (Cameron, Gelbach and Miller 2011). Degrees of
    freedom and numbers of clusters are the smaller of both kinds.
    """
    curvature = curvature_of(fit, counts)
    intersection = ClusteredRows.of(first.log, _cross(first, second))
    sums = [sums_by_cluster(rows, curvature, fit.component) for rows in (first, second, intersection)]
    one, two, common = (_covariance(curvature, part, fit.prior) for part in sums)
    clusters = np.minimum(sums[0].clusters, sums[1].clusters)
    freedom = np.minimum(sums[0].freedom, sums[1].freedom)
    fewer = replace(sums[0], clusters=clusters)
    return _with_covariance(fit, _without_negative(one + two - common), fewer, freedom)


def measure_widening(log: Comparisons, person: NDArray[np.int32]) -> float:
    """Width of intervals by `person` [n] over that of intervals by the column `voter`, at least 1.

    It is the median over competitors, rounded up to a twentieth. On the board a pseudonym lasts a day, but people vote
    on several; only the arena can tell who they are, so it measures this factor and publishes it.
    """
    counts = pair_counts(log)
    fit = bradley_terry(counts)
    by_person, by_voter = (
        clustered(fit, ClusteredRows.of(log, labels), counts).fit.high - fit.rating for labels in (person, None)
    )
    ratio = by_person / by_voter
    finite = ratio[np.isfinite(ratio)]
    return max(1.0, math.ceil(20 * round(float(np.median(finite)), 6)) / 20) if len(finite) else 1.0


def _cross(first: ClusteredRows, second: ClusteredRows) -> NDArray[np.int32]:
    """Labels [n] of the intersections of both kinds of clusters."""
    labels = np.zeros((2, len(first.log)), np.int64)
    for label, rows in zip(labels, (first, second), strict=True):
        label[rows.order] = np.repeat(np.arange(len(rows)), np.diff(rows.ends, prepend=0))
    return np.unique(labels, axis=1, return_inverse=True)[1].astype(np.int32).reshape(-1)


def _covariance(curvature: Curvature, sums: ClusterSums, prior: float) -> _Array:
    """H^-1 J H^-1 of the centred ratings in natural units, with the virtual draws as independent noise."""
    factor = np.sqrt(np.nan_to_num(np.outer(sums.factor, sums.factor)))
    noise = factor * sums.meat + np.diag(virtual_noise(curvature.estimate, prior))
    covariance = curvature.bread.T @ noise @ curvature.bread
    covariance[np.isnan(sums.factor)] = np.nan
    return covariance


def _without_negative(covariance: _Array) -> _Array:
    """The nearest positive semidefinite matrix; nan rows stay nan."""
    finite = np.isfinite(np.diag(covariance))
    square = np.ix_(finite, finite)
    values, vectors = np.linalg.eigh(covariance[square])
    result = np.full_like(covariance, np.nan)
    result[square] = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return result


def with_errors(fit: BradleyTerry, covariance: _Array, freedom: _Array) -> BradleyTerry:
    """The fit with this covariance in points squared, and intervals and rank bounds from it; nan between components."""
    error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    half_width = student_quantile(fit.level, freedom) * error
    low, high = fit.rating - half_width, fit.rating + half_width
    rank_low, rank_high = rank_bounds(low, high, fit.component)
    is_connected = fit.component[:, None] == fit.component
    return replace(
        fit,
        error=error,
        low=low,
        high=high,
        covariance=np.where(is_connected & ~np.isnan(fit.rating), covariance, np.nan),
        rank_low=rank_low,
        rank_high=rank_high,
    )


def sums_by_cluster(
    rows: ClusteredRows,
    curvature: Curvature,
    component: NDArray[np.int64],
    features: Callable[[NDArray[np.int64]], _Array] | None = None,
) -> ClusterSums:
    """Sums over clusters with corrected scores; `features` of a style fit makes those of rows, [m, k]: p = m + k."""
    from arena_rating._kernels.clusters import cluster_sums

    fit = curvature.estimate, curvature.hessian, curvature.inverse, curvature.bread
    arguments = *map(np.ascontiguousarray, fit), LARGEST
    if features is None:
        blocks = rows.sums(cluster_sums, read_only(np.empty((len(rows.log), 0))), *arguments)
    else:
        blocks = rows.sums(partial(_block_sums, features), *arguments)
    # One after the other, as blocks of many competitors have megabytes each.
    meat, squares, fourths, clusters = (reduce(np.add, parts) for parts in zip(*blocks, strict=True))
    total = np.full(len(curvature.estimate), float(len(rows)))
    if component.max(initial=0) > 0:
        total[: len(component)] = _clusters_by_component(rows, component)
    factor = np.where(total < FEWEST, np.nan, (total - 1) / np.maximum(total, 1))
    return ClusterSums(meat, squares, fourths, clusters, factor)


def _block_sums(
    features: Callable[[NDArray[np.int64]], _Array],
    first: int,
    last: int,
    order: NDArray[np.int64],
    ends: NDArray[np.int64],
    *rest: Any,
) -> tuple[_Array, _Array, _Array, NDArray[np.int64]]:
    """`cluster_sums` on copies of a block's rows alone, so that the features of other blocks are not in memory."""
    from arena_rating._kernels.clusters import cluster_sums

    start, end = (ends[place - 1] if place else 0 for place in (first, last))
    rows, columns = order[start:end], rest[:4]
    left, right, outcome, weight = (read_only(column[rows] if len(column) else column) for column in columns)
    estimate, curve, inverse, bread, largest = rest[4:]
    places, table = np.arange(len(rows)), read_only(features(rows))
    of_block = 0, last - first, places, ends[first:last] - start, left, right, outcome, weight, table
    return cluster_sums(*of_block, estimate, curve, inverse, bread, largest)


def _clusters_by_component(rows: ClusteredRows, component: NDArray[np.int64]) -> _Array:
    """Number of clusters with a vote in each competitor's component, [m]."""
    cluster = np.repeat(np.arange(len(rows)), np.diff(rows.ends, prepend=0))
    pairs = np.unique(np.stack([component[rows.log.left[rows.order]], cluster]), axis=1)
    return np.bincount(pairs[0], minlength=int(component.max()) + 1)[component].astype(np.float64)


def curvature_of(fit: BradleyTerry, counts: PairCounts) -> Curvature:
    """H and its inverse, by component; `bread` is 0 for competitors without a battle."""
    size = len(fit.names)
    theta, hessian = np.nan_to_num(fit.strength), np.eye(size)
    inverse, bread = np.zeros((size, size)), np.zeros((size, size))
    for number in np.unique(fit.component):
        members = np.flatnonzero(fit.component == number)
        if len(members) > 1:
            part, square = subset(counts, members), np.ix_(members, members)
            hessian[square] = derivatives(theta[members], part.scores, part.battles, fit.prior)[1]
            inverse[square] = np.linalg.inv(hessian[square])
            bread[square] = inverse[square] @ centring(part.battles).T
    return Curvature(theta, hessian, inverse, bread)


def _with_covariance(
    fit: BradleyTerry,
    covariance: _Array,
    sums: ClusterSums,
    freedom: _Array | None = None,
    *,
    min_separate: int = MIN_SEPARATE,
) -> ClusteredFit:
    degrees = sums.freedom if freedom is None else freedom
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = np.fmax(fit.error / (fit.unit * np.sqrt(np.diag(covariance))), 1.0)
    factor[sums.clusters >= min_separate] = 1.0
    is_zero = np.isinf(factor)  # the variance of both ways may be 0
    factor[is_zero] = 1.0
    covariance = covariance + np.diag(np.where(is_zero, (fit.error / fit.unit) ** 2, 0.0))
    result = with_errors(fit, fit.unit**2 * np.outer(factor, factor) * covariance, degrees)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = (result.error / fit.error) ** 2
    return ClusteredFit(result, degrees, sums.clusters, effect, sums.meat)


def _independent(fit: BradleyTerry, log: Comparisons, counts: PairCounts) -> ClusteredFit:
    return ClusteredFit(
        fit=fit,
        freedom=np.full(len(fit.names), np.inf),
        clusters=votes_by_competitor(log),
        design_effect=fit.error / fit.error,
        meat=squared_residuals(counts, np.nan_to_num(fit.strength)),
    )


def votes_by_competitor(log: Comparisons) -> NDArray[np.int64]:
    """Votes [m] with a weight above 0: the clusters of each competitor in a log without voters."""
    is_counted = np.ones(len(log), np.bool_) if log.weight is None else log.weight > 0
    votes = sum(np.bincount(side[is_counted], minlength=len(log.names)) for side in (log.left, log.right))
    return np.asarray(votes, np.int64)


def claim_half_width(error: float, quantile: float, level: float) -> float:
    """Half the width of a claim's bounds in natural units, for an interval of `quantile` errors at `level`."""
    return float(_claim_half_widths(np.array(error), np.array(quantile), level))


def _claim_half_widths(
    error: NDArray[np.floating], quantile: NDArray[np.float64], level: float
) -> NDArray[np.floating]:
    share = MIXTURE * error**2
    with np.errstate(invalid="ignore", divide="ignore"):
        boundary = np.sqrt((1 + share) * np.log((1 + 1 / share) / (1 - level) ** 2))
        half = quantile / NormalDist().inv_cdf(0.5 + level / 2) * boundary * error
    return np.where(error == 0, 0.0, half)  # the limit, as for a rate of 1 whose interval ends there


def claim_information(gap: float, quantile: float, level: float) -> float:
    """Information 1 / s^2 from which the bounds of a difference that is not 0 exclude 0; by halving its logarithm."""
    low, high = -50.0, 100.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if claim_half_width(math.exp(-middle / 2), quantile, level) < gap else (middle, high)
    return math.exp(high)


def claimed_pairs(
    rating: NDArray[np.float64],
    error: NDArray[np.floating],
    quantile: NDArray[np.float64],
    clusters: NDArray[np.int64],
    votes: int,
    level: float,
) -> NDArray[np.bool_]:
    """Pairs [m, m] whose difference may be claimed, from ratings [m] and errors [m, m] in natural units.

    `quantile` [m] is half an interval in errors, `clusters` [m] the number of clusters. None is claimed below
    `MIN_VOTES` votes or `MIN_CLUSTERS` clusters, where errors are too rough.
    """
    if votes < MIN_VOTES:
        return np.zeros(error.shape, np.bool_)
    half = _claim_half_widths(error, np.maximum(quantile[:, None], quantile), level)
    is_enough = np.minimum(clusters[:, None], clusters) >= MIN_CLUSTERS
    return is_enough & (np.abs(rating[:, None] - rating) > half)


def difference_errors(covariance: _Array, unit: float) -> _Array:
    """Standard errors [m, m] of all differences in natural units, by the covariance in points; nan where unknown."""
    diagonal = np.diag(covariance)
    variance = (diagonal[:, None] + diagonal - 2 * covariance) / unit**2
    return np.sqrt(np.where(variance > 0, variance, np.nan))


def number_of_votes(log: Comparisons) -> int:
    """Votes of a log with a weight above 0."""
    return len(log) if log.weight is None else int((log.weight > 0).sum())

"""Errors of Bradley-Terry ratings that allow for people who cast many votes: the cluster-robust sandwich.

Votes of one cluster (on the board the votes of a pseudonym on a day, `Comparisons.voter`) may depend on each other in
any way; clusters are independent. With u_g the sum of the scores of cluster g, V = H^-1 (sum of u_g u_g') H^-1 (Liang
and Zeger 1986). A fit follows its largest clusters, so that their scores at the maximum are too small: u_g becomes
(1 - A_g H^-1)^-1 u_g with A_g the cluster's part of H, the Newton step of the fit without it, and the sum is multiplied
by (G - 1) / G (CR3 of Bell and McCaffrey 2002; the jackknife of MacKinnon, Nielsen and Webb 2023). Clusters that hold
at most `LARGEST` of the information on each competitor keep their scores, which moves an error by less than that share.

With few or unequal clusters V itself is uncertain. Intervals take Student's t with Satterthwaite's degrees of freedom,
(sum of s_g)^2 / sum of s_g^2 for the variances s_g of the contributions c_g to a rating; from c_g^2 they are estimated
without bias in numerator and denominator as 3 (sum of c_g^2)^2 / sum of c_g^4 - 2, and are at least 1.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import (
    BradleyTerry,
    bradley_terry,
    centring,
    derivatives,
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
"""Clusters below which there is no error: one cluster does not say how much clusters differ."""
ENOUGH: Final = 20
"""Clusters below which an interval is a rough one, and said to be; it is then never below that of independent votes."""
_BLOCKS: Final = 8
_ALONE: Final = 20_000
"""Votes below which a second thread costs more than it saves."""
_Array = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredRows:
    """The rows of a log that have a weight, cluster by cluster in the order of their first rows.

    Attributes:
        order: int64 [n], their places in the log.
        ends: int64 [G], the end of each cluster in `order`.
        log: The log.
    """

    order: NDArray[np.int64]
    ends: NDArray[np.int64]
    log: Comparisons

    @classmethod
    def of(cls, log: Comparisons, cluster: NDArray[np.int32] | None = None) -> Self:
        """By these labels, any ints from 0, by default those of the column `voter`; a vote each without it."""
        from arena_rating._kernels.clusters import by_cluster

        labels = log.voter if cluster is None else cluster
        return cls(
            *by_cluster(read_only(np.arange(len(log), dtype=np.int32) if labels is None else labels), log.frequency),
            log,
        )

    def __len__(self) -> int:
        return len(self.ends)

    def sums(self, kernel: Callable[..., T], *arguments: object) -> list[T]:
        """`kernel(first, last, order, ends, left, …, weight, *rest)` of blocks of clusters, one thread per core.

        The blocks depend on the number of clusters alone, so that sums over them have the same bits on any machine.
        """
        bounds = [len(self) * block // _BLOCKS for block in range(_BLOCKS + 1)]
        log = self.log
        columns = self.order, self.ends, log.left, log.right, log.outcome, log.frequency
        if len(self.order) < _ALONE:
            return [kernel(first, last, *columns, *arguments) for first, last in pairwise(bounds)]
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            futures = [threads.submit(kernel, first, last, *columns, *arguments) for first, last in pairwise(bounds)]
            return [future.result() for future in futures]


@dataclass(frozen=True, slots=True, eq=False)
class ClusteredFit:
    """A fit with cluster-robust errors.

    Attributes:
        fit: The same ratings; error, low, high and covariance allow for clusters, and are nan in a component with fewer
            than two. Rank bounds are those of these intervals.
        freedom: float64 [m], degrees of freedom of the intervals.
        clusters: int64 [m], clusters that have a vote on the competitor.
        design_effect: float64 [m], the variance divided by that of independent votes; n votes say as much as
            n / design_effect independent ones.
        meat: float64 [m, m], the sum of u u' in natural units, without the prior.
        widening: How many times larger errors are than those of the clusters alone.
    """

    fit: BradleyTerry
    freedom: _Array
    clusters: NDArray[np.int64]
    design_effect: _Array
    meat: _Array
    widening: float = 1.0

    @property
    def has_interval(self) -> _Array:
        """1 for each competitor with an interval, else nan, [m]."""
        return np.where(np.isfinite(self.fit.error), 1.0, np.nan)

    def widened(self, factor: float) -> ClusteredFit:
        """The fit with errors this many times as large, as `widening` measures for people who come on several days."""
        fit = with_errors(self.fit, factor**2 * self.fit.covariance, self.freedom)
        effect, meat = factor**2 * self.design_effect, factor**2 * self.meat
        return replace(self, fit=fit, design_effect=effect, meat=meat, widening=factor * self.widening)

    def rank_sets(self, seed: int) -> Ranks:
        """Best and worst ranks that hold together; intervals wider than normal ones make differences so, too."""
        stretch = student_quantile(self.fit.level, np.append(self.freedom, np.inf))
        fit = self.fit
        return rank_sets(
            fit.rating, fit.covariance, fit.component, seed=seed, level=fit.level, stretch=stretch[:-1] / stretch[-1]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Curvature:
    """H of a fit with its inverse and the influence of each score on each centred parameter, all in natural units."""

    place: _Array
    curve: _Array
    inverse: _Array
    bread: _Array


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSums:
    """Sums over clusters as `cluster_sums` gives them; `factor` [p] is (G - 1) / G of each parameter's component."""

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


def clustered(fit: BradleyTerry, rows: ClusteredRows, counts: PairCounts) -> ClusteredFit:
    """The fit of a log with errors by cluster; `counts` are the log's. Without voters the fit keeps its own errors."""
    if rows.log.voter is None:
        return _independent(fit, rows.log, counts)
    curvature = curvature_of(fit, counts)
    sums = sums_by_cluster(rows, curvature, fit.component)
    return _with_covariance(fit, _covariance(curvature, sums, fit.prior), sums)


def clustered_both_ways(
    fit: BradleyTerry, first: ClusteredRows, second: ClusteredRows, counts: PairCounts
) -> ClusteredFit:
    """The fit of a log whose votes depend on each other in two ways, as by annotator and by item.

    V = V_first + V_second - V_both, with negative eigenvalues set to 0 (Cameron, Gelbach and Miller 2011); degrees of
    freedom and clusters are the fewer of both.
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
    """How many times as wide intervals by `person` [n] are as those by the column `voter`, 1 or more.

    The median over competitors, rounded up to a twentieth: an arena measures it on its own log, whose people only the
    arena knows, and publishes it; on the board a pseudonym lasts a day, and people come on more than one.
    """
    counts = pair_counts(log)
    fit = bradley_terry(counts)
    halves = [
        (fit_by_rows.high - fit_by_rows.rating)
        for rows in (ClusteredRows.of(log, person), ClusteredRows.of(log))
        for fit_by_rows in (clustered(fit, rows, counts).fit,)
    ]
    ratio = halves[0] / halves[1]
    finite = ratio[np.isfinite(ratio)]
    return max(1.0, math.ceil(20 * round(float(np.median(finite)), 6)) / 20) if len(finite) else 1.0


def _cross(first: ClusteredRows, second: ClusteredRows) -> NDArray[np.int32]:
    """A label for each pair of clusters that has a row, [n]."""
    labels = np.zeros((2, len(first.log)), np.int64)
    for label, rows in zip(labels, (first, second), strict=True):
        label[rows.order] = np.repeat(np.arange(len(rows)), np.diff(rows.ends, prepend=0))
    return np.unique(labels, axis=1, return_inverse=True)[1].astype(np.int32).reshape(-1)


def _covariance(curvature: Curvature, sums: ClusterSums, prior: float) -> _Array:
    """H^-1 J H^-1 of the centred ratings in natural units, with the virtual draws as noise of their own."""
    factor = np.sqrt(np.nan_to_num(np.outer(sums.factor, sums.factor)))
    noise = factor * sums.meat + np.diag(virtual_noise(curvature.place, prior))
    covariance = curvature.bread.T @ noise @ curvature.bread
    covariance[np.isnan(sums.factor)] = np.nan
    return covariance


def _without_negative(covariance: _Array) -> _Array:
    """The nearest matrix without negative directions; nan rows stay."""
    finite = np.isfinite(np.diag(covariance))
    square = np.ix_(finite, finite)
    values, vectors = np.linalg.eigh(covariance[square])
    result = np.full_like(covariance, np.nan)
    result[square] = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return result


def with_errors(fit: BradleyTerry, covariance: _Array, freedom: _Array) -> BradleyTerry:
    """The fit with this covariance in points squared; nan where two competitors are of different components."""
    error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    half_width = student_quantile(fit.level, freedom) * error
    is_connected = fit.component[:, None] == fit.component
    return replace(
        fit,
        error=error,
        low=fit.rating - half_width,
        high=fit.rating + half_width,
        covariance=np.where(is_connected & ~np.isnan(fit.rating), covariance, np.nan),
    )


def sums_by_cluster(
    rows: ClusteredRows, curvature: Curvature, component: NDArray[np.int64], features: _Array | None = None
) -> ClusterSums:
    """Corrected sums over clusters; `features` [n, k] are those of a style fit, whose parameters follow the others."""
    from arena_rating._kernels.clusters import cluster_sums

    table = read_only(np.empty((len(rows.log), 0)) if features is None else features)
    fit = curvature.place, curvature.curve, curvature.inverse, curvature.bread
    blocks = rows.sums(cluster_sums, table, *map(np.ascontiguousarray, fit), LARGEST)
    meat, squares, fourths, clusters = (np.stack(parts).sum(axis=0) for parts in zip(*blocks, strict=True))
    total = np.full(len(curvature.place), float(len(rows)))
    if component.max(initial=0) > 0:
        total[: len(component)] = _clusters_by_component(rows, component)
    factor = np.where(total < FEWEST, np.nan, (total - 1) / np.maximum(total, 1))
    return ClusterSums(meat, squares, fourths, clusters, factor)


def _clusters_by_component(rows: ClusteredRows, component: NDArray[np.int64]) -> _Array:
    """Clusters with a vote in each competitor's component, [m]."""
    cluster = np.repeat(np.arange(len(rows)), np.diff(rows.ends, prepend=0))
    pairs = np.unique(np.stack([component[rows.log.left[rows.order]], cluster]), axis=1)
    return np.bincount(pairs[0], minlength=int(component.max()) + 1)[component].astype(np.float64)


def curvature_of(fit: BradleyTerry, counts: PairCounts) -> Curvature:
    """H and its inverse by component; competitors without a battle have no influence."""
    size = len(fit.names)
    place, curve = np.nan_to_num(fit.strength), np.eye(size)
    inverse, bread = np.zeros((size, size)), np.zeros((size, size))
    for number in np.unique(fit.component):
        members = np.flatnonzero(fit.component == number)
        if len(members) > 1:
            part, square = subset(counts, members), np.ix_(members, members)
            curve[square] = derivatives(place[members], part.scores, part.battles, fit.prior)[1]
            inverse[square] = np.linalg.inv(curve[square])
            bread[square] = inverse[square] @ centring(part.battles).T
    return Curvature(place, curve, inverse, bread)


def _with_covariance(
    fit: BradleyTerry, covariance: _Array, sums: ClusterSums, freedom: _Array | None = None
) -> ClusteredFit:
    degrees = sums.freedom if freedom is None else freedom
    with np.errstate(invalid="ignore", divide="ignore"):
        wider = np.fmax(fit.error / (fit.unit * np.sqrt(np.diag(covariance))), 1.0)
    wider[sums.clusters >= ENOUGH] = 1.0
    result = with_errors(fit, fit.unit**2 * np.outer(wider, wider) * covariance, degrees)
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = (result.error / fit.error) ** 2
    return ClusteredFit(result, degrees, sums.clusters, effect, sums.meat)


def _independent(fit: BradleyTerry, log: Comparisons, counts: PairCounts) -> ClusteredFit:
    size = len(fit.names)
    is_counted = np.ones(len(log), np.bool_) if log.weight is None else log.weight > 0
    votes = sum(np.bincount(side[is_counted], minlength=size) for side in (log.left, log.right))
    return ClusteredFit(
        fit=fit,
        freedom=np.full(size, np.inf),
        clusters=np.asarray(votes, np.int64),
        design_effect=fit.error / fit.error,
        meat=squared_residuals(counts, np.nan_to_num(fit.strength)),
    )

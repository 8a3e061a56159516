"""Style-controlled Bradley-Terry: ratings as if all competitors wrote in the same style.

P(left beats right) = 1 / (1 + exp(-(theta_left - theta_right + x . beta))), where x are the style differences of a
comparison (`style_features`) and beta is how much voters like each. The rest is as in `bradley_terry`: a tie of either
kind is half a win, each competitor and each coefficient has a virtual draw with the weight of `prior` battles, and
intervals are sandwich intervals, by cluster if the log has voters (`clusters`).

Features are divided by their root mean square over the log, which makes coefficients comparable. They are not centred,
since swapping the sides of a row must change only the sign of x. A feature that is constant over all rows tells nothing
about style, so it is dropped and reported. The exception is the column of ones named by `constant`, whose coefficient
is the advantage of the left side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import PRIOR, BradleyTerry, bradley_terry, virtual_noise
from arena_rating.clusters import (
    ClusteredRows,
    Curvature,
    claimed_pairs,
    difference_errors,
    number_of_votes,
    sums_by_cluster,
    votes_by_competitor,
)
from arena_rating.comparisons import Comparisons, read_only
from arena_rating.counts import PairCounts, pair_counts
from arena_rating.errors import BadComparisons, BadParameters, NotConverged
from arena_rating.rank_sets import rank_sets
from arena_rating.student import student_quantile

_MAX_STEPS: Final = 100
_TOLERANCE: Final = 1e-7
"""Length of the last Newton step: the distance to the maximum is then about its square."""
_BLOCKS: Final = 8
_PIECE: Final = 1 << 16
"""Rows of features that are made at a time."""
_HUGE: Final = 1e100
"""Bound of features, so that their squares do not overflow."""
_Array = NDArray[np.float64]
_Sums = tuple[_Array, _Array, _Array, _Array]


@dataclass(frozen=True, slots=True, eq=False)
class StyleBradleyTerry:
    """A style-controlled fit; ratings in points, as in `BradleyTerry`, for answers of equal style.

    Attributes:
        names: The m competitors.
        rating: float64 [m]; nan, like its error and interval, without a battle.
        error: float64 [m], robust standard error.
        low: float64 [m], lower end of the interval.
        high: float64 [m], upper end.
        covariance: float64 [m, m] of the ratings, in points squared; nan between components.
        component: int64 [m], as in `BradleyTerry`.
        rank_low: int64 [m], best rank by `rank_sets`, as a rule from differences that are claims.
        rank_high: int64 [m], worst rank.
        features: The k features in the fit.
        coefficient: float64 [k], log-odds per root mean square of the feature; above 0 if voters like more of it.
        coefficient_error: float64 [k], robust standard error.
        spread: float64 [k], root mean squares of the features.
        dropped: Features that are constant over all rows.
        prior: Weight of the virtual draws.
        level: Nominal coverage of the intervals.
        iterations: Newton steps.
        gradient: Largest component of the final gradient, in battles per natural unit.
    """

    names: tuple[str, ...]
    rating: _Array
    error: _Array
    low: _Array
    high: _Array
    covariance: _Array
    component: NDArray[np.int64]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    features: tuple[str, ...]
    coefficient: _Array
    coefficient_error: _Array
    spread: _Array
    dropped: tuple[str, ...]
    prior: float
    level: float
    iterations: int
    gradient: float


class FeatureRows(Protocol):
    """A table of features [n, k] whose rows are made when they are asked for, as it may not fit into memory."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def __getitem__(self, rows: slice | NDArray[np.int64], /) -> _Array: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    """The unscaled columns in the fit, those of `table` that `varies` tells, with root mean squares `spread` [k].

    A constant feature of the table is not in the fit, unless it is the one named so.
    """

    names: tuple[str, ...]
    dropped: tuple[str, ...]
    spread: _Array
    varies: NDArray[np.bool_]
    table: FeatureRows

    def __getitem__(self, rows: slice | NDArray[np.int64]) -> _Array:
        """Some rows, [m, k]."""
        table = self.table[rows]
        return read_only(table if self.varies.all() else np.compress(self.varies, table, axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The log with its features; sums run over blocks that depend on its length alone, so that bits are stable."""

    log: Comparisons
    features: _Features
    executor: Executor | None

    def sums(self, theta: _Array, beta: _Array, *, is_squared: bool) -> tuple[_Array, _Array]:
        """Gradient [m + k] and H of the rows' log-likelihood, or J if `is_squared`, [m + k, m + k].

        The kernel works on the unscaled features; dividing its sums costs less than dividing the table.
        """
        ends = [len(self.log) * block // _BLOCKS for block in range(_BLOCKS + 1)]
        slope = beta / self.features.spread
        # One after the other without an executor, so that the features of one block are in memory.
        tasks = (self._task(first, last, theta, slope, is_squared=is_squared) for first, last in pairwise(ends))
        if self.executor is None:
            blocks = [task() for task in tasks]
        else:
            futures = [self.executor.submit(task) for task in tasks]
            blocks = [future.result() for future in futures]
        total, matrix = _assemble(blocks, len(theta), len(beta))
        divisor = np.concatenate([np.ones(len(theta)), self.features.spread])
        return total / divisor, matrix / (divisor * divisor[:, None])

    def _task(self, first: int, last: int, theta: _Array, slope: _Array, *, is_squared: bool) -> Callable[[], _Sums]:
        from arena_rating._kernels.style import row_sums

        log, rows = self.log, slice(first, last)
        columns = log.left[rows], log.right[rows], log.outcome[rows], log.frequency[rows]
        return partial(row_sums, *columns, self.features[rows], theta, slope, is_squared)


def style_bradley_terry(
    comparisons: Comparisons,
    features: NDArray[np.float64] | FeatureRows,
    *,
    feature_names: Sequence[str] | None = None,
    constant: str | None = None,
    init: float = 1000.0,
    base: float = 10.0,
    scale: float = 400.0,
    prior: float = PRIOR,
    level: float = 0.95,
    claims: bool = True,
    executor: Executor | None = None,
) -> StyleBradleyTerry:
    """Fit strengths and feature coefficients jointly.

    `features` is float64 [n, k], left minus right, one row per comparison, or a table that makes such rows again at
    each step; without `feature_names` the columns are named by number. A feature that is constant is dropped, except
    the one named `constant`: a column of ones is the advantage of the left side. Best and worst ranks are from
    differences that are claims (`claimed_pairs`), as on the board; without `claims` they hold at one look. The bits do
    not depend on the executor, which should have threads: processes would receive the rows at every step.

    Raises:
        BadComparisons: `features` has another shape or a value that is not finite.
        BadParameters: An argument outside its range.
        Unbounded: `prior` is 0 and the plain likelihood has no finite maximum.
        NotConverged: The steps did not vanish, as with `prior=0` and linearly dependent features.
    """
    counts = pair_counts(comparisons)
    fit = bradley_terry(counts, init=init, base=base, scale=scale, prior=prior, level=level)
    rows = _Rows(comparisons, _variable_features(comparisons, features, feature_names, constant), executor)
    start = np.concatenate([np.nan_to_num((fit.rating - init) / fit.unit), np.zeros(len(rows.features.names))])
    return _result(rows, _newton(rows, start, counts, fit), fit, init, claims=claims)


@dataclass(frozen=True, slots=True, eq=False)
class _Maximum:
    """The maximum (theta, beta) [m + k] in natural units, with theta centred by component."""

    estimate: _Array
    covariance: _Array
    freedom: _Array
    clusters: NDArray[np.int64]
    steps: int
    gradient: float


def _result(rows: _Rows, maximum: _Maximum, fit: BradleyTerry, init: float, *, claims: bool) -> StyleBradleyTerry:
    variables, m, label, unit, unmet = rows.features, len(fit.names), fit.component, fit.unit, np.isnan(fit.rating)
    rating = np.where(unmet, np.nan, init + unit * maximum.estimate[:m])
    deviation = np.sqrt(np.maximum(np.diag(maximum.covariance), 0.0))
    error = np.where(unmet, np.nan, unit * deviation[:m])
    quantile = student_quantile(fit.level, np.append(maximum.freedom[:m], np.inf))
    half_width, is_connected = quantile[:-1] * error, (label[:, None] == label) & ~unmet
    covariance = np.where(is_connected, unit**2 * maximum.covariance[:m, :m], np.nan)
    stretch, allowed = quantile[:-1] / quantile[-1], None
    if claims:
        natural, errors = rating / unit, difference_errors(covariance, unit)
        votes, clusters = number_of_votes(rows.log), maximum.clusters[:m]
        allowed = claimed_pairs(natural, errors, quantile[:-1], clusters, votes, fit.level)
    rank_low, rank_high = rank_sets(
        rating, covariance, label, seed=0, level=fit.level, stretch=stretch, allowed=allowed
    )
    return StyleBradleyTerry(
        names=fit.names,
        rating=rating,
        error=error,
        low=rating - half_width,
        high=rating + half_width,
        covariance=covariance,
        component=label,
        rank_low=rank_low,
        rank_high=rank_high,
        features=variables.names,
        coefficient=maximum.estimate[m:],
        coefficient_error=deviation[m:],
        spread=variables.spread,
        dropped=variables.dropped,
        prior=fit.prior,
        level=fit.level,
        iterations=maximum.steps,
        gradient=maximum.gradient,
    )


def _variable_features(
    log: Comparisons, features: NDArray[np.float64] | FeatureRows, names: Sequence[str] | None, constant: str | None
) -> _Features:
    table = _table(log, features)
    labels = tuple(map(str, range(table.shape[1]))) if names is None else tuple(names)
    if len(labels) != table.shape[1] or len(set(labels)) < len(labels):
        raise BadParameters("every feature needs a unique name")
    if constant is not None and constant not in labels:
        raise BadParameters(f"there is no feature {constant!r}")
    smallest, largest, square = _spread(log, table)
    is_constant = np.array([label == constant for label in labels], np.bool_)
    varies = (largest - smallest > 1 / _HUGE) | (is_constant & (square > 0))
    return _Features(
        names=tuple(name for name, keep in zip(labels, varies, strict=True) if keep),
        dropped=tuple(name for name, keep in zip(labels, varies, strict=True) if not keep),
        spread=np.sqrt(square[varies]),
        varies=varies,
        table=table,
    )


def _spread(log: Comparisons, table: FeatureRows) -> tuple[_Array, _Array, _Array]:
    """Each column's minimum, maximum and mean square, [k]."""
    from arena_rating._kernels.style import add_columns

    totals = np.zeros((4, table.shape[1]))
    totals[0], totals[1] = np.inf, -np.inf
    for start in range(0, len(log), _PIECE):
        rows = slice(start, start + _PIECE)
        bad_row = add_columns(read_only(table[rows]), log.frequency[rows], _HUGE, totals)
        if bad_row >= 0:
            raise BadComparisons(f"row {start + bad_row}: a feature is not a number within {_HUGE:g} of 0")
    with np.errstate(invalid="ignore"):
        return totals[0], totals[1], totals[2] / totals[3]


def _table(log: Comparisons, features: NDArray[np.float64] | FeatureRows) -> FeatureRows:
    table: FeatureRows = features
    if isinstance(features, np.ndarray) or not hasattr(features, "shape"):
        try:
            table = read_only(np.ascontiguousarray(features, np.float64))
        except (TypeError, ValueError) as error:
            raise BadComparisons(f"features are not numbers: {error}") from None
    if len(table.shape) != 2 or table.shape[0] != len(log):
        raise BadComparisons(f"features have the shape {table.shape}, not a row for each of {len(log)} comparisons")
    return table


def _newton(rows: _Rows, x: _Array, counts: PairCounts, fit: BradleyTerry) -> _Maximum:
    """Newton's method from x = (theta, beta) with steps of at most 1."""
    m, prior = len(fit.names), fit.prior
    ridge = fit.component[:, None] == fit.component if prior == 0 else np.zeros((m, m))
    for steps in range(1, _MAX_STEPS):
        slope, hessian = rows.sums(x[:m], x[m:], is_squared=False)
        win = 0.5 + 0.5 * np.tanh(0.5 * x)
        hessian = hessian + np.diag(prior * win * (1 - win))
        if m:
            hessian[:m, :m] += ridge * (np.diag(hessian)[:m].mean() / m)
        step = _solve(hessian, slope + prior * (0.5 - win))
        longest = float(np.abs(step).max(initial=0.0))
        x = x + step / max(1.0, longest)
        if longest <= _TOLERANCE:
            centre = _centring_matrix(counts, fit.component, len(x))
            return _with_clusters(rows, _maximum(rows, x, hessian, centre, prior, steps), x, hessian, centre, fit)
    raise NotConverged(f"the steps have not vanished after {_MAX_STEPS}")


def _maximum(rows: _Rows, x: _Array, hessian: _Array, centre: _Array, prior: float, steps: int) -> _Maximum:
    m = len(rows.log.names)
    slope, noise = rows.sums(x[:m], x[m:], is_squared=True)
    win = 0.5 + 0.5 * np.tanh(0.5 * x)
    noise = noise + np.diag(0.5 * prior * ((1 - win) ** 2 + win**2))
    bread = _solve(hessian, centre.T).T
    return _Maximum(
        estimate=centre @ x,
        covariance=bread @ noise @ bread.T,
        freedom=np.full(len(x), np.inf),
        clusters=votes_by_competitor(rows.log),
        steps=steps,
        gradient=float(np.abs(slope + prior * (0.5 - win)).max(initial=0.0)),
    )


def _with_clusters(
    rows: _Rows, maximum: _Maximum, x: _Array, hessian: _Array, centre: _Array, fit: BradleyTerry
) -> _Maximum:
    """The maximum, with a covariance by cluster if the log has voters; the sums take unscaled features."""
    if rows.log.voter is None:
        return maximum
    unit = np.concatenate([np.ones(len(fit.names)), rows.features.spread])
    inverse = _solve(hessian, np.eye(len(x)))
    bread = inverse @ centre.T
    units = np.outer(unit, unit)
    curvature = Curvature(x / unit, hessian * units, inverse / units, bread / unit[:, None])
    sums = sums_by_cluster(ClusteredRows.of(rows.log), curvature, fit.component, rows.features.__getitem__)
    factor = np.sqrt(np.nan_to_num(np.outer(sums.factor, sums.factor)))
    noise = factor * sums.meat / units + np.diag(virtual_noise(x, fit.prior))
    covariance = bread.T @ noise @ bread
    covariance[np.isnan(sums.factor)] = np.nan
    return replace(maximum, covariance=covariance, freedom=sums.freedom, clusters=sums.clusters)


def _solve(hessian: _Array, vector: _Array) -> _Array:
    try:
        result = cast("_Array", np.linalg.solve(hessian, vector))
    except np.linalg.LinAlgError:
        raise NotConverged("the likelihood is flat: give more weight to the prior") from None
    if not np.isfinite(result).all():
        raise NotConverged("the likelihood is flat: give more weight to the prior")
    return result


def _centring_matrix(counts: PairCounts, label: NDArray[np.int64], size: int) -> _Array:
    """The matrix that subtracts from theta each component's mean weighted by battles, and keeps beta."""
    matrix, battles = np.eye(size), counts.battles.sum(axis=1)
    for number in np.unique(label[battles > 0]):
        members = np.flatnonzero(label == number)
        matrix[np.ix_(members, members)] -= battles[members] / battles[members].sum()
    return matrix


def _sum(parts: Iterable[_Array]) -> _Array:
    return np.stack(list(parts)).sum(axis=0)


def _assemble(blocks: Iterable[_Sums], m: int, k: int) -> tuple[_Array, _Array]:
    """Gradient and matrix for (theta, beta) from the sums of the blocks, added in order."""
    pairs, cross, beta_gradient, inner = (_sum(parts) for parts in zip(*blocks, strict=True))
    battles, matrix = pairs[:, :, 0] + pairs[:, :, 0].T, np.empty((m + k, m + k))
    matrix[:m, :m] = np.diag(battles.sum(axis=1)) - battles
    matrix[:m, m:], matrix[m:, :m] = cross, cross.T
    matrix[m:, m:] = inner + np.tril(inner, -1).T
    return np.concatenate([pairs[:, :, 1].sum(axis=1) - pairs[:, :, 1].sum(axis=0), beta_gradient]), matrix

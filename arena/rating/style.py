"""Bradley-Terry with the style of the answers held equal: how strong would all be if they wrote alike?

P(left beats right) = 1 / (1 + exp(-(theta_left - theta_right + x . beta))), where x holds the differences of style of
one comparison (see `style_features`) and beta how much voters like each. Everything else is as in `bradley_terry`: a
tie of either kind is half a win, each competitor draws `prior` of a battle against a virtual average one, and so does
each coefficient; the intervals are sandwich intervals. So two columns with and without style differ by style alone.

Features are divided by their root mean square over the log, which makes coefficients comparable; they are not centred,
since swapping the sides of a row must change no more than the sign of x. One that is the same in every row is dropped
and named: it says nothing about style.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import NormalDist
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from arena.rating.bradley_terry import PRIOR, BradleyTerry, bradley_terry, rank_bounds
from arena.rating.comparisons import Comparisons, read_only
from arena.rating.counts import PairCounts, pair_counts
from arena.rating.errors import BadComparisons, BadParameters, NotConverged

_STEPS: Final = 100
_NEAR: Final = 1e-7
"""A Newton step this short lands within its square of the maximum, and its curvature is as close as itself."""
_BLOCKS: Final = 8
_HUGE: Final = 1e100
"""Beyond it squares leave the range of a float."""
_Array = NDArray[np.float64]
_Sums = tuple[_Array, _Array, _Array, _Array]


@dataclass(frozen=True, slots=True, eq=False)
class StyleBradleyTerry:
    """A style-controlled fit; ratings in points, as in `BradleyTerry`, for answers of equal style.

    Attributes:
        names: The m competitors.
        rating: float64 [m]; nan, as all floats of the row, for who never met anybody.
        error: float64 [m], robust standard error.
        low: float64 [m], lower end of the interval.
        high: float64 [m], upper end.
        covariance: float64 [m, m] of the ratings, in points squared; nan between components.
        component: int64 [m], as in `BradleyTerry`.
        rank_low: int64 [m], best rank that the intervals allow.
        rank_high: int64 [m], worst one.
        features: The k features in the fit.
        coefficient: float64 [k], in natural units (log-odds) per root mean square of the feature; above 0 means that
            voters like more of it.
        coefficient_error: float64 [k], robust standard error.
        spread: float64 [k], the root mean squares.
        dropped: Features that are the same in every row.
        prior: The weight of the virtual draws.
        level: What an interval shall cover.
        iterations: Newton steps.
        converged: Whether the steps vanished; True whenever there is a result.
        gradient: Largest remaining slope of the log-likelihood, in battles per natural unit.
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
    converged: bool
    gradient: float


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    """The columns that vary, [n, k], as given, and by what to divide them."""

    names: tuple[str, ...]
    dropped: tuple[str, ...]
    spread: _Array
    table: _Array


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The log with its features, to be summed in blocks whose bounds depend on its length alone."""

    log: Comparisons
    features: _Features
    executor: Executor | None

    def sums(self, theta: _Array, beta: _Array, *, squared: bool) -> tuple[_Array, _Array]:
        """Slope [m + k] and curvature of the rows' log-likelihood, or their noise if `squared`, [m + k, m + k].

        The kernel works on the features as they are; dividing its sums costs less than dividing the table.
        """
        ends = [len(self.log) * block // _BLOCKS for block in range(_BLOCKS + 1)]
        slope = beta / self.features.spread
        tasks = [self._task(first, last, theta, slope, squared=squared) for first, last in pairwise(ends)]
        if self.executor is None:
            done = [task() for task in tasks]
        else:
            futures = [self.executor.submit(task) for task in tasks]
            done = [future.result() for future in futures]
        total, matrix = _assembled(done, len(theta), len(beta))
        divisor = np.concatenate([np.ones(len(theta)), self.features.spread])
        return total / divisor, matrix / (divisor * divisor[:, None])

    def _task(self, first: int, last: int, theta: _Array, slope: _Array, *, squared: bool) -> Callable[[], _Sums]:
        from arena.rating.style_kernels import row_sums  # noqa: PLC0415 - numba loads at the first use

        log, rows = self.log, slice(first, last)
        columns = log.left[rows], log.right[rows], log.outcome[rows], log.frequency[rows], self.features.table[rows]
        return partial(row_sums, *columns, theta, slope, squared)


def style_bradley_terry(
    comparisons: Comparisons,
    features: NDArray[np.float64],
    *,
    feature_names: Sequence[str] | None = None,
    init: float = 1000.0,
    base: float = 10.0,
    scale: float = 400.0,
    prior: float = PRIOR,
    level: float = 0.95,
    executor: Executor | None = None,
) -> StyleBradleyTerry:
    """Fit strengths and the liking of each feature together.

    `features` is float64 [n, k], left minus right, a row per comparison; without `feature_names` the columns are
    called by their numbers. The bits do not depend on the executor; threads are what it is for, as the rows would
    travel to a process at every step.

    Raises:
        BadComparisons: `features` has another shape or a value that is not finite.
        BadParameters: An argument outside its range.
        Unbounded: `prior` is 0 and the plain likelihood has no finite maximum.
        NotConverged: The steps did not vanish, as with `prior=0` and features that determine each other.
    """
    counts = pair_counts(comparisons)
    plain = bradley_terry(counts, init=init, base=base, scale=scale, prior=prior, level=level)
    known = _varying(comparisons, features, feature_names)
    rows = _Rows(comparisons, known, executor)
    unit = scale / math.log(base)
    start = np.concatenate([np.nan_to_num((plain.rating - init) / unit), np.zeros(len(known.names))])
    return _in_points(known, _climb(rows, start, counts, plain), plain, init, unit)


@dataclass(frozen=True, slots=True, eq=False)
class _Top:
    """Where the climb ended, in natural units: (theta, beta), each component centred."""

    place: _Array
    covariance: _Array
    steps: int
    gradient: float


def _in_points(known: _Features, top: _Top, plain: BradleyTerry, init: float, unit: float) -> StyleBradleyTerry:
    m, label, unmet = len(plain.names), plain.component, np.isnan(plain.rating)
    rating = np.where(unmet, np.nan, init + unit * top.place[:m])
    deviation = np.sqrt(np.maximum(np.diag(top.covariance), 0.0))
    error = np.where(unmet, np.nan, unit * deviation[:m])
    half = NormalDist().inv_cdf(0.5 + plain.level / 2) * error
    rank_low, rank_high = rank_bounds(rating - half, rating + half, label)
    together = (label[:, None] == label) & ~unmet
    return StyleBradleyTerry(
        names=plain.names,
        rating=rating,
        error=error,
        low=rating - half,
        high=rating + half,
        covariance=np.where(together, unit**2 * top.covariance[:m, :m], np.nan),
        component=label,
        rank_low=rank_low,
        rank_high=rank_high,
        features=known.names,
        coefficient=top.place[m:],
        coefficient_error=deviation[m:],
        spread=known.spread,
        dropped=known.dropped,
        prior=plain.prior,
        level=plain.level,
        iterations=top.steps,
        converged=True,
        gradient=top.gradient,
    )


def _varying(log: Comparisons, features: NDArray[np.float64], names: Sequence[str] | None) -> _Features:
    from arena.rating.style_kernels import columns  # noqa: PLC0415 - numba loads at the first use

    table = _table(log, features)
    called = tuple(map(str, range(table.shape[1]))) if names is None else tuple(names)
    if len(called) != table.shape[1] or len(set(called)) < len(called):
        raise BadParameters("every feature needs a name of its own")
    bad, least, largest, square = columns(table, log.frequency, _HUGE)
    if bad >= 0:
        raise BadComparisons(f"row {bad}: a feature is not a number within {_HUGE:g} of 0")
    kept = largest - least > 1 / _HUGE
    return _Features(
        names=tuple(name for name, keep in zip(called, kept, strict=True) if keep),
        dropped=tuple(name for name, keep in zip(called, kept, strict=True) if not keep),
        spread=np.sqrt(square[kept]),
        table=table if kept.all() else read_only(np.ascontiguousarray(table[:, kept])),
    )


def _table(log: Comparisons, features: NDArray[np.float64]) -> _Array:
    try:
        table = np.ascontiguousarray(features, np.float64)
    except (TypeError, ValueError) as error:
        raise BadComparisons(f"features are not numbers: {error}") from None
    if table.ndim != 2 or len(table) != len(log):  # noqa: PLR2004 - rows and columns
        raise BadComparisons(f"features have the shape {table.shape}, not a row for each of {len(log)} comparisons")
    return read_only(table)


def _climb(rows: _Rows, x: _Array, counts: PairCounts, plain: BradleyTerry) -> _Top:
    """Newton's method from x = (theta, beta) with steps of at most 1."""
    m, prior = len(plain.names), plain.prior
    free = plain.component[:, None] == plain.component if prior == 0 else np.zeros((m, m))
    for steps in range(1, _STEPS):
        slope, curve = rows.sums(x[:m], x[m:], squared=False)
        own = 0.5 + 0.5 * np.tanh(0.5 * x)
        curve = curve + np.diag(prior * own * (1 - own))
        if m:
            curve[:m, :m] += free * (np.diag(curve)[:m].mean() / m)
        step = _solved(curve, slope + prior * (0.5 - own))
        longest = float(np.abs(step).max(initial=0.0))
        x = x + step / max(1.0, longest)
        if longest <= _NEAR:
            return _top(rows, x, curve, _centring(counts, plain.component, len(x)), prior, steps)
    raise NotConverged(f"the steps have not vanished after {_STEPS}")


def _top(rows: _Rows, x: _Array, curve: _Array, centring: _Array, prior: float, steps: int) -> _Top:
    m = len(rows.log.names)
    slope, noise = rows.sums(x[:m], x[m:], squared=True)
    own = 0.5 + 0.5 * np.tanh(0.5 * x)
    noise = noise + np.diag(0.5 * prior * ((1 - own) ** 2 + own**2))
    bread = _solved(curve, centring.T).T
    return _Top(
        place=centring @ x,
        covariance=bread @ noise @ bread.T,
        steps=steps,
        gradient=float(np.abs(slope + prior * (0.5 - own)).max(initial=0.0)),
    )


def _solved(curve: _Array, right: _Array) -> _Array:
    try:
        found = cast("_Array", np.linalg.solve(curve, right))
    except np.linalg.LinAlgError:
        raise NotConverged("the likelihood is flat: give more weight to the prior") from None
    if not np.isfinite(found).all():
        raise NotConverged("the likelihood is flat: give more weight to the prior")
    return found


def _centring(counts: PairCounts, label: NDArray[np.int64], size: int) -> _Array:
    """The matrix that takes each component's mean over the sides of its battles off theta, and leaves beta."""
    matrix, met = np.eye(size), counts.battles.sum(axis=1)
    for number in np.unique(label[met > 0]):
        members = np.flatnonzero(label == number)
        matrix[np.ix_(members, members)] -= met[members] / met[members].sum()
    return matrix


def _added(parts: Iterable[_Array]) -> _Array:
    return np.stack(list(parts)).sum(axis=0)


def _assembled(blocks: Iterable[_Sums], m: int, k: int) -> tuple[_Array, _Array]:
    """Add the blocks in their order and lay them out for (theta, beta)."""
    pairs, mixed, tail, inner = (_added(parts) for parts in zip(*blocks, strict=True))
    both, matrix = pairs[:, :, 0] + pairs[:, :, 0].T, np.empty((m + k, m + k))
    matrix[:m, :m] = np.diag(both.sum(axis=1)) - both
    matrix[:m, m:], matrix[m:, :m] = mixed, mixed.T
    matrix[m:, m:] = inner + np.tril(inner, -1).T
    return np.concatenate([pairs[:, :, 1].sum(axis=1) - pairs[:, :, 1].sum(axis=0), tail]), matrix

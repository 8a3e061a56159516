"""Bradley-Terry ratings by maximum likelihood, with robust intervals and rank bounds.

P(i beats j) = 1 / (1 + exp(theta_j - theta_i)); a tie of either kind is half a win for each. The fit uses pair counts
only, so its cost does not grow with the log. Each connected component is fitted separately and has its own scale.

The prior is a draw of every competitor against a virtual average one (theta = 0), with the weight of `prior` battles.
With the default it moves a competitor with hundreds of battles by a small fraction of its interval, and keeps an
undefeated newcomer finite, with a wide interval. `prior=0` is plain maximum likelihood.

Intervals come from the sandwich covariance H^-1 J H^-1 (Huber 1967): H is the Hessian of the negative log-likelihood,
J the sum of outer products of the votes' scores. H^-1 alone would be too wide, since ties vary less than wins.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from arena_rating.components import components, strongly_connected
from arena_rating.counts import PairCounts, Votes, counts_of
from arena_rating.errors import BadParameters, NotConverged, Unbounded

PRIOR: Final = 0.1
"""Default weight of the virtual draw, in battles."""

_TOLERANCE: Final = 1e-10
_MAX_STEPS: Final = 200
_MAX_HALVINGS: Final = 40


@dataclass(frozen=True, slots=True, eq=False)
class BradleyTerry:
    """Ratings in points; in each component their mean, weighted by battles, is `init`.

    Unlike the plain mean, the weighted one is hardly affected by a newcomer, whose rating may be extreme. A competitor
    without a battle has nan in all float arrays.

    Attributes:
        names: The m competitors.
        rating: float64 [m].
        strength: float64 [m], theta in natural units, not centred.
        unit: Points per natural unit.
        error: float64 [m], robust standard error of the difference from the weighted mean.
        low: float64 [m], lower end of the interval.
        high: float64 [m], upper end.
        covariance: float64 [m, m] of the ratings, in points squared; nan between components.
        component: int64 [m], label; 0 is the largest. Ratings of two components must not be compared.
        rank_low: int64 [m], best rank in the component that the intervals allow, by `rank_bounds`.
        rank_high: int64 [m], worst such rank.
        prior: Weight of the virtual draw.
        level: Nominal coverage of the intervals.
        iterations: Newton steps of the longest fit.
        gradient: Largest component of the final gradient, in battles per natural unit.
    """

    names: tuple[str, ...]
    rating: NDArray[np.float64]
    strength: NDArray[np.float64]
    unit: float
    error: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    covariance: NDArray[np.float64]
    component: NDArray[np.int64]
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    prior: float
    level: float
    iterations: int
    gradient: float


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A fit of one or all components in natural units; `theta` is `strength` with a mean of 0."""

    theta: NDArray[np.float64]
    strength: NDArray[np.float64]
    covariance: NDArray[np.float64]
    iterations: int
    gradient: float


def bradley_terry(
    votes: Votes,
    *,
    init: float = 1000.0,
    base: float = 10.0,
    scale: float = 400.0,
    prior: float = PRIOR,
    level: float = 0.95,
    squares: PairCounts | None = None,
) -> BradleyTerry:
    """Fit every component; ratings are init + scale / ln(base) * (theta - mean of theta over battles).

    `votes` are a log, a data frame, or counts per pair. The errors take votes as independent; `clustered` does not.

    `squares` are counts of squared weights, from which J is computed. Pass them if a weight is an importance, as in
    `inverse_probability`, and not a frequency.

    Raises:
        BadParameters: An argument outside its range.
        Unbounded: `prior` is 0 and the likelihood has no finite maximum.
        NotConverged: The gradient did not vanish, as with a prior too small for an undefeated competitor.
    """
    _check(base, scale, prior, level)
    counts = counts_of(votes)
    unit, label = scale / math.log(base), components(counts.battles)
    fit = _fit_components(counts, counts if squares is None else squares, label, prior)
    rating, error = init + unit * fit.theta, unit * np.sqrt(np.maximum(np.diag(fit.covariance), 0.0))
    half = NormalDist().inv_cdf(0.5 + level / 2) * error
    rank_low, rank_high = rank_bounds(rating - half, rating + half, label)
    return BradleyTerry(
        names=counts.names,
        rating=rating,
        strength=fit.strength,
        unit=unit,
        error=error,
        low=rating - half,
        high=rating + half,
        covariance=unit**2 * fit.covariance,
        component=label,
        rank_low=rank_low,
        rank_high=rank_high,
        prior=prior,
        level=level,
        iterations=fit.iterations,
        gradient=fit.gradient,
    )


def rank_bounds(
    low: NDArray[np.float64], high: NDArray[np.float64], component: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Best and worst rank [m] in the component by intervals that do not overlap (the rule of Chatbot Arena).

    The best is 1 + the number of competitors whose interval lies above this one's. The rule is conservative:
    `rank_bounds_by_difference` separates more pairs.
    """
    same_component = component[:, None] == component
    better_count = (same_component & (low > high[:, None])).sum(axis=1)
    worse_count = (same_component & (high < low[:, None])).sum(axis=1)
    return 1 + better_count, same_component.sum(axis=1) - worse_count


def _check(base: float, scale: float, prior: float, level: float) -> None:
    if not (math.isfinite(base) and base > 1 and math.isfinite(scale) and scale > 0):
        raise BadParameters("base must be above 1 and scale above 0")
    if not (math.isfinite(prior) and prior >= 0 and 0 < level < 1):
        raise BadParameters("prior must be at least 0 and level between 0 and 1")


def _fit_components(counts: PairCounts, squares: PairCounts, label: NDArray[np.int64], prior: float) -> _Fit:
    """Fits of all components; nan for competitors without a battle and between components."""
    size, steps, gradient = len(counts.names), 0, 0.0
    theta, strength, covariance = np.full(size, np.nan), np.full(size, np.nan), np.full((size, size), np.nan)
    for number in range(int(label.max(initial=-1)) + 1):
        members = np.flatnonzero(label == number)
        if len(members) > 1:
            fit = _fit(subset(counts, members), subset(squares, members), prior)
            theta[members], strength[members] = fit.theta, fit.strength
            covariance[np.ix_(members, members)] = fit.covariance
            steps, gradient = max(steps, fit.iterations), max(gradient, fit.gradient)
    return _Fit(theta, strength, covariance, steps, gradient)


def subset(counts: PairCounts, members: NDArray[np.intp]) -> PairCounts:
    """The counts between these competitors, ascending."""
    if len(members) == len(counts.names):
        return counts
    square = np.ix_(members, members)
    names = tuple(counts.names[int(member)] for member in members)
    return PairCounts(names, counts.wins[square], counts.ties[square], counts.both_bad[square])


def _chance(difference: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + exp(-difference)), without overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * difference)


def _loss(theta: NDArray[np.float64], scores: NDArray[np.float64], prior: float) -> float:
    """Negative log-likelihood."""
    virtual = 0.5 * prior * (_softplus(theta) + _softplus(-theta))
    return float((scores * _softplus(theta - theta[:, None])).sum() + virtual.sum())


def _softplus(difference: NDArray[np.float64]) -> NDArray[np.float64]:
    """log(1 + exp(difference)), without overflow; four times as fast as np.logaddexp."""
    return np.maximum(difference, 0.0) + np.log1p(np.exp(-np.abs(difference)))


def _fit(counts: PairCounts, squares: PairCounts, prior: float) -> _Fit:
    """Newton's method with step halving from equal strengths; one full step more once the gradient has vanished."""
    scores, battles = counts.scores, counts.battles
    if prior == 0 and not strongly_connected(scores > 0):
        raise Unbounded("a group of competitors took no point, or every point, from the others")
    theta, tolerance = np.zeros(len(scores)), _TOLERANCE + 16 * np.finfo(float).eps * battles.sum(axis=1)
    loss = _loss(theta, scores, prior)
    for step in range(1, _MAX_STEPS):
        gradient, hessian = derivatives(theta, scores, battles, prior)
        change = _solve(hessian, gradient)
        if (np.abs(gradient) <= tolerance).all():
            return _result(counts, squares, theta + change, prior, step)
        theta, loss = _line_search(theta, change, scores, prior, loss)
    raise NotConverged(f"the gradient has not vanished after {_MAX_STEPS} steps")


def _result(counts: PairCounts, squares: PairCounts, theta: NDArray[np.float64], prior: float, steps: int) -> _Fit:
    """The fit at the maximum `theta`, with its sandwich covariance."""
    gradient, hessian = derivatives(theta, counts.scores, counts.battles, prior)
    centre = centring(counts.battles)
    bread = centre @ np.linalg.inv(hessian)
    return _Fit(
        theta=centre @ theta,
        strength=theta,
        covariance=bread @ _meat(squares, theta, prior) @ bread.T,
        iterations=steps,
        gradient=float(np.abs(gradient).max()),
    )


def derivatives(
    theta: NDArray[np.float64], scores: NDArray[np.float64], battles: NDArray[np.float64], prior: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gradient [m] of the log-likelihood, and H [m, m]; without a prior H is regularised along the free mean."""
    chance, virtual_win = _chance(theta[:, None] - theta), _chance(theta)
    variance = battles * chance * chance.T
    hessian = np.diag(variance.sum(axis=1) + prior * virtual_win * (1 - virtual_win)) - variance
    if prior == 0:
        hessian = hessian + np.diag(hessian).mean() / len(hessian)
    return (scores - battles * chance).sum(axis=1) + prior * (0.5 - virtual_win), hessian


def _solve(hessian: NDArray[np.float64], gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    try:
        return cast("NDArray[np.float64]", np.linalg.solve(hessian, gradient))
    except np.linalg.LinAlgError:
        raise NotConverged("the likelihood is flat: give more weight to the prior") from None


def _line_search(
    theta: NDArray[np.float64], change: NDArray[np.float64], scores: NDArray[np.float64], prior: float, previous: float
) -> tuple[NDArray[np.float64], float]:
    """Halve the step until the loss grows by no more than rounding; returns the new theta and its loss."""
    loss = _loss(theta + change, scores, prior)
    for _ in range(_MAX_HALVINGS):
        if loss <= previous * (1 + 1e-12):
            break
        change = change / 2
        loss = _loss(theta + change, scores, prior)
    return theta + change, loss


def centring(battles: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix [m, m] that subtracts from a vector its mean weighted by battles."""
    share = battles.sum(axis=1) / battles.sum()
    return np.eye(len(battles)) - share


def squared_residuals(counts: PairCounts, theta: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of u u' over votes [m, m], with u the gradient of a vote's log-likelihood."""
    chance = _chance(theta[:, None] - theta)
    wins = counts.wins * chance.T**2
    residual = wins + wins.T + (counts.ties + counts.both_bad) * (0.5 - chance) ** 2
    return np.diag(residual.sum(axis=1)) - residual


def _meat(counts: PairCounts, theta: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    """J, the middle of the sandwich; the virtual draw is half a win and half a loss."""
    return squared_residuals(counts, theta) + np.diag(virtual_noise(theta, prior))


def virtual_noise(theta: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    """Sum of squared scores of each competitor's virtual draw, [m]."""
    virtual_win = _chance(theta)
    return 0.5 * prior * ((1 - virtual_win) ** 2 + virtual_win**2)

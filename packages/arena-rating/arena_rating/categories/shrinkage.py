"""Ratings of small boards that borrow from the board of all votes, as far as the boards agree.

A category's rating of a model is that of all votes plus an effect of the category, N(0, tau^2). The board of all votes
counts the category's votes too, so its error is common to both (Hausman 1978): the difference d of the two ratings has
the variance u = v_k - v_0 beside tau^2. Given tau, the rating is N(theta_0 + (1 - B) d, v_0 + B tau^2) with
B = u / (u + tau^2) (empirical Bayes: Efron and Morris 1973). tau is not known: the rating is the mixture over its
likelihood, with tau^2 flat before the data (Morris 1983), by the category's own differences and, as if they were few
further models, by those of all other categories. An interval has the mixture's quantiles, stretched as Student's t is
against the normal one as far as a rating is the category's own.

The data may contradict what the others say. A category whose own differences make the tau of all less likely than its
own is left to its own, and a model far outside of the effects keeps its own rating.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from arena_rating.bradley_terry import BradleyTerry
from arena_rating.clusters import ClusteredFit
from arena_rating.student import student_quantile

SPREADS: Final = 0.04 * (np.arange(50) + 0.5)
"""Values of tau, in log-odds; tau^2 is flat before the data, so each has a weight in proportion to itself."""
OTHERS: Final = 2.0
"""Models as which all other categories count together in the likelihood of tau: more hides one that disagrees."""
MIN_MODELS: Final = 8
"""Models that a category must share with the board of all votes: fewer do not tell how far it differs."""
CONFLICT: Final = 0.5
"""Logarithm by which a category's differences are less likely by the tau of all than by their own: a contradiction."""
OUTSIDE: Final = 3.0
"""Standard deviations of a difference beyond which it contradicts the effects of categories."""
_SMALLEST: Final = 0.05
"""Least share of the noise of a category's rating in that of its difference from all votes."""
_UNLIKELY: Final = 1e-12
"""Chance of a tau up to which it moves a quantile by less than a billionth of a point."""
_HALVINGS: Final = 50
"""Halvings of the range of a quantile, down to less than a billionth of a point."""
_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Borrowed:
    """Ratings of a category that borrow from all votes, in points, float64 [m]; nan as in its own fit.

    Attributes:
        rating: Ratings.
        low: Lower ends of intervals.
        high: Upper ends.
        share: Weight of all votes in each rating, 0 to 1.
    """

    rating: _Array
    low: _Array
    high: _Array
    share: _Array

    @classmethod
    def nothing(cls, fit: BradleyTerry, share: float = np.nan) -> Self:
        """The ratings of a fit itself."""
        return cls(fit.rating.copy(), fit.low.copy(), fit.high.copy(), np.where(np.isfinite(fit.rating), share, np.nan))


@dataclass(frozen=True, slots=True, eq=False)
class _Differences:
    """Of one category against all votes, in log-odds, for its n comparable models.

    Attributes:
        places: int [n], the models.
        difference: float64 [n], the category's rating less that of all votes.
        noise: float64 [n], variance u of the difference without effects.
        common: float64 [n], variance v_0 of the rating by all votes.
        likelihood: float64 [len(SPREADS)], logarithm of that of tau.
    """

    places: NDArray[np.intp]
    difference: _Array
    noise: _Array
    common: _Array
    likelihood: _Array


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The fit of all votes, from which categories borrow, and how far they differ from it.

    Attributes:
        whole: The fit of all votes.
        likelihood: float64 [len(SPREADS)], logarithm of that of tau, by the differences of all categories.
        models: Number of these differences.
    """

    whole: ClusteredFit
    likelihood: _Array
    models: int

    @classmethod
    def of(cls, whole: ClusteredFit, categories: Iterable[ClusteredFit]) -> Self:
        """Pool of the fit of all votes with those of its categories, which have the same models."""
        likelihood, models = np.zeros(len(SPREADS)), 0
        for category in categories:
            part = _compare(whole, category)
            likelihood, models = likelihood + part.likelihood, models + len(part.places)
        return cls(whole, likelihood, models)

    def borrow(self, category: ClusteredFit) -> Borrowed:
        """The ratings of one of the categories of the pool.

        A model without an error in either, or outside of the category's or the whole's largest component, borrows
        nothing, and no model does where fewer than `MIN_MODELS` remain.
        """
        part = _compare(self.whole, category)
        if len(part.places) < MIN_MODELS:
            return Borrowed.nothing(category.fit, 0.0)
        others = OTHERS / max(self.models - len(part.places), 1) * (self.likelihood - part.likelihood)
        likelihood = part.likelihood + others
        if part.likelihood.max() - part.likelihood[likelihood.argmax()] > CONFLICT:
            likelihood = part.likelihood
        chance = SPREADS * np.exp(likelihood - likelihood.max())
        return _borrowed(category, part, chance / chance.sum())


def _compare(whole: ClusteredFit, category: ClusteredFit) -> _Differences:
    first, second = whole.fit, category.fit
    is_common = (first.component == 0) & (second.component == 0) & np.isfinite(first.error + second.error)
    places = np.flatnonzero(is_common)
    square = np.ix_(places, places)
    weight = _weights(np.diag(second.covariance)[places] / second.unit**2)
    variances = [_variances(fit.covariance[square] / fit.unit**2, weight) for fit in (first, second)]
    noise = np.maximum(variances[1] - variances[0], _SMALLEST * variances[1])
    gap = (second.rating - first.rating)[places] / first.unit
    difference = gap - weight @ gap
    spread = noise + SPREADS[:, None] ** 2
    freedom = max(len(places) - 1, 0) / max(len(places), 1)
    likelihood = -0.5 * freedom * (np.log(spread) + difference**2 / spread).sum(axis=1)
    return _Differences(places, difference, noise, variances[0], likelihood)


def _weights(variance: _Array) -> _Array:
    """Weights [n] of the models in the mean to which both ratings are centred, by their precision in a category."""
    precision = 1 / np.maximum(variance, 1e-12)
    return precision / max(precision.sum(), 1e-12)


def _variances(covariance: _Array, weight: _Array) -> _Array:
    """Variances [n] of ratings less their mean by these weights, from their covariance [n, n]."""
    common = covariance @ weight
    return np.diag(covariance) - 2 * common + weight @ common


def _borrowed(category: ClusteredFit, part: _Differences, chance: _Array) -> Borrowed:
    """The ratings of a category by the chances [len(SPREADS)] of tau; intervals are never wider than its own."""
    from arena_rating._kernels.mixtures import mixture_quantile

    fit, places, squares = category.fit, part.places, SPREADS[:, None] ** 2
    weight = part.noise / (part.noise + squares)
    centre, share = (1 - weight) * part.difference, chance @ weight
    normal = NormalDist().inv_cdf(0.5 + fit.level / 2)
    stretch = 1 + (1 - weight) * (student_quantile(fit.level, category.freedom[places]) / normal - 1)
    error = np.sqrt(part.common + weight * squares) * stretch
    base, likely = fit.rating[places] - fit.unit * part.difference, chance > _UNLIKELY
    low, high = (
        base
        + fit.unit
        * mixture_quantile(0.5 + end * fit.level / 2, chance[likely], centre[likely], error[likely], _HALVINGS)
        for end in (-1, 1)
    )
    rating = base + fit.unit * (chance @ centre)
    is_inside = np.abs(part.difference) <= OUTSIDE * np.sqrt(part.noise + chance @ squares)
    use = is_inside & (high - low < (fit.high - fit.low)[places])
    result = Borrowed.nothing(fit, 0.0)
    for name, column in (("rating", rating), ("low", low), ("high", high), ("share", share)):
        getattr(result, name)[places[use]] = column[use]
    return result

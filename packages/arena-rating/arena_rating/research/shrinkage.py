"""Ratings of small boards that borrow from the board of all votes, as far as the boards agree.

A category's rating of a model is that of all votes plus an effect of the category, N(0, tau^2). The board of all votes
counts the category's votes too, so its error is common to both (Hausman 1978): the difference d of the two ratings has
the variance u = v_k - v_0 beside tau^2. Given tau, the rating is theta_0 + (1 - B) d with B = u / (u + tau^2) and the
variance v_0 + B tau^2 (empirical Bayes: Efron and Morris 1973). tau is not known: ratings and variances are averaged
over its likelihood (Morris 1983), by the category's own differences and, with less weight, by those of all others. A
category whose differences the others' tau makes unlikely borrows nothing, nor does a model far outside of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena_rating.clusters import ClusteredFit
from arena_rating.student import student_quantile

SPREADS: Final = np.linspace(0.0, 2.0, 51)
"""Values of tau, in log-odds, over which it is averaged, alike before the data."""
OTHERS: Final = 0.3
"""Categories as which all others count together in the likelihood of tau: more hides one that disagrees from itself."""
CONFLICT: Final = 0.5
"""Logarithm by which a category's differences are less likely by the tau of all than by their own: a contradiction."""
OUTSIDE: Final = 3.0
"""Standard deviations of a difference beyond which it contradicts the effects of categories."""
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


def borrow(whole: ClusteredFit, categories: Sequence[ClusteredFit]) -> list[Borrowed]:
    """The ratings of categories with the same models as `whole`, the fit of all votes, which has theirs.

    A model without an error in either, or outside of the category's or the whole's largest component, borrows nothing.
    """
    differences = [_compare(whole, category) for category in categories]
    total = np.sum([part.likelihood for part in differences], axis=0)
    weight = OTHERS / max(len(categories) - 1, 1)
    return [
        _borrowed(category, part, weight * (total - part.likelihood))
        for category, part in zip(categories, differences, strict=True)
    ]


def _compare(whole: ClusteredFit, category: ClusteredFit) -> _Differences:
    first, second = whole.fit, category.fit
    is_common = (first.component == 0) & (second.component == 0) & np.isfinite(first.error + second.error)
    places = np.flatnonzero(is_common)
    square = np.ix_(places, places)
    centre = np.eye(len(places)) - _weights(second.covariance[square] / second.unit**2)
    variances = [np.diag(centre @ (fit.covariance[square] / fit.unit**2) @ centre.T) for fit in (first, second)]
    noise = np.maximum(variances[1] - variances[0], 0.05 * variances[1])
    difference = centre @ ((second.rating - first.rating)[places] / first.unit)
    spread = noise + SPREADS[:, None] ** 2
    freedom = max(len(places) - 1, 0) / max(len(places), 1)
    likelihood = -0.5 * freedom * (np.log(spread) + difference**2 / spread).sum(axis=1)
    return _Differences(places, difference, noise, variances[0], likelihood)


def _weights(covariance: _Array) -> _Array:
    """Rows of weights of the models in the mean to which both ratings are centred, by their precision in a category."""
    precision = 1 / np.maximum(np.diag(covariance), 1e-12)
    return np.tile(precision / precision.sum(), (len(precision), 1)) if len(precision) else covariance


def _borrowed(category: ClusteredFit, part: _Differences, typical: _Array) -> Borrowed:
    """The ratings of a category; `typical` is the logarithm of the likelihood of tau by the others."""
    fit, places = category.fit, part.places
    rating, low, high = fit.rating.copy(), fit.low.copy(), fit.high.copy()
    share = np.where(np.isfinite(fit.rating), 0.0, np.nan)
    likelihood = part.likelihood + typical
    if len(places) < 2 or part.likelihood.max() - part.likelihood[likelihood.argmax()] > CONFLICT:
        return Borrowed(rating, low, high, share)
    chance = np.exp(likelihood - likelihood.max())
    chance /= chance.sum()
    squares = SPREADS[:, None] ** 2
    weight = part.noise / (part.noise + squares)
    mean_weight = chance @ weight
    variance = part.common + chance @ (weight * squares) + (chance @ weight**2 - mean_weight**2) * part.difference**2
    limit = OUTSIDE * np.sqrt(part.noise + chance @ squares)
    is_outside = (np.abs(part.difference) > limit) | (variance >= (fit.error[places] / fit.unit) ** 2)
    mean_weight[is_outside] = 0.0
    z = NormalDist().inv_cdf(0.5 + fit.level / 2)
    stretch = student_quantile(fit.level, category.freedom[places]) / z
    half = z * np.sqrt(variance) * (1 + (1 - mean_weight) * (stretch - 1)) * fit.unit
    moved = fit.rating[places] - fit.unit * mean_weight * part.difference
    inner = ~is_outside
    rating[places[inner]], share[places] = moved[inner], mean_weight
    low[places[inner]], high[places[inner]] = (moved - half)[inner], (moved + half)[inner]
    return Borrowed(rating, low, high, share)

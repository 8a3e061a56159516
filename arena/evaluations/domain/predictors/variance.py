"""Analysis of variance with one factor, as HumanRankEval compares models of one family (section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Final

_TINY: Final = 1e-300
_EXACT: Final = 1e-15
_STEPS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Variance:
    """F test of equal means of groups: F, its degrees of freedom, and its p-value."""

    f: float
    between: int
    within: int
    p: float


def analysis_of_variance(groups: Sequence[Sequence[float]]) -> Variance | None:
    """Compare the means of groups of values; None with fewer than two groups or without variance within them."""
    samples = [group for group in groups if group]
    values = list(chain.from_iterable(samples))
    between, within = len(samples) - 1, len(values) - len(samples)
    mean, means = fmean(values) if values else 0.0, list(map(fmean, samples))
    inner = math.fsum((value - centre) ** 2 for group, centre in zip(samples, means, strict=True) for value in group)
    if between < 1 or within < 1 or not inner:
        return None
    outer = math.fsum(len(group) * (centre - mean) ** 2 for group, centre in zip(samples, means, strict=True))
    f = outer / between / (inner / within)
    return Variance(f, between, within, incomplete_beta(within / 2, between / 2, inner / (inner + outer)))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function by its continued fraction, which gives the tail probability of F."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x) - math.log(a)
    )
    return front * _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction by Lentz's method, two terms a step."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    result = d
    for m in range(1, _STEPS):
        even_term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd_term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        previous = result
        for term in (even_term, odd_term):
            d, c = 1 / (1 + term * d or _TINY), 1 + term / c or _TINY
            result *= c * d
        if abs(result / previous - 1) < _EXACT:
            break
    return result

"""Means with confidence intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from arena.domain.statistics.proportions import Estimate
from arena_rating.student import student_quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def mean(values: ArrayLike) -> Estimate:
    """The mean of independent values with Student's interval (1908), valid for few of them; nan ends for one."""
    column = np.asarray(values, np.float64)
    n, value = len(column), float(column.mean())
    if n == 1:
        return Estimate(value, math.nan, math.nan, n)
    error = float(column.std(ddof=1)) / math.sqrt(n)
    half = error * float(student_quantile(0.95, np.array([n - 1.0]))[0])
    return Estimate(value, value - half, value + half, n)

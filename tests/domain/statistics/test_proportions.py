"""Shares and their intervals."""

from __future__ import annotations

import math

import pytest

from arena.domain.statistics.proportions import share


@pytest.mark.parametrize(
    ("won", "votes", "low", "high"),
    [
        (0, 1, 0.0, 0.7934507),
        (1, 1, 0.2065493, 1.0),
        (3, 10, 0.1077913, 0.6032219),
        (50, 100, 0.4038315, 0.5961685),
        (199, 200, 0.9722263, 0.9991168),
        (0, 5_000, 0.0, 0.0007677),
    ],
)
def test_the_interval_is_wilsons(won, votes, low, high):
    """The numbers are those of scipy 1.17: `binomtest(won, votes).proportion_ci(0.95, "wilson")`."""
    interval = share(won, votes)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-6)


def test_a_share_of_nothing_is_not_known():
    interval = share(0, 0)
    assert math.isnan(interval.value)
    assert math.isnan(interval.low)

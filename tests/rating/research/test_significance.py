"""Ranks by significance tests on differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import BadParameters, bradley_terry, pair_counts, style_bradley_terry
from arena_rating.research import rank_bounds_by_difference, significantly_better
from tests.rating.logs import fewer_examples, log_of, simulated, vote_lists


def better_pairs(fit, **how):
    return significantly_better(fit.rating, fit.covariance, fit.component, **how)


def bounds(fit, **how):
    low, high = rank_bounds_by_difference(fit.rating, fit.covariance, fit.component, **how)
    return low.tolist(), high.tolist()


def p_value(fit, i, j):
    variance = fit.covariance[i, i] + fit.covariance[j, j] - 2 * fit.covariance[i, j]
    return math.erfc(abs(fit.rating[i] - fit.rating[j]) / math.sqrt(2 * variance))


@fewer_examples
@given(st.integers(0, 99), st.sampled_from([0.5, 0.9, 0.95]))
def test_pairs_are_told_apart_by_their_p_values(seed, level):
    fit, pairs = bradley_terry(pair_counts(simulated(600, 6, seed))), []
    for i in range(6):
        pairs += [(p_value(fit, i, j), i, j) for j in range(i)]
    pairs.sort()
    holm = next((n for n, (p, _, _) in enumerate(pairs) if p >= (1 - level) / (15 - n)), 15)
    told = {
        "none": [pair for pair in pairs if pair[0] < 1 - level],
        "bonferroni": [pair for pair in pairs if pair[0] < (1 - level) / 15],
        "holm": pairs[:holm],
    }
    for correction, expected in told.items():
        better = better_pairs(fit, level=level, correction=correction)
        assert (better | better.T).sum() == 2 * len(expected)
        for _, i, j in expected:
            assert better[i, j] == (fit.rating[i] > fit.rating[j]) != better[j, i]


@fewer_examples
@given(vote_lists())
def test_bounds_hold_the_rank_and_corrections_only_widen_them(votes):
    fit = bradley_terry(pair_counts(log_of(votes)))
    together = fit.component[:, None] == fit.component
    rank = 1 + (together & (fit.rating > fit.rating[:, None] + 1e-9)).sum(axis=1)
    last = together.sum(axis=1) - (together & (fit.rating < fit.rating[:, None] - 1e-9)).sum(axis=1)
    plain, holm, bonferroni = (bounds(fit, correction=c) for c in ("none", "holm", "bonferroni"))
    assert (np.array(plain[0]) <= rank).all()
    assert (np.array(plain[1]) >= last).all()
    for wide, narrow in ((bonferroni, holm), (holm, plain)):
        assert (np.array(wide[0]) <= narrow[0]).all()
        assert (np.array(wide[1]) >= narrow[1]).all()


def test_a_difference_can_be_sure_where_intervals_overlap():
    fit = bradley_terry(pair_counts(log_of([("x", "y", "a")] * 62 + [("x", "y", "b")] * 38)), level=0.999)
    assert fit.low[0] < fit.high[1]
    assert bounds(fit) == ([1, 2], [1, 2])


def test_rank_bounds_of_three_are_those_computed_by_hand():
    rating, component = np.array([29.0, 10.0, 0.0]), np.zeros(3, np.int64)
    covariance = np.diag([50.0, 50.0, 50.0])
    assert rank_bounds_by_difference(rating, covariance, component)[0].tolist() == [1, 1, 2]
    assert rank_bounds_by_difference(rating, covariance, component)[1].tolist() == [2, 3, 3]
    covariance[0, 1] = covariance[1, 0] = 45.0
    assert rank_bounds_by_difference(rating, covariance, component)[1].tolist() == [1, 3, 3]


def test_pools_are_tested_apart_and_the_unmet_alone():
    log = log_of([*[("u", "v", "a")] * 90, ("v", "u", "a"), ("x", "y", "a")], names=[*"uvxy", "alone"])
    for fit in (bradley_terry(pair_counts(log)), style_bradley_terry(log, np.zeros((92, 1)))):
        for correction in ("none", "bonferroni", "holm"):
            assert bounds(fit, correction=correction) == ([1, 2, 1, 1, 1], [1, 2, 2, 2, 1])


def test_of_nobody_nothing_is_said():
    fit = bradley_terry(pair_counts(log_of([])))
    assert bounds(fit, correction="holm") == ([], [])


@pytest.mark.parametrize("bad", [{"level": 0}, {"level": 1}, {"level": math.nan}, {"correction": "fdr"}])
def test_parameters_out_of_range_are_refused(bad):
    with pytest.raises(BadParameters):
        better_pairs(bradley_terry(pair_counts(log_of([("x", "y", "a")]))), **bad)

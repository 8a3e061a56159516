"""Correlations: the same as plain definitions, known truths, and what is not defined."""

from __future__ import annotations

from math import asin, pi
from statistics import NormalDist

import numpy as np
import pytest

from arena.evaluations.domain.predictors.prediction import correlations
from arena_rating.research.method_agreement import kendall, spearman


def found(x, y, *, rounds: int = 200, seed: int = 1):
    return correlations(np.array(x, float), np.array(y, float), rng=np.random.default_rng(seed), rounds=rounds)


@pytest.mark.parametrize("ties", [3, 1_000_000])
def test_coefficients_are_those_of_the_rating_library_and_of_numpy(ties):
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, ties, (2, 40)).astype(float)
    both = found(x, y)
    assert both.pearson.value == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert both.spearman.value == pytest.approx(spearman(x, y))
    assert both.kendall.value == pytest.approx(kendall(x, y))


def test_a_round_that_draws_rows_several_times_has_the_coefficients_of_those_rows():
    x, y = np.array([1.0, 2, 2, 5, 7, 7, 8, 8, 9, 9]), np.array([2.0, 1, 3, 3, 9, 4, 4, 8, 2, 9])
    rounds = 50
    drawn = np.random.default_rng(7).multinomial(10, np.full(10, 0.1), size=rounds)
    plain = [spearman(np.repeat(x, times), np.repeat(y, times)) for times in drawn]
    low, high = np.percentile([value for value in plain if not np.isnan(value)], (2.5, 97.5))
    both = found(x, y, rounds=rounds, seed=7).spearman
    assert (both.low, both.high) == pytest.approx((low, high))


@pytest.mark.parametrize("truth", [-0.5, 0.3, 0.9])
def test_in_a_world_of_known_truth_each_is_within_two_hundredths(truth):
    x = np.array([NormalDist().inv_cdf((row + 0.5) / 3_000) for row in range(3_000)])
    noise = np.random.default_rng(17).permutation(x)
    both = found(x, truth * x + np.sqrt(1 - truth**2) * noise, rounds=2)
    assert both.pearson.value == pytest.approx(truth, abs=0.02)
    assert both.spearman.value == pytest.approx(6 / pi * asin(truth / 2), abs=0.02)
    assert both.kendall.value == pytest.approx(2 / pi * asin(truth), abs=0.02)


def test_the_interval_holds_the_truth_about_19_times_in_20():
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(200):
        x, noise = rng.normal(size=(2, 40))
        both = correlations(x, 0.6 * x + 0.8 * noise, rng=rng, rounds=300).pearson
        inside += both.low <= 0.6 <= both.high
    assert 175 <= inside <= 199


@pytest.mark.parametrize("rows", [5, 7])
def test_few_models_have_no_interval(rows):
    both = found(range(rows), np.arange(rows) ** 2 % 7)
    assert np.isnan([both.spearman.low, both.spearman.high, both.pearson.low]).all()
    assert not np.isnan(both.spearman.value)


def test_an_order_that_no_draw_can_change_has_no_interval():
    both = found(range(12), np.arange(12) ** 2)
    assert (both.spearman.value, both.kendall.value) == (pytest.approx(1), pytest.approx(1))
    assert np.isnan([both.spearman.low, both.kendall.high]).all()
    assert 0.9 < both.pearson.low < both.pearson.high < 1


@pytest.mark.parametrize(("x", "y"), [([], []), ([1, 2], [3, 4]), ([5, 5, 5], [1, 2, 3]), ([0.1] * 7, range(7))])
def test_too_few_rows_or_a_constant_column_have_no_correlation(x, y):
    both = found(x, y)
    for each in (both.pearson, both.spearman, both.kendall):
        assert np.isnan([each.value, each.low, each.high]).all()

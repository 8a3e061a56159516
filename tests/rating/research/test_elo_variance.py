"""Elo with annotators that make errors: formulas against simulations."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena_rating import LLMEVAL, BadParameters, EloParameters
from arena_rating.research import elo_covariance, elo_variance, llmeval_variance, memory, simulate_elo
from tests.rating import naive

SLOW = EloParameters(1500.0, k=4.0)


def chances(size, accuracy):
    better = np.triu(np.ones((size, size)), 1) > 0
    return np.where(better, accuracy, 1 - accuracy)


def test_llmevals_formula_is_the_printed_one():
    assert llmeval_variance(0.7) == pytest.approx(1514, abs=0.5)


@pytest.mark.parametrize("accuracy", [0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
def test_our_formula_is_what_elo_does_at_k_32(accuracy):
    seen = simulate_elo(accuracy, chains=1000, seed=3)
    assert abs(elo_variance(accuracy) - seen.variance[0]) < 4 * seen.error[0] + 0.01 * seen.variance[0]
    assert seen.error[0] < 0.01 * seen.variance[0]


@pytest.mark.parametrize("accuracy", [0.5, 0.7, 0.9])
def test_our_formula_holds_for_other_constants(accuracy):
    for parameters in (SLOW, EloParameters(0.0, k=8.0, base=math.e, scale=100.0)):
        seen = simulate_elo(accuracy, parameters, seed=3)
        assert abs(elo_variance(accuracy, parameters) - seen.variance[0]) < 4 * seen.error[0]


def test_the_bend_matters_at_k_32_and_the_line_alone_is_too_low_for_a_guess():
    seen = simulate_elo(0.5, chains=2000, seed=5)
    assert seen.variance[0] - elo_variance(0.5, bend=False) > 4 * seen.error[0]
    assert abs(seen.variance[0] - elo_variance(0.5)) < 4 * seen.error[0]


def test_llmevals_formula_holds_near_seven_tenths_only():
    off = {p: llmeval_variance(p) / simulate_elo(p, chains=1000, seed=7).variance[0] - 1 for p in (0.5, 0.7, 0.9, 0.95)}
    assert off[0.5] == pytest.approx(0.19, abs=0.03)
    assert off[0.7] == pytest.approx(0.02, abs=0.03)
    assert off[0.9] == pytest.approx(-0.54, abs=0.02)
    assert off[0.95] == pytest.approx(-0.75, abs=0.02)


def test_better_annotators_do_not_calm_elo_but_slow_it():
    assert elo_variance(0.95) > 0.9 * elo_variance(0.5)
    assert memory(0.95) > 5 * memory(0.5)
    assert memory(0.5) == pytest.approx(2 * 400 / (32 * math.log(10)))


def test_the_mean_lies_above_the_strength_that_the_accuracy_means():
    seen, unit = simulate_elo(0.9, chains=1000, seed=2), 400 / math.log(10)
    expected = unit * math.log(9) / 2 + 0.5 * (2 * 0.9 - 1) / 2 * 32
    assert seen.mean[0] - 1500 == pytest.approx(expected, abs=2)
    assert seen.mean.sum() == pytest.approx(3000)


def test_a_field_of_bradley_terry_chances_has_one_variance_whatever_the_strengths():
    strength = np.array([-1.0, -0.2, 0.4, 0.5, 1.3])
    chance = 1 / (1 + np.exp(strength - strength[:, None]))
    expected = 4 * 400 / math.log(10) / 2 * (1 - 1 / 5)
    covariance = elo_covariance(chance, SLOW)
    assert np.diag(covariance) == pytest.approx(np.full(5, expected))
    assert covariance.sum(axis=1) == pytest.approx(np.zeros(5), abs=1e-9)


def test_the_covariance_of_two_is_the_linear_formula_without_its_small_term():
    unit = math.log(10) / 400
    assert elo_covariance(chances(2, 0.8))[0, 0] == pytest.approx(32 / (4 * unit))


@pytest.mark.parametrize("accuracy", [0.6, 0.9])
def test_the_covariance_of_a_field_is_what_elo_does(accuracy):
    seen = simulate_elo(accuracy, SLOW, competitors=5, seed=3)
    off = np.abs(np.diag(elo_covariance(chances(5, accuracy), SLOW)) - seen.variance)
    assert (off < 4 * seen.error + 0.015 * seen.variance).all()


def test_a_simulation_is_elo_and_repeats_itself():
    first, again = (simulate_elo(0.7, LLMEVAL, competitors=3, chains=20, seed=9) for _ in range(2))
    assert first.variance.tolist() == again.variance.tolist()
    assert first.mean.tolist() != simulate_elo(0.7, LLMEVAL, competitors=3, chains=20, seed=10).mean.tolist()
    assert first.mean[0] > first.mean[1] > first.mean[2]


def test_a_plain_history_in_python_has_that_variance():
    rng, votes = np.random.default_rng(1), 40_000
    outcomes = np.where(rng.random(votes) < 0.7, "a", "b")
    assert np.var(naive_history(outcomes)[500:]) == pytest.approx(elo_variance(0.7), rel=0.1)


def naive_history(outcomes):
    """Ratings of the better competitor after every vote, by the reference implementation."""
    rating, seen = {"x": 1500.0, "y": 1500.0}, []
    for outcome in outcomes:
        expected = naive.chance((rating["x"] - rating["y"]) * math.log(10) / 400)
        rating["x"] += 32 * (naive.SCORE[outcome] - expected)
        rating["y"] = 3000 - rating["x"]
        seen.append(rating["x"])
    return np.array(seen)


def test_an_accuracy_of_0_or_1_has_no_rest_and_is_refused():
    for accuracy in (0.0, 1.0, math.nan, 1.5):
        for formula in (llmeval_variance, elo_variance, memory):
            with pytest.raises(BadParameters, match="accuracy"):
                formula(accuracy)
    with pytest.raises(BadParameters, match="two"):
        simulate_elo(0.7, competitors=1, seed=1)


def test_for_small_steps_the_linear_formula_is_that_with_the_bend():
    small = EloParameters(k=0.5)
    assert elo_variance(0.7, small, bend=False) == pytest.approx(elo_variance(0.7, small), rel=2e-3)

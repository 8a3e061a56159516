import math

import numpy as np
import pytest

from arena.domain.pairing.gain import best_pairs, nearness, rank_gain
from arena_rating import PairCounts, bradley_terry


@pytest.fixture
def fit():
    """A fit of six models with a few hundred battles."""
    rng = np.random.default_rng(3)
    wins = np.triu(rng.integers(5, 40, (6, 6)), 1).astype(float)
    wins += np.tril(rng.integers(5, 40, (6, 6)), -1)
    none = np.zeros((6, 6))
    return bradley_terry(PairCounts(tuple("abcdef"), wins, none, none))


def naive(rating, covariance):
    """The sum over all pairs (i, j) as it is written in words."""
    unit = math.log(10) / 400
    theta, spread, size = rating * unit, covariance * unit**2, len(rating)
    gain = np.zeros((size, size))

    def difference(i, j):
        vector = np.zeros(size)
        vector[i], vector[j] = 1, -1
        return vector

    for k in range(size):
        for m in range(size):
            if k == m:
                continue
            to = difference(k, m)
            p = 1 / (1 + math.exp(theta[m] - theta[k]))
            for i in range(size):
                for j in range(i):
                    d = difference(i, j) @ spread @ difference(i, j)
                    gap = abs(theta[i] - theta[j])
                    weight = math.exp(-(gap**2) / d / 2) * gap / d**1.5
                    v = p * (1 - p)
                    gain[k, m] += weight * v * (difference(i, j) @ spread @ to) ** 2 / (1 + v * (to @ spread @ to))
    return gain


def test_the_gain_is_the_sum_over_all_pairs_that_a_vote_tells_about(fit):
    assert rank_gain(fit.rating, fit.covariance) == pytest.approx(naive(fit.rating, fit.covariance), rel=1e-9)


def test_a_model_without_a_battle_is_worth_a_vote(fit):
    rating, covariance = np.append(fit.rating, np.nan), np.pad(fit.covariance, (0, 1), constant_values=np.nan)
    gain = rank_gain(rating, covariance)
    assert np.isfinite(gain).all()
    assert gain[-1, :-1].min() > gain[:-1, :-1].max()


def test_models_that_are_all_alike_leave_nothing_to_prefer():
    assert not rank_gain(np.full(4, 1000.0), np.eye(4) * 100).any()
    assert not rank_gain(np.full(4, np.nan), np.full((4, 4), np.nan)).any()


def test_nearness_falls_to_1_e_in_100_points():
    near = nearness(np.array([1000.0, 1100.0, np.nan]))
    assert near[0, 1] == pytest.approx(math.exp(-1))
    assert near[0, 2] == pytest.approx(math.exp(-0.5))


def test_the_best_pairs_are_a_sixteenth_and_give_every_model_an_opponent():
    sample = np.random.default_rng(1).random((40, 40))
    gain = np.triu(sample, 1) + np.triu(sample, 1).T
    gain[7] = gain[:, 7] = gain[7] / 1_000
    is_best = best_pairs(gain) > 0
    assert is_best.any(axis=1).all()
    assert 780 / 16 <= is_best.sum() / 2 <= 780 / 16 + 40 * 3

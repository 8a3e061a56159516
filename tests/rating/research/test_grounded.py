import numpy as np
import pytest

from arena_rating import BadParameters, Comparisons, LeaderboardParameters, bradley_terry, pair_counts
from arena_rating.research.grounded import chances, grounded, grounded_table


def drawn(strength: np.ndarray, threshold: float, votes: int, seed: int) -> Comparisons:
    rng, size = np.random.default_rng(seed), len(strength)
    left = rng.integers(0, size, votes)
    right = (left + rng.integers(1, size, votes)) % size
    shares = np.cumsum(chances(np.exp(strength[left]), np.exp(strength[right]), threshold), axis=0)
    outcome = (rng.random(votes) > shares[:3]).sum(axis=0).astype(np.uint8)
    names = tuple(map(str, range(size)))
    return Comparisons(left.astype(np.int32), right.astype(np.int32), outcome, None, None, None, names)


def test_strengths_and_threshold_that_drew_the_votes_come_back():
    strength = np.array([-1.0, -0.3, 0.0, 0.6, 1.4])
    fit = grounded(pair_counts(drawn(strength, 1.8, 60_000, seed=1)))
    assert (np.abs(fit.strength - strength) < 4 * fit.error).all()
    assert fit.error.max() < 0.05
    assert fit.threshold == pytest.approx(1.8, abs=0.05)


def test_the_four_chances_are_one_together():
    first, second = np.exp(np.random.default_rng(1).normal(0, 2, (2, 50)))
    p = chances(first, second, 1.5)
    assert p.sum(axis=0) == pytest.approx(np.ones(50))
    assert (p > 0).all()


def test_no_other_strengths_near_the_fit_are_likelier():
    counts = pair_counts(drawn(np.array([-0.5, 0.2, 0.9]), 1.5, 3_000, seed=3))
    fit = grounded(counts, prior=1e-6)
    i, j = np.triu_indices(3, 1)
    votes = np.stack([counts.wins[i, j], counts.wins[j, i], counts.ties[i, j], counts.both_bad[i, j]])

    def loss(strength: np.ndarray, threshold: float) -> float:
        return -(votes * np.log(chances(np.exp(strength[i]), np.exp(strength[j]), threshold))).sum() / votes.sum()

    assert fit.loss == pytest.approx(loss(fit.strength, fit.threshold))
    for step in (*np.eye(3) * 0.01, *np.eye(3) * -0.01):
        assert loss(fit.strength + step, fit.threshold) > fit.loss
    for threshold in (fit.threshold * 1.01, fit.threshold / 1.01):
        assert loss(fit.strength, threshold) > fit.loss


def test_the_bar_is_the_rating_of_a_model_as_good_as_nothing():
    counts = pair_counts(drawn(np.array([-0.8, 0.0, 0.8, 1.6]), 1.6, 40_000, seed=4))
    plain = bradley_terry(counts)
    bar = grounded(counts).bar(plain, counts.battles.sum(axis=1))
    assert bar == pytest.approx(plain.rating[1], abs=15)
    assert plain.rating[0] < bar < plain.rating[2]


def test_without_votes_that_both_are_bad_there_is_no_zero():
    log = drawn(np.zeros(3), 1.5, 300, seed=5)
    assert grounded(pair_counts(log.where(log.outcome < 3))) is None


def test_without_a_prior_it_is_refused():
    with pytest.raises(BadParameters, match="prior"):
        grounded(pair_counts(drawn(np.zeros(3), 1.5, 300, seed=5)), prior=0)


def test_a_board_without_a_prior_has_no_grounded_table():
    log = drawn(np.zeros(3), 1.5, 300, seed=5)
    assert grounded_table(log, LeaderboardParameters(prior=0)) is None
    assert grounded_table(log, LeaderboardParameters()) is not None

"""Votes weighted by inverse pair probability: as the plain fit where that is right, and right where that is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena_rating import BadParameters, Comparisons, bradley_terry, inverse_probability, pair_counts
from arena_rating.inverse_probability import MAX_WEIGHT

STRENGTH = np.linspace(1, -1, 6)


def drawn(votes, rng):
    """Votes on pairs of which near ones are drawn ten times as often, with the probability of each vote's pair."""
    pairs = np.array([(i, j) for i in range(6) for j in range(6) if i != j])
    chance = np.where(np.abs(pairs[:, 0] - pairs[:, 1]) == 1, 10.0, 1.0)
    chance /= chance.sum()
    row = rng.choice(len(pairs), votes, p=chance)
    left, right = pairs[row].T
    won = rng.random(votes) < 1 / (1 + np.exp(STRENGTH[right] - STRENGTH[left]))
    names = [f"m{number}" for number in range(6)]
    words = np.where(won, "a", "b").tolist()
    return Comparisons.from_votes([names[i] for i in left], [names[i] for i in right], words), chance[row]


def test_even_probabilities_change_nothing():
    log, chance = drawn(2_000, np.random.default_rng(1))
    plain, even = bradley_terry(pair_counts(log)), inverse_probability(log, np.full(len(chance), 0.2))
    assert even.rating == pytest.approx(plain.rating, abs=1e-9)
    assert even.error == pytest.approx(plain.error, rel=1e-9)


def test_it_agrees_with_the_plain_fit_within_intervals_and_covers_as_promised():
    covered = []
    for seed in range(40):
        log, chance = drawn(1_500, np.random.default_rng(seed))
        plain, fit = bradley_terry(pair_counts(log)), inverse_probability(log, chance)
        order = np.argsort(fit.names)
        gap = (fit.rating - plain.rating)[order]
        gap -= gap.mean()
        assert (np.abs(gap) < 3 * fit.error[order]).all()
        step = fit.rating[order][0] - fit.rating[order][-1] - 2 * 400 / np.log(10)
        first, last = order[0], order[-1]
        variance = fit.covariance[first, first] + fit.covariance[last, last] - 2 * fit.covariance[first, last]
        covered.append(abs(step) < 1.96 * np.sqrt(variance))
    assert np.mean(covered) > 0.85


@pytest.mark.parametrize("chance", [[0.0], [1.5], [np.nan], [0.5, 0.5]])
def test_a_probability_that_is_none_is_refused(chance):
    with pytest.raises(BadParameters, match="probability of its pair"):
        inverse_probability(Comparisons.from_votes(["x"], ["y"], ["a"]), chance)


def test_no_vote_weighs_more_than_twenty_mean_ones():
    names = ["x", "y"] * 500
    log = Comparisons.from_votes(names, names[::-1], ["a"] * 999 + ["b"])
    chance = np.full(1_000, 0.5)
    chance[-1] = 1e-9
    cut = replace(log, weight=np.where(chance < 0.5, MAX_WEIGHT * (1 / chance).mean(), 2.0))
    fit = inverse_probability(log, chance)
    scaled = replace(cut, weight=cut.weight * 1_000 / cut.weight.sum())
    assert fit.rating == pytest.approx(bradley_terry(pair_counts(scaled)).rating)


def test_weights_of_their_own_multiply_and_keep_their_sum():
    log, chance = drawn(2_000, np.random.default_rng(1))
    own = replace(log, weight=np.where(np.arange(len(log)) % 2, 0.5, 1.0))
    plain, fit = bradley_terry(pair_counts(own)), inverse_probability(own, np.full(len(chance), 0.2))
    assert fit.rating == pytest.approx(plain.rating, abs=1e-9)

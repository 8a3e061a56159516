import numpy as np
import pytest

from arena.domain.pairing.exposure import FLOOR, balanced, newness


def preference(size: int, seed: int = 1):
    """Random preferences; some pairs are a million times as likely as others."""
    strengths = np.exp(np.random.default_rng(seed).normal(0, 5, (size, size)))
    return np.triu(strengths, 1) + np.triu(strengths, 1).T


def votes_after(size: int, rounds: int, seed: int = 1):
    """Votes of each model if every thousand of them are drawn from a new table with the same preference."""
    rng, votes = np.random.default_rng(seed), np.zeros(size, np.int64)
    first, second = np.triu_indices(size, k=1)
    for _ in range(rounds):
        chance = balanced(preference(size), votes)[first, second]
        sample = rng.choice(len(first), 1_000, p=chance / chance.sum())
        np.add.at(votes, np.concatenate([first[sample], second[sample]]), 1)
    return votes


@pytest.mark.parametrize("size", [2, 3, 4, 20, 60])
def test_chances_are_those_of_unordered_pairs_and_none_is_below_an_eighth_of_uniform(size):
    chance = balanced(preference(size), np.full(size, 5_000))
    assert (chance == chance.T).all()
    assert not np.diag(chance).any()
    upper = chance[np.triu_indices(size, k=1)]
    assert upper.sum() == pytest.approx(1)
    assert upper.min() >= FLOOR / len(upper) * (1 - 1e-9)


@pytest.mark.parametrize("size", [6, 20, 60])
def test_no_established_model_is_shown_more_than_1_8_times_as_often_as_another(size):
    exposure = balanced(preference(size), np.full(size, 5_000)).sum(axis=1)
    assert exposure.max() / exposure.min() <= 1.8 * 1.01


def test_counted_exposure_stays_within_two_to_one():
    votes = votes_after(20, 30)
    assert votes.min() > 1_000
    assert votes.max() / votes.min() <= 2


def test_who_is_ahead_is_shown_less_and_who_is_behind_more():
    votes = np.array([4_000, *[2_800] * 18, 2_000])
    exposure = balanced(np.ones((20, 20)), votes).sum(axis=1)
    assert exposure[0] < exposure[1] * 0.85
    assert exposure[-1] > exposure[1] * 1.15


def test_newcomers_are_favoured_to_300_and_to_1000_votes():
    votes = np.array([0, 299, 300, 999, 1_000, *[9_000] * 15])
    assert newness(votes).tolist() == [5, 5, 3, 3, 1, *[1] * 15]
    exposure = balanced(preference(20), votes).sum(axis=1)
    even = exposure[5:].mean()
    assert exposure[:2].min() > 5 / 1.8 * even > 3 / 1.8 * even
    assert exposure[2:4].min() > 3 / 1.8 * even


def test_in_a_young_arena_nobody_is_a_newcomer():
    assert newness(np.array([0, 0, 0, 0])).tolist() == [1, 1, 1, 1]
    assert newness(np.array([90, 120, 100, 20])).tolist() == [1, 1, 1, 5]


def test_without_any_preference_all_pairs_are_alike():
    chance = balanced(np.zeros((5, 5)), np.zeros(5, np.int64))
    assert chance[np.triu_indices(5, k=1)] == pytest.approx(0.1)

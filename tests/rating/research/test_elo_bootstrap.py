"""Elo over resampled logs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import BadParameters, EloParameters, bradley_terry, elo_over_orders, pair_counts, way_left
from arena_rating.research import elo_bootstrap, memory
from tests.rating import naive
from tests.rating.logs import even_pairs, fewer_examples, log_of, simulated, vote_lists

FEW = EloParameters(orders=6)


@fewer_examples
@given(vote_lists(), st.integers(0, 2**64 - 1))
def test_resampled_ratings_are_those_of_plain_elo_over_the_same_draws(votes, seed):
    log, parameters = log_of(votes), EloParameters(orders=5)
    passes = [naive.elo(naive.resampled(votes, seed, order)) for order in range(5)]
    elo = elo_bootstrap(log, parameters, seed=seed, level=0.5)
    for i, name in enumerate(log.names):
        ratings = sorted(rating[name] for rating in passes)
        assert (elo.low[i], elo.rating[i], elo.high[i]) == pytest.approx(ratings[1:4], abs=1e-9)


def test_resampling_is_wider_than_reordering():
    log, parameters = simulated(1000, 8, seed=2), EloParameters(orders=400)
    resampled = elo_bootstrap(log, parameters, seed=1)
    reordered = elo_over_orders(log, parameters, seed=1)
    assert (resampled.high - resampled.low > 2 * 1.96 * reordered.spread).all()


@pytest.mark.parametrize(("votes", "settled"), [(1_000, False), (5_000, False), (60_000, True)])
def test_a_rating_has_settled_once_its_battles_outlast_its_memory_and_not_before(votes, settled):
    log = even_pairs(votes, 100)
    elo = elo_bootstrap(log, EloParameters(orders=40), seed=1)
    to_go = bradley_terry(pair_counts(log)).rating - elo.rating
    assert set(elo.settled.tolist()) == {settled}
    if settled:
        assert np.abs(to_go).max() < 15
    else:
        predicted = elo.left * (bradley_terry(pair_counts(log)).rating - 1000)
        assert np.polyfit(predicted, to_go, 1)[0] == pytest.approx(1, abs=0.05)
        assert np.abs(to_go).max() > 100


def test_who_won_every_battle_never_arrives():
    assert way_left(np.array([1e6]), np.array([1.0]), EloParameters()).tolist() == [1]


def test_one_memory_leaves_one_part_in_e():
    chance, competitors = 0.7, 50
    votes = memory(chance, EloParameters(), competitors=competitors)
    left = way_left(np.array([2 * votes / (competitors - 1)]), np.array([chance]), EloParameters())
    assert left[0] == pytest.approx(np.exp(-1))


def test_an_empty_log_leaves_everybody_at_the_start():
    assert elo_bootstrap(log_of([], names=["x", "y"]), FEW, seed=1).high.tolist() == [1000, 1000]


@pytest.mark.parametrize("level", [0.0, 1.0, 95])
def test_a_level_outside_its_range_is_refused(level):
    with pytest.raises(BadParameters, match="level"):
        elo_bootstrap(log_of([("x", "y", "a")]), FEW, seed=1, level=level)

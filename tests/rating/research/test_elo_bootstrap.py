"""Elo over resampled logs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import BadParameters, EloParameters, elo_over_orders
from arena_rating.research import elo_bootstrap
from tests.rating import naive
from tests.rating.logs import fewer_examples, log_of, simulated, vote_lists

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


def test_an_empty_log_leaves_everybody_at_the_start():
    assert elo_bootstrap(log_of([], names=["x", "y"]), FEW, seed=1).high.tolist() == [1000, 1000]


def test_a_level_outside_its_range_is_refused():
    with pytest.raises(BadParameters, match="level"):
        elo_bootstrap(log_of([("x", "y", "a")]), FEW, seed=1, level=95)

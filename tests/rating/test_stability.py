"""Ratings over windows and over orders."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import (
    LLMEVAL,
    BadParameters,
    Comparisons,
    EloParameters,
    bradley_terry,
    elo_in_order,
    elo_over_orders,
    elo_path,
    order_stability,
    pair_counts,
    points_table,
    window_stability,
)
from arena_rating.stability import rank_shares
from tests.rating import naive
from tests.rating.logs import fewer_examples, log_of, simulated, vote_lists

FEW = EloParameters(orders=30)


def strengths(log):
    return bradley_terry(pair_counts(log)).rating


@fewer_examples
@given(vote_lists(), st.sampled_from([4.0, 32.0]))
def test_the_path_of_elo_passes_through_the_rating_of_every_beginning(votes, k):
    log, rule = log_of(votes), EloParameters(k=k)
    for number, rating in enumerate(elo_path(log, range(len(votes) + 1), rule)):
        expected = naive.elo(votes[:number], k=k)
        assert rating == pytest.approx([expected[name] for name in log.names], abs=1e-9)


def test_the_path_reads_weights_as_elo_does():
    log = Comparisons.from_votes(["x", "y"], ["y", "z"], ["a", "tie"], weight=[2.0, 0.5])
    assert elo_path(log, [2], LLMEVAL)[0] == pytest.approx(elo_in_order(log, LLMEVAL), abs=1e-9)


def test_windows_alone_and_running_are_the_ratings_of_those_votes():
    log = simulated(400, 6, seed=2)
    found = window_stability(log, windows=4)
    assert found.ends.tolist() == [100, 200, 300, 400]
    for row, end in enumerate(found.ends):
        place = np.arange(len(log))
        for traces, votes in (
            (found.alone, log.where((place >= end - 100) & (place < end))),
            (found.running, log.where(place < end)),
        ):
            met = pair_counts(votes).battles.any(axis=1)
            points = points_table(pair_counts(votes)).points_per_battle
            assert traces.elo.rating[row][met] == pytest.approx(elo_in_order(votes)[met], abs=1e-9)
            assert traces.points.rating[row][met] == pytest.approx(points[met])
            assert traces.bradley_terry.rating[row][met] == pytest.approx(strengths(votes)[met], abs=1e-6)
            assert np.isnan(traces.elo.rating[row][~met]).all()


def test_the_last_hundred_votes_move_elo_far_and_the_others_hardly():
    log = simulated(20_100, 8, seed=6)
    found = window_stability(log, LLMEVAL, windows=100, first=20_000).running
    assert found.elo.rank_step > 10 * found.bradley_terry.rank_step
    assert found.elo.rank_step > 10 * found.points.rank_step
    assert found.elo.step > 2
    assert found.bradley_terry.step < 0.2


def test_who_is_not_in_a_window_has_neither_rating_nor_rank_there():
    votes = [("x", "y", "a"), ("y", "x", "tie"), ("x", "z", "a"), ("z", "y", "a")]
    found = window_stability(log_of(votes), windows=2)
    assert found.alone.elo.rank[0].tolist() == [1, 2, 0]
    assert np.isnan(found.running.bradley_terry.rating[0, 2])
    assert found.running.points.rank[1].tolist() == [1, 3, 2]


def test_one_window_has_no_step_and_none_or_too_many_are_refused():
    log = log_of([("x", "y", "a"), ("x", "y", "b")])
    assert np.isnan(window_stability(log, windows=1).running.elo.step)
    refused: list[dict[str, Any]] = [{"windows": 0}, {"windows": 3}, {"windows": 1, "first": 2}]
    refused.append({"windows": 1, "first": -1})
    for arguments in refused:
        with pytest.raises(BadParameters, match="window"):
            window_stability(log, **arguments)


def test_orders_are_those_of_the_average():
    log = simulated(300, 5, seed=3)
    found, average = order_stability(log, FEW, seed=8), elo_over_orders(log, FEW, seed=8)
    assert found.mean.tolist() == average.rating.tolist()
    assert found.spread.tolist() == average.spread.tolist()
    assert (found.low <= found.mean).all()
    assert (found.mean <= found.high).all()


def test_an_executor_does_not_change_a_bit():
    log = simulated(300, 5, seed=3)
    with ThreadPoolExecutor(2) as executor:
        spread = order_stability(log, FEW, seed=8, executor=executor)
    alone = order_stability(log, FEW, seed=8)
    assert spread.rank_share.tolist() == alone.rank_share.tolist()
    assert spread.high.tolist() == alone.high.tolist()


def test_two_votes_in_two_orders_by_hand():
    # x beats y, then y beats x: whoever won last is above.
    found = order_stability(log_of([("x", "y", "a"), ("x", "y", "b")]), EloParameters(orders=2000), seed=1)
    assert found.rank_best.tolist() == [1, 1]
    assert found.rank_worst.tolist() == [2, 2]
    assert found.rank_share == pytest.approx(np.full((2, 2), 0.5), abs=0.05)
    assert found.rank_mean.sum() == pytest.approx(3)
    assert found.points_rank.tolist() == found.bradley_terry_rank.tolist() == [1, 1]
    assert found.high[0] - found.low[0] == pytest.approx(2 * 4 * (1 / (1 + 10 ** (-4 / 400)) - 0.5))


def test_the_same_votes_in_another_order_keep_points_and_bradley_terry():
    log = simulated(500, 8, seed=3)
    other = order_stability(log.where(np.ones(500, bool)), FEW, seed=1)
    order = np.random.default_rng(1).permutation(500)
    turned = Comparisons(log.left[order], log.right[order], log.outcome[order], None, None, None, log.names)
    found = order_stability(turned, FEW, seed=1)
    assert found.points_rank.tolist() == other.points_rank.tolist()
    assert found.bradley_terry_rank.tolist() == other.bradley_terry_rank.tolist()


def test_who_never_met_anybody_has_no_place_and_pools_have_their_own():
    votes = [("u", "v", "a"), ("v", "w", "a"), ("x", "y", "a")]
    found = order_stability(log_of(votes, names="uvwxyz"), FEW, seed=1)
    assert found.bradley_terry_rank.tolist() == [1, 2, 3, 1, 2, 0]
    assert found.rank_share[3, 0] == found.rank_share[4, 1] == 1
    assert found.rank_share[5].tolist() == [0] * 6
    assert np.isnan([found.mean[5], found.low[5], found.rank_mean[5]]).all()


def test_shares_are_counts_of_ranks():
    assert rank_shares(np.array([[1, 2, 0], [1, 1, 0], [2, 1, 0], [1, 2, 0]])).tolist() == [
        [0.75, 0.25, 0],
        [0.5, 0.5, 0],
        [0, 0, 0],
    ]

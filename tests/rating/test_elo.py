"""Elo in one order, over random orders and resampled."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import (
    LLMEVAL,
    OUTCOMES,
    TENCENT,
    BadParameters,
    Comparisons,
    EloParameters,
    LeaderboardParameters,
    compute,
    elo_in_order,
    elo_over_orders,
)
from arena_rating import elo as averages
from arena_rating._kernels.elo import SCATTERED
from arena_rating._kernels.intrinsics import LANES
from arena_rating.packed import pack
from tests.rating import naive
from tests.rating.logs import fewer_examples, log_of, simulated, vote_lists

FEW = EloParameters(orders=6)


def by_name(names, values):
    return dict(zip(names, values, strict=True))


# One order


def test_a_win_between_equals_moves_half_of_k():
    assert elo_in_order(log_of([("x", "y", "a")])).tolist() == pytest.approx([1002, 998], abs=1e-12)
    assert elo_in_order(log_of([("x", "y", "b")]), LLMEVAL).tolist() == pytest.approx([1484, 1516], abs=1e-12)


def test_a_favourite_loses_points_by_a_tie_of_either_kind():
    for tie in ("tie", "both_bad"):
        first = elo_in_order(log_of([("x", "y", "a"), ("y", "x", tie)]))[0]
        assert first == pytest.approx(1002 + 4 * (0.5 - 1 / (1 + 10 ** (-4 / 400))), abs=1e-12)


def test_presets_are_those_of_the_papers():
    assert (TENCENT.init, TENCENT.k, TENCENT.base, TENCENT.scale, TENCENT.orders) == (1000, 4, 10, 400, 20)
    assert (LLMEVAL.init, LLMEVAL.k, LLMEVAL.base, LLMEVAL.scale) == (1500, 32, 10, 400)


@fewer_examples
@given(vote_lists(), st.sampled_from([0.5, 4, 16, 32, 100, 1000]), st.sampled_from([10, 2.0]))
def test_one_order_is_that_of_the_formula(votes, k, base):
    log, parameters = log_of(votes), EloParameters(k=k, base=base)
    expected = naive.elo(votes, k=k, base=base)
    for name, rating in by_name(log.names, elo_in_order(log, parameters)).items():
        assert rating == pytest.approx(expected[name], abs=1e-9)


@fewer_examples
@given(vote_lists(), st.lists(st.sampled_from([0, 0.25, 1, 3]), min_size=40, max_size=40))
def test_a_weight_multiplies_k(votes, weights):
    weights = weights[: len(votes)]
    log, expected = log_of(votes, weight=weights), naive.elo(votes, weights)
    for name, rating in by_name(log.names, elo_in_order(log)).items():
        assert rating == pytest.approx(expected[name], abs=1e-9)


@fewer_examples
@given(vote_lists())
def test_swapping_sides_changes_no_rating(votes):
    swapped = [(right, left, naive.FLIPPED[outcome]) for left, right, outcome in votes]
    assert elo_in_order(log_of(votes)) == pytest.approx(elo_in_order(log_of(swapped)), abs=1e-9)


def test_wider_words_give_the_same_bits():
    log = simulated(3000, 100, seed=3)
    wide = replace(log, names=log.names + tuple(f"n{i}" for i in range(100)))
    wider = replace(log, names=log.names + tuple(f"n{i}" for i in range(40_000)))
    rating = elo_in_order(log)
    assert np.array_equal(rating, elo_in_order(wide)[:100])
    assert np.array_equal(rating, elo_in_order(wider)[:100])


def votes_of(log):
    return [(log.names[left], log.names[right], OUTCOMES[outcome]) for left, right, outcome in rows_of(log)]


def rows_of(log):
    return zip(log.left.tolist(), log.right.tolist(), log.outcome.tolist(), strict=True)


@pytest.mark.parametrize("weights", [1, 2, 3])
def test_a_hundred_competitors_and_some_weights_stay_apart_in_a_word(weights):
    log = simulated(3000, 100, seed=4)
    weighted = replace(log, weight=np.arange(len(log)) % weights + 1.0)
    expected = naive.elo(votes_of(log), weighted.weight.tolist())
    assert elo_in_order(weighted) == pytest.approx([expected[name] for name in log.names], abs=1e-9)


def test_many_votes_of_a_large_k_gather_no_error():
    log = simulated(20_000, 30, seed=4)
    expected = naive.elo(votes_of(log), init=1500.0, k=32.0)
    assert elo_in_order(log, LLMEVAL) == pytest.approx([expected[name] for name in log.names], abs=1e-9)


# Over orders


@fewer_examples
@given(vote_lists(), st.integers(0, 2**64 - 1))
def test_the_average_is_that_of_plain_elo_over_the_same_orders(votes, seed):
    log = log_of(votes)
    passes = [naive.elo(naive.shuffled(votes, seed, order)) for order in range(FEW.orders)]
    elo = elo_over_orders(log, FEW, seed=seed)
    for i, name in enumerate(log.names):
        ratings = [rating[name] for rating in passes]
        assert elo.rating[i] == pytest.approx(np.mean(ratings), abs=1e-9)
        assert elo.spread[i] == pytest.approx(np.std(ratings, ddof=1), abs=1e-8)
        assert elo.error[i] == pytest.approx(elo.spread[i] / np.sqrt(FEW.orders))


@fewer_examples
@given(vote_lists(), st.permutations("uvwxyz"))
def test_other_names_carry_the_same_ratings(votes, letters):
    renamed = dict(zip("uvwxyz", letters, strict=True))
    log, other = log_of(votes), log_of([(renamed[a], renamed[b], outcome) for a, b, outcome in votes])
    ratings = by_name(other.names, elo_over_orders(other, FEW, seed=1).rating)
    expected = elo_over_orders(log, FEW, seed=1).rating
    assert [ratings[renamed[name]] for name in log.names] == expected.tolist()


def test_the_average_approaches_that_over_all_orders():
    votes = [("x", "y", "a"), ("y", "z", "a"), ("z", "x", "a"), ("x", "y", "tie")]
    every = [naive.elo(order, k=32.0) for order in permutations(votes)]
    elo = elo_over_orders(log_of(votes), EloParameters(k=32, orders=4000), seed=11)
    for i, name in enumerate("xyz"):
        ratings = [rating[name] for rating in every]
        assert abs(elo.rating[i] - np.mean(ratings)) < 3 * elo.error[i]
        assert elo.spread[i] == pytest.approx(np.std(ratings), rel=0.05)


def test_the_error_is_what_another_seed_would_change():
    log, parameters = simulated(2000, 12, seed=5), EloParameters(orders=50)
    runs = [elo_over_orders(log, parameters, seed=seed) for seed in range(40)]
    seen = np.std([run.rating for run in runs], axis=0, ddof=1)
    assert np.mean(seen / runs[0].error) == pytest.approx(1, abs=0.15)


def test_a_seed_decides_the_bits_and_another_one_others():
    log = simulated(500, 10, seed=5)
    assert np.array_equal(elo_over_orders(log, FEW, seed=3).rating, elo_over_orders(log, FEW, seed=3).rating)
    assert not np.array_equal(elo_over_orders(log, FEW, seed=3).rating, elo_over_orders(log, FEW, seed=4).rating)


@pytest.fixture(scope="module")
def long_log():
    """Long enough that its orders are several tasks."""
    return simulated(300_000, 40, seed=8)


@pytest.mark.parametrize("workers", [1, 2])
def test_threads_give_the_same_bits(long_log, workers):
    parameters = EloParameters(orders=58)
    alone = elo_over_orders(long_log, parameters, seed=9)
    with ThreadPoolExecutor(workers) as executor:
        shared = elo_over_orders(long_log, parameters, seed=9, executor=executor)
    assert np.array_equal(alone.rating, shared.rating)
    assert np.array_equal(alone.spread, shared.spread)


@pytest.mark.process
def test_processes_give_the_same_bits(long_log):
    parameters = EloParameters(orders=58)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        shared = elo_over_orders(long_log, parameters, seed=9, executor=executor)
    assert np.array_equal(elo_over_orders(long_log, parameters, seed=9).rating, shared.rating)


def test_a_log_too_long_for_eight_orders_is_played_an_order_at_a_time_with_the_same_bits(monkeypatch):
    few, votes, allowed = simulated(5000, 40, seed=8), SCATTERED + 1, 1 << 24
    left, right, outcome = np.resize(few.left, votes), np.resize(few.right, votes), np.resize(few.outcome, votes)
    log, parameters = Comparisons(left, right, outcome, None, None, None, few.names), EloParameters(orders=3)
    whole, packed = elo_over_orders(log, parameters, seed=9), pack(log)
    assert averages._batch_size(packed) == LANES
    monkeypatch.setattr(averages, "_BUFFER_BYTES", allowed)
    assert averages._batch_size(packed) == 1
    assert averages._threads(packed, 1) * packed.words.nbytes <= allowed
    single = elo_over_orders(log, parameters, seed=9)
    assert np.array_equal(whole.rating, single.rating)
    assert np.array_equal(whole.spread, single.spread)


# Edges


def test_an_empty_log_leaves_everybody_at_the_start():
    log = log_of([], names=["x", "y"])
    assert elo_in_order(log).tolist() == [1000, 1000]
    elo = elo_over_orders(log, FEW, seed=1)
    assert (elo.rating.tolist(), elo.error.tolist(), elo.spread.tolist()) == ([1000, 1000], [0, 0], [0, 0])
    assert elo_over_orders(log_of([]), FEW, seed=1).rating.shape == (0,)


def test_ties_alone_move_nobody():
    elo = elo_over_orders(log_of([("x", "y", "tie"), ("y", "z", "both_bad")] * 50), FEW, seed=1)
    assert elo.rating.tolist() == [1000] * 3


@pytest.mark.parametrize(
    "bad",
    [
        {"init": float("nan")},
        {"k": 0},
        {"k": float("inf")},
        {"base": 1},
        {"scale": 0},
        {"scale": float("nan")},
        {"orders": 1},
    ],
)
def test_parameters_out_of_range_are_refused(bad):
    with pytest.raises(BadParameters):
        EloParameters(**bad)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_beyond_64_bits_is_refused(seed):
    with pytest.raises(BadParameters, match="seed"):
        elo_over_orders(log_of([("x", "y", "a")]), FEW, seed=seed)


def test_a_weight_that_would_burst_the_scale_is_refused():
    with pytest.raises(BadParameters, match="weight"):
        elo_in_order(log_of([("x", "y", "a")], weight=[1e6]))


def test_weights_of_one_change_no_bit_of_any_published_number():
    log = replace(simulated(500, 20, seed=1), weight=None)
    ones, parameters = replace(log, weight=np.ones(len(log))), LeaderboardParameters(FEW)
    assert compute(ones, parameters, seed=1) == compute(log, parameters, seed=1)


@pytest.mark.parametrize("weights", [(0, 0.25, 0.5, 1), (0.25, 1), (0, 63.75, 0.5), (0.1, 0.2, 1), (64, 0.25)])
def test_weights_in_a_word_are_those_of_the_log(weights):
    log = replace(
        simulated(500, 20, seed=1), weight=np.random.default_rng(1).choice(weights, len(simulated(500, 20, seed=1)))
    )
    packed = pack(log)
    assert packed.weights.tolist() == sorted(set(log.weight.tolist()))
    assert (packed.weights[packed.words.astype(np.uint64) >> np.uint64(2 + 2 * packed.bits)] == log.weight).all()


def test_four_weights_and_64_competitors_fit_in_16_bits():
    log = simulated(500, 20, seed=1)
    wide = replace(log, names=tuple(map(str, range(64))), weight=np.arange(len(log)) % 4 / 4)
    assert pack(wide).words.dtype == np.uint16
    assert pack(replace(wide, names=tuple(map(str, range(65))))).words.dtype == np.uint32

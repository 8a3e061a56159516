"""The maximum likelihood fit, its intervals, and its errors when there is no maximum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena_rating import BadParameters, NotConverged, PairCounts, Unbounded, bradley_terry, pair_counts, rank_bounds
from tests.rating import naive
from tests.rating.logs import NAMES, fewer_examples, log_of, rows_of, simulated, vote_lists

UNIT = 400 / math.log(10)


def fit_of(votes, **how):
    more = {"weight": how.pop("weight")} if "weight" in how else {}
    return bradley_terry(pair_counts(log_of(votes, **more)), **how)


def by_name(fit, column):
    return dict(zip(fit.names, getattr(fit, column).tolist(), strict=True))


# By hand


def test_three_wins_to_one_are_400_log10_of_3_apart():
    fit = fit_of([("x", "y", "a")] * 3 + [("x", "y", "b")], prior=0)
    half = 200 * math.log10(3)
    assert fit.rating == pytest.approx([1000 + half, 1000 - half], abs=1e-9)


def test_the_interval_of_three_wins_to_one_is_that_of_a_share():
    fit = fit_of([("x", "y", "a")] * 3 + [("x", "y", "b")], prior=0)
    error = UNIT / 2 * math.sqrt(1 / (4 * 0.75 * 0.25))
    assert fit.error == pytest.approx([error, error], rel=1e-12)
    assert fit.high - fit.low == pytest.approx([2 * 1.959963984540054 * error] * 2, rel=1e-12)


def test_ties_narrow_the_interval_as_half_a_win_and_half_a_loss_would_not():
    decided = fit_of([("x", "y", "a"), ("x", "y", "b")] * 50, prior=0)
    tied = fit_of([("x", "y", "a"), ("x", "y", "b"), ("x", "y", "tie"), ("x", "y", "both_bad")] * 25, prior=0)
    assert tied.rating.tolist() == decided.rating.tolist() == [1000, 1000]
    assert tied.error[0] == pytest.approx(decided.error[0] * math.sqrt(0.5))


def test_one_win_is_held_by_the_virtual_draw():
    fit = fit_of([("x", "y", "a")], prior=1)
    theta = (fit.rating[0] - 1000) / UNIT
    assert fit.rating.sum() == pytest.approx(2000)
    assert 1 - naive.chance(2 * theta) == pytest.approx(naive.chance(theta) - 0.5, abs=1e-12)


def test_init_base_and_scale_only_move_and_stretch():
    votes = [("x", "y", "a"), ("y", "z", "a"), ("z", "x", "a"), ("x", "z", "a")]
    plain, other = fit_of(votes), fit_of(votes, init=0, base=math.e, scale=1)
    assert (plain.rating - 1000) / UNIT == pytest.approx(other.rating, abs=1e-12)
    assert plain.error / UNIT == pytest.approx(other.error, abs=1e-12)


# Against the reference implementation


@fewer_examples
@given(vote_lists(), st.sampled_from([0.1, 0.5, 1.0]))
def test_the_fit_is_that_of_newton_on_the_votes_themselves(votes, prior):
    assume(len(naive.components_of(votes)) == 1)
    fit, expected = fit_of(votes, prior=prior), naive.bradley_terry(votes, prior=prior)
    for name, rating, error in zip(fit.names, fit.rating, fit.error, strict=True):
        assert rating == pytest.approx(expected[name][0], abs=1e-9, rel=1e-9)
        assert error == pytest.approx(expected[name][1], abs=1e-6, rel=1e-8)
    assert fit.gradient <= 1.01e-10


@fewer_examples
@given(vote_lists(), st.permutations(NAMES))
def test_other_names_carry_the_same_ratings(votes, letters):
    renamed = dict(zip(NAMES, letters, strict=True))
    fit, other = fit_of(votes), fit_of([(renamed[a], renamed[b], outcome) for a, b, outcome in votes])
    ratings, lows = by_name(other, "rating"), by_name(other, "low")
    assert [ratings[renamed[name]] for name in fit.names] == pytest.approx(fit.rating.tolist(), abs=1e-9)
    assert [lows[renamed[name]] for name in fit.names] == pytest.approx(fit.low.tolist(), abs=1e-6)


@fewer_examples
@given(vote_lists())
def test_swapping_sides_and_reordering_change_nothing(votes):
    swapped = [(right, left, naive.FLIPPED[outcome]) for left, right, outcome in reversed(votes)]
    assert fit_of(votes).rating.tolist() == fit_of(swapped).rating.tolist()


@fewer_examples
@given(vote_lists())
def test_a_weight_is_a_repetition(votes):
    weights = [1 + row % 3 for row in range(len(votes))]
    repeated = [vote for vote, weight in zip(votes, weights, strict=True) for _ in range(weight)]
    one, other = fit_of(votes, weight=weights), fit_of(repeated)
    assert one.rating == pytest.approx(other.rating, abs=1e-9)
    assert one.error == pytest.approx(other.error, abs=1e-9)


def test_intervals_are_as_wide_as_resampling_says():
    log = simulated(4000, 6, seed=4)
    tensor, rng = pair_counts(log), np.random.default_rng(1)
    drawn = [rows_of(log, rng.integers(0, len(log), len(log))) for _ in range(300)]
    spread = np.std([bradley_terry(pair_counts(sample)).rating for sample in drawn], axis=0, ddof=1)
    assert np.mean(spread / bradley_terry(tensor).error) == pytest.approx(1, abs=0.06)


# The prior


def test_an_undefeated_newcomer_is_finite_uncertain_and_moves_nobody():
    settled = [("x", "y", "a"), ("y", "x", "a")] * 50 + [("x", "z", "a")] * 60 + [("z", "y", "a")] * 40
    before, after = fit_of(settled), fit_of([*settled, *[("new", "x", "a")] * 5])
    for name in "xyz":
        assert abs(by_name(after, "rating")[name] - by_name(before, "rating")[name]) < 20
    new = after.names.index("new")
    assert 1200 < after.rating[new] < 2000
    assert after.high[new] - after.low[new] > 1000
    assert (after.rank_low[new], after.rank_high[new]) == (1, 4)


def test_the_prior_leaves_the_well_fed_where_they_are():
    counts = pair_counts(simulated(20_000, 10, seed=6))
    plain, held = bradley_terry(counts, prior=0), bradley_terry(counts)
    assert np.abs(plain.rating - held.rating).max() < 0.02 * plain.error.min()


@pytest.mark.parametrize("votes", [[("x", "y", "a")], [("x", "y", "a"), ("y", "z", "tie"), ("x", "z", "a")]])
def test_without_a_prior_an_undefeated_one_has_no_rating(votes):
    with pytest.raises(Unbounded):
        fit_of(votes, prior=0)


def test_a_prior_too_weak_for_the_arithmetic_is_said():
    with pytest.raises(NotConverged):
        fit_of([("x", "y", "a")] * 5, prior=1e-300)


# Components


def test_each_pool_has_its_own_scale_and_ranks():
    pool, other = [("u", "v", "a")] * 3 + [("v", "w", "a")] * 2, [("x", "y", "b")] * 4
    together = fit_of([*pool, *other])
    assert together.component.tolist() == [0, 0, 0, 1, 1]
    assert together.rating[:3] == pytest.approx(fit_of(pool).rating, abs=1e-9)
    assert together.rating[3:] == pytest.approx(fit_of(other).rating, abs=1e-9)
    assert np.isnan(together.covariance[:3, 3:]).all()
    assert together.rank_high.max() == 3


def test_who_never_met_anybody_has_no_rating():
    fit = bradley_terry(pair_counts(log_of([("x", "y", "a")], names=["alone", "x", "y"])))
    assert np.isnan([fit.rating[0], fit.low[0], fit.high[0], fit.error[0]]).all()
    assert fit.component.tolist() == [1, 0, 0]


def test_nobody_is_a_fit_of_nobody():
    fit = bradley_terry(pair_counts(log_of([])))
    assert (fit.names, fit.rating.shape, fit.iterations) == ((), (0,), 0)


def test_ties_alone_rate_all_alike():
    fit = fit_of([("x", "y", "tie"), ("y", "z", "both_bad")] * 30)
    assert fit.rating.tolist() == pytest.approx([1000] * 3, abs=1e-9)
    assert (fit.rank_low.tolist(), fit.rank_high.tolist()) == ([1] * 3, [3] * 3)


# Extremes


def test_ten_million_votes_and_a_long_ladder_converge():
    wins = np.zeros((40, 40))
    steps = np.arange(39)
    wins[steps, steps + 1], wins[steps + 1, steps] = 10_000_000, 1000
    counts = PairCounts(tuple(f"{i:02}" for i in range(40)), wins, 0 * wins, 0 * wins)
    fit = bradley_terry(counts, prior=0)
    assert np.diff(fit.rating) == pytest.approx([-1600] * 39, abs=1e-5)


@pytest.mark.parametrize(("size", "seed"), [(28, 3), (20, 59), (15, 3)])
def test_uneven_ladders_whose_full_steps_overshoot_converge(size, seed):
    wins, steps = np.zeros((size, size)), np.arange(size - 1)
    up, down = np.floor(10 ** np.random.default_rng(seed).uniform(0, 9, (2, size - 1)))
    wins[steps, steps + 1], wins[steps + 1, steps], wins[0, -1] = up, down, 1
    fit = bradley_terry(PairCounts(tuple(f"{i:02}" for i in range(size)), wins, 0 * wins, 0 * wins), prior=0.1)
    chance, level = (1 / (1 + np.exp(-x)) for x in (fit.strength[:, None] - fit.strength, fit.strength))
    rest = wins - (wins + wins.T) * chance
    assert rest.sum(axis=1) + 0.1 * (0.5 - level) == pytest.approx(np.zeros(size), abs=1e-3)


def test_bounds_count_only_what_lies_surely_above_or_below():
    low, high = np.array([5.0, 3.0, 2.0, 0.0]), np.array([6.0, 5.5, 4.0, 1.0])
    best, worst = rank_bounds(low, high, np.zeros(4, np.int64))
    assert (best.tolist(), worst.tolist()) == ([1, 1, 2, 4], [2, 3, 3, 4])
    best, worst = rank_bounds(low, high, np.array([0, 1, 0, 1]))
    assert (best.tolist(), worst.tolist()) == ([1, 1, 2, 2], [1, 1, 2, 2])


@pytest.mark.parametrize("bad", [{"prior": -1}, {"prior": math.nan}, {"level": 1}, {"base": 1}, {"scale": 0}])
def test_parameters_out_of_range_are_refused(bad):
    with pytest.raises(BadParameters):
        fit_of([("x", "y", "a")], **bad)

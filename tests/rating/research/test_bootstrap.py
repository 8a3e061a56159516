"""Resampled fits: their random numbers, their maxima, and their intervals."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import (
    BadParameters,
    NotConverged,
    PairCounts,
    bradley_terry,
    pair_counts,
)
from arena_rating.research import BootstrapParameters, bootstrap_bradley_terry
from arena_rating.research._kernels import maximum, poisson
from arena_rating.research._kernels import resampling as kernels
from arena_rating.research.resampling import VoteResampler, by_vote, by_voter, start_of
from tests.rating import naive
from tests.rating.logs import NAMES, fewer_examples, log_of, simulated, vote_lists

ONE = np.uint64(1)
UNIT = 400 / math.log(10)
FEW = BootstrapParameters(rounds=12)


def resampled_counts(log, sums):
    m = len(log.names)
    wins, draws = sums.reshape(2, m, m)
    return PairCounts(log.names, wins, draws + draws.T, np.zeros((m, m)))


def resampled(job, seed, number, size, *, tables=True):
    """The sums of one round; without `tables` every number is drawn as for means without a table."""
    sums, constants = np.zeros(size), poisson.poisson_constants(job.mean)
    where = job.where if tables else job.where[:0]
    kernels.resample_votes(job.cell, job.end, job.words, where, constants, np.uint64(seed), number, sums)
    return sums


def drawn(mean, size, seed=1, *, tables=True):
    """Poisson numbers of one mean."""
    means = np.full(1, mean)
    job = VoteResampler(np.arange(size, dtype=np.int32), np.full(1, size), means, *poisson.alias_tables(means))
    return resampled(job, seed, 0, size, tables=tables)


def chances(mean, top):
    return np.array([math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(top)])


# The random numbers


@pytest.mark.parametrize("tables", [True, False])
@pytest.mark.parametrize("mean", [0.3, 1.0, 7.5, 9.0, 9.999, 10.0, 37.25, 100.0, 255.0, 256.0, 1000.0, 1200.5])
def test_poisson_numbers_are_as_frequent_as_they_should_be(mean, tables):
    size, top = 400_000, int(mean + 12 * math.sqrt(mean) + 12)
    expected, found = size * chances(mean, top), np.bincount(drawn(mean, size, tables=tables).astype(int))
    found = np.pad(found, (0, max(0, top - len(found))))[:top]
    common = expected >= 5
    expected = np.append(expected[common], size - expected[common].sum())
    found = np.append(found[common], size - found[common].sum())
    excess, freedom = ((found - expected) ** 2 / np.maximum(expected, 1)).sum(), common.sum()
    assert excess < freedom + 4 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("mean", [1e-300, 0.01, 1.0, 9.5, 64.0, 256.0])
def test_a_table_holds_the_chances_to_rounding(mean):
    words, ((_, bits, lowest),) = poisson.alias_tables(np.full(1, mean))
    held = np.zeros(1024)
    for place, word in enumerate(words.tolist()):
        own = (word >> 10) / 2**54
        held[lowest + place] += own / 2**bits
        held[lowest + (word & 1023)] += (1 - own) / 2**bits
    assert held == pytest.approx(chances(mean, 1024), rel=1e-9, abs=1e-16)
    assert held.sum() == pytest.approx(1, abs=1e-14)


def test_tables_end_where_their_space_does_and_larger_means_go_without():
    few, many = np.array([1.0, 256.0, 256.5, 300.0]), 1 + np.arange(5000) / 20
    words, where = poisson.alias_tables(few)
    assert (len(where), len(words)) == (2, where[-1][0] + (1 << where[-1][1]))
    words, where = poisson.alias_tables(many)
    assert 100 < len(where) < 5000
    assert poisson.WORDS // 2 < len(words) <= poisson.WORDS


@pytest.mark.parametrize("mean", [2.0**20, 2.0**31, 2.0**40])
def test_poisson_numbers_of_a_huge_mean_do_not_overflow(mean):
    seen = drawn(mean, 4000)
    assert seen.mean() == pytest.approx(mean, abs=5 * math.sqrt(mean / 4000))
    assert seen.std() == pytest.approx(math.sqrt(mean), rel=0.06)


def test_numbers_of_one_round_do_not_hang_together_nor_those_of_one_kind():
    mean = np.array([3.0, 11.0])
    job = VoteResampler(np.arange(2000, dtype=np.int32), np.array([1000, 2000]), mean, *poisson.alias_tables(mean))
    rounds = np.array([resampled(job, 5, number, 2000) for number in range(200)])
    apart = np.asarray(np.corrcoef(rounds[:, ::20].T))[np.triu_indices(100, 1)]
    assert np.abs(apart).max() < 0.4
    assert apart.std() == pytest.approx(1 / math.sqrt(200), rel=0.1)
    chain = (rounds - rounds.mean(axis=0))[:, :1000]
    assert abs((chain[:-1] * chain[1:]).mean() / chain.var()) < 0.01


def test_all_votes_of_a_voter_are_copied_alike():
    log = log_of([("x", "y", "a"), ("y", "z", "b"), ("z", "x", "tie")] * 2, voter=[7, 7, 7, 9, 9, 9])
    job = by_voter(log)
    for number in range(20):
        sums = np.zeros(18)
        kernels.resample_voters(job.cell, job.weight, job.voter, np.empty(2, np.uint8), ONE, number, sums)
        assert set(sums) == {0, sums.max()}


# The maximum of each round


@fewer_examples
@given(vote_lists(most=60), st.sampled_from([0.1, 1.0]))
def test_every_round_is_the_fit_of_its_resample(votes, prior):
    log, how = log_of(votes), replace(FEW, prior=prior)
    counts = pair_counts(log)
    job, boot = by_vote(counts), bootstrap_bradley_terry(log, how, seed=3)
    share = counts.battles.sum(axis=1)
    for number in range(4):
        sums = resampled(job, 3, number, 2 * len(log.names) ** 2)
        expected = by_hand(resampled_counts(log, sums), prior)
        for pool in np.unique(boot.component):
            members = np.flatnonzero(boot.component == pool)
            middle = np.average(expected[members], weights=share[members])
            assert boot.ratings[number, members] == pytest.approx(1000 + UNIT * (expected[members] - middle), abs=1e-9)


def by_hand(counts, prior):
    """Newton's method, dense and in numpy, with the virtual player at 0."""
    scores, battles, theta = counts.scores, counts.battles, np.zeros(len(counts.names))
    for _ in range(500):
        p, own = 1 / (1 + np.exp(theta - theta[:, None])), 1 / (1 + np.exp(-theta))
        slope = (scores - battles * p).sum(axis=1) + prior * (0.5 - own)
        v = battles * p * (1 - p)
        step = np.linalg.solve(np.diag(v.sum(axis=1) + prior * own * (1 - own)) - v, slope)
        theta += step * min(1, 0.5 / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-14:
            break
    return theta


def test_sweeps_and_newton_end_at_one_place():
    counts = pair_counts(simulated(20_000, 31, seed=5))
    label, score = np.zeros(31, np.int64), counts.scores
    swept, stepped = np.ones(31), np.ones(31)
    assert 0 < maximum.maximise(score, score.T.copy(), label, 0.1, swept) <= maximum.SWEEPS
    assert maximum._newton(score, score.T.copy(), 0.1, stepped) > 0
    assert np.log(swept) == pytest.approx(np.log(stepped), abs=1e-11)
    fit = bradley_terry(counts).rating
    share = counts.battles.sum(axis=1) / counts.battles.sum()
    assert 1000 + UNIT * (np.log(swept) - share @ np.log(swept)) == pytest.approx(fit, abs=1e-8)


def a_round(log):
    """Input of a round: battles, points, scores, and the starting point."""
    counts = pair_counts(log)
    fit, job = bradley_terry(counts), by_vote(counts)
    round_ = resampled_counts(log, resampled(job, 3, 0, 2 * len(log.names) ** 2))
    start = start_of(counts, (fit.rating - 1000) / UNIT, fit.component, fit.prior)
    return round_.battles, round_.scores.sum(axis=1), round_.scores, start


def test_chords_end_where_sweeps_do():
    battles, points, score, start = a_round(simulated(20_000, 31, seed=5))
    stepped, swept = start.strength.copy(), start.strength.copy()
    steps = maximum.approach(battles, points, start.inverse, start.label, 0.1, stepped)
    assert 3 < steps < maximum.CHORDS
    assert maximum.maximise(score, score.T.copy(), start.label, 0.1, swept) > 0
    assert np.log(stepped) == pytest.approx(np.log(swept), abs=1e-11)


@pytest.mark.parametrize("wrong", [0.5, 3.0, math.nan, math.inf])
def test_chords_along_a_curvature_unlike_the_own_one_are_given_up(wrong):
    battles, points, _, start = a_round(simulated(2000, 9, seed=5))
    strength = start.strength.copy()
    assert maximum.approach(battles, points, wrong * start.inverse, start.label, 0.1, strength) == -1


def test_rounds_of_a_common_log_need_chords_alone():
    boot = bootstrap_bradley_terry(simulated(20_000, 31, seed=5), FEW, seed=1)
    assert boot.iterations < maximum.CHORDS


def test_rounds_of_a_long_and_steep_ladder_converge():
    steps = [(f"{i:02}", f"{i + 1:02}", outcome) for i in range(39) for outcome in ("a", "b")]
    boot = bootstrap_bradley_terry(log_of(steps, weight=[1e7, 1e3] * 39), FEW, seed=1)
    assert boot.iterations > maximum.SWEEPS
    assert np.diff(boot.rating) == pytest.approx([-1600] * 39, abs=0.5)
    assert np.diff(boot.ratings).mean(axis=0) == pytest.approx([-1600] * 39, abs=8)
    assert boot.error[0] == pytest.approx(
        bradley_terry(pair_counts(log_of(steps, weight=[1e7, 1e3] * 39))).error[0], rel=0.6
    )


def test_a_prior_too_weak_for_the_arithmetic_is_said():
    with pytest.raises(NotConverged):
        bootstrap_bradley_terry(
            log_of([("x", "y", "a"), ("y", "x", "a")] * 2), replace(FEW, rounds=50, prior=1e-300), seed=1
        )


# The same bits


@pytest.mark.process
def test_rounds_have_the_same_bits_on_any_executor():
    log = replace(simulated(20_000, 15, seed=2), voter=np.arange(20_000, dtype=np.int32) % 300)
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as processes:
        for how in (replace(FEW, rounds=30), replace(FEW, rounds=30, unit="voter")):
            alone = bootstrap_bradley_terry(log, how, seed=7)
            for executor in (threads, processes):
                other = bootstrap_bradley_terry(log, how, seed=7, executor=executor)
                assert other.ratings.tobytes() == alone.ratings.tobytes()
                assert other.high.tobytes() == alone.high.tobytes()
            assert not (bootstrap_bradley_terry(log, how, seed=8).ratings == alone.ratings).all()


@fewer_examples
@given(vote_lists())
def test_more_rounds_begin_with_the_same_ones(votes):
    log = log_of(votes)
    few, more = (bootstrap_bradley_terry(log, replace(FEW, rounds=rounds), seed=1) for rounds in (5, 9))
    assert few.ratings.tobytes() == more.ratings[:5].tobytes()


@fewer_examples
@given(vote_lists(), st.randoms(use_true_random=False))
def test_by_vote_neither_the_order_nor_the_sides_of_the_log_matter(votes, random):
    other = [(b, a, naive.FLIPPED[outcome]) if random.random() < 0.5 else (a, b, outcome) for a, b, outcome in votes]
    random.shuffle(other)
    one, two = (bootstrap_bradley_terry(log_of(log), FEW, seed=1) for log in (votes, other))
    assert one.ratings.tobytes() == two.ratings.tobytes()


@fewer_examples
@given(vote_lists())
def test_a_weight_is_a_repetition(votes):
    weights = [row % 3 for row in range(len(votes))]
    repeated = [vote for vote, weight in zip(votes, weights, strict=True) for _ in range(weight)]
    names = sorted({name for vote in votes for name in vote[:2]})
    one = bootstrap_bradley_terry(log_of(votes, weight=weights, names=names), FEW, seed=1)
    two = bootstrap_bradley_terry(log_of(repeated, names=names), FEW, seed=1)
    assert np.array_equal(one.ratings, two.ratings, equal_nan=True)
    voters = [row % 2 for row in range(len(votes))]
    again = [voter for voter, weight in zip(voters, weights, strict=True) for _ in range(weight)]
    by_voter = replace(FEW, unit="voter")
    one = bootstrap_bradley_terry(log_of(votes, weight=weights, names=names, voter=voters), by_voter, seed=1)
    assert one.ratings.shape == (12, len(names))
    if len(set(again)) == 2:
        two = bootstrap_bradley_terry(log_of(repeated, names=names, voter=again), by_voter, seed=1)
        ordered = again[0] == voters[0] == 0
        assert not ordered or np.allclose(one.ratings, two.ratings, atol=1e-9, equal_nan=True)


# The intervals


def test_intervals_by_vote_are_as_wide_as_the_sandwich():
    log = simulated(20_000, 12, seed=3)
    fit = bradley_terry(pair_counts(log))
    boot = bootstrap_bradley_terry(log, BootstrapParameters(rounds=600), seed=1)
    assert np.mean(boot.error / fit.error) == pytest.approx(1, abs=0.04)
    assert np.mean((boot.high - boot.low) / (fit.high - fit.low)) == pytest.approx(1, abs=0.05)
    assert boot.rating.tolist() == fit.rating.tolist()
    assert not boot.absent.any()


def test_voters_who_repeat_themselves_widen_the_interval_by_voter_alone():
    single = simulated(500, 5, seed=4)
    columns = {field: np.repeat(getattr(single, field), 16) for field in ("left", "right", "outcome")}
    log = replace(single, **columns, voter=np.repeat(np.arange(500, dtype=np.int32), 16))
    how = BootstrapParameters(rounds=400)
    by_vote, by_voter = (bootstrap_bradley_terry(log, replace(how, unit=unit), seed=1) for unit in ("vote", "voter"))
    assert np.mean(by_voter.error / by_vote.error) == pytest.approx(4, abs=0.3)
    alone = bootstrap_bradley_terry(single, replace(how, prior=how.prior / 16), seed=1)
    assert np.mean(by_voter.error / alone.error) == pytest.approx(1, abs=0.1)


def test_a_basic_interval_is_the_other_one_mirrored_at_the_rating():
    log = simulated(2000, 5, seed=1)
    plain = bootstrap_bradley_terry(log, replace(FEW, rounds=50), seed=1)
    basic = bootstrap_bradley_terry(log, replace(FEW, rounds=50, interval="basic"), seed=1)
    assert basic.low == pytest.approx(2 * plain.rating - plain.high)
    assert basic.high == pytest.approx(2 * plain.rating - plain.low)


# Small and odd logs


def test_a_newcomer_whom_a_round_leaves_out_is_held_by_the_prior_and_counted():
    settled = [("x", "y", "a"), ("y", "x", "a"), ("x", "y", "a")] * 50
    boot = bootstrap_bradley_terry(log_of([*settled, ("new", "x", "a")]), BootstrapParameters(rounds=300), seed=1)
    new = boot.names.index("new")
    assert 70 < boot.absent[new] < 150
    assert boot.absent.sum() == boot.absent[new]
    assert np.isfinite(boot.ratings).all()
    assert np.ptp(boot.ratings[:, new]) > 100


def test_pools_are_resampled_apart_and_who_never_met_anybody_has_no_rating():
    votes = [("u", "v", "a"), ("v", "u", "a"), ("u", "v", "tie")] * 9
    other = [("y", "x", "a"), ("x", "y", "a"), ("x", "y", "a")] * 5
    boot = bootstrap_bradley_terry(log_of([*votes, *other], names=[*"uvxy", "alone"]), FEW, seed=1)
    assert boot.component.tolist() == [0, 0, 1, 1, 2]
    assert boot.ratings[:, :4].reshape(12, 2, 2).mean(axis=2) == pytest.approx(np.full((12, 2), 1000.0))
    assert np.isnan(boot.ratings[:, 4]).all()
    assert np.isnan([boot.low[4], boot.high[4]]).all()
    assert boot.absent[4] == 12


def test_ties_alone_never_leave_the_middle():
    boot = bootstrap_bradley_terry(log_of([("x", "y", "tie"), ("y", "z", "both_bad")] * 9), FEW, seed=1)
    assert boot.ratings == pytest.approx(np.full((12, 3), 1000.0), abs=1e-9)


@pytest.mark.parametrize("names", [[], ["only"]])
@pytest.mark.parametrize("unit", ["vote", "voter"])
def test_nobody_and_one_alone_are_resampled_to_nothing(names, unit):
    boot = bootstrap_bradley_terry(log_of([], names=names, voter=[]), replace(FEW, unit=unit), seed=1)
    assert boot.ratings.shape == (12, len(names))
    assert np.isnan(boot.low).all()


def test_two_billion_votes_on_a_pair_are_counted():
    log = log_of([("x", "y", "a"), ("x", "y", "b"), ("y", "x", "tie")], weight=[2.0**31, 2.0**30, 2.0**32])
    boot = bootstrap_bradley_terry(log, replace(FEW, rounds=40), seed=1)
    assert boot.error[0] < 0.01
    assert boot.rating[0] - boot.rating[1] == pytest.approx(UNIT * math.log(4.0 / 3.0), abs=1e-6)


@pytest.mark.parametrize(
    "bad", [{"rounds": 1}, {"unit": "day"}, {"interval": "bca"}, {"prior": 0}, {"prior": math.nan}, {"level": 1}]
)
def test_parameters_out_of_range_are_refused(bad):
    with pytest.raises(BadParameters):
        bootstrap_bradley_terry(log_of([("x", "y", "a")]), BootstrapParameters(**bad), seed=1)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_is_a_word(seed):
    with pytest.raises(BadParameters):
        bootstrap_bradley_terry(log_of([("x", "y", "a")]), FEW, seed=seed)


def test_voters_must_be_known_to_be_resampled():
    with pytest.raises(BadParameters):
        bootstrap_bradley_terry(log_of([("x", "y", "a")]), replace(FEW, unit="voter"), seed=1)


@fewer_examples
@given(vote_lists(), st.permutations(NAMES))
def test_other_names_leave_the_fit_and_the_spread_in_place(votes, letters):
    renamed = dict(zip(NAMES, letters, strict=True))
    one = bootstrap_bradley_terry(log_of(votes), FEW, seed=1)
    two = bootstrap_bradley_terry(log_of([(renamed[a], renamed[b], outcome) for a, b, outcome in votes]), FEW, seed=1)
    places = [two.names.index(renamed[name]) for name in one.names]
    assert two.rating[places] == pytest.approx(one.rating, abs=1e-9)
    assert np.isfinite(two.ratings).all()

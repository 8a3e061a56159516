"""Style-controlled Bradley-Terry: the fit, its errors and its purpose."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena_rating import (
    BadComparisons,
    BadParameters,
    Comparisons,
    NotConverged,
    Unbounded,
    bradley_terry,
    pair_counts,
    rank_sets,
    style_bradley_terry,
)
from tests.rating import naive
from tests.rating.logs import NAMES, fewer_examples, log_of, rows_of, simulated, vote_lists
from tests.rating.worlds import WORLDS

UNIT = 400 / math.log(10)


@st.composite
def styled_votes(draw, features=2):
    votes = draw(vote_lists(least=4, most=40))
    cell = st.integers(-20, 20).map(lambda tenths: tenths / 20)
    rows = draw(st.lists(st.tuples(*[cell] * features), min_size=len(votes), max_size=len(votes)))
    return votes, np.array(rows)


def by_hand(votes, names, table, prior):
    """Newton's method on the rows in plain Python: (theta, beta) and its sandwich covariance."""
    size, features = len(names), table.shape[1]
    designs = [(design(names, vote, row), naive.SCORE[vote[2]], 1.0) for vote, row in zip(votes, table, strict=True)]
    unit = np.eye(size + features)
    designs += [(row, score, prior / 2) for row in unit for score in (0.0, 1.0)]
    x = np.zeros(size + features)
    for _ in range(400):
        slope, curve, noise = np.zeros_like(x), np.zeros_like(unit), np.zeros_like(unit)
        for row, score, weight in designs:
            p = naive.chance(row @ x)
            slope += weight * (score - p) * row
            curve += weight * p * (1 - p) * np.outer(row, row)
            noise += weight * (score - p) ** 2 * np.outer(row, row)
        step = np.linalg.solve(curve, slope)
        x = x + step * min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < 1e-13:
            break
    bread = np.linalg.inv(curve)
    return x, bread @ noise @ bread


def design(names, vote, row):
    out = np.zeros(len(names))
    out[names.index(vote[0])], out[names.index(vote[1])] = 1, -1
    return np.concatenate([out, row])


# Against the reference implementation


@fewer_examples
@given(styled_votes(), st.sampled_from([0.1, 1.0]))
def test_the_fit_is_that_of_newton_on_the_rows_themselves(drawn, prior):
    votes, table = drawn
    assume(len(naive.components_of(votes)) == 1)
    assume((np.ptp(table, axis=0) > 0).all())
    log, spread = log_of(votes), np.sqrt((table**2).mean(axis=0))
    fit = style_bradley_terry(log, table, prior=prior)
    x, covariance = by_hand(votes, log.names, table / spread, prior)
    m, met = len(log.names), pair_counts(log).battles.sum(axis=1)
    centring = np.eye(len(x))
    centring[:m, :m] -= met / met.sum()
    assert fit.spread == pytest.approx(spread)
    assert fit.rating == pytest.approx(1000 + UNIT * (centring @ x)[:m], abs=1e-9, rel=1e-9)
    assert fit.coefficient == pytest.approx(x[m:], abs=1e-9)
    expected = centring @ covariance @ centring.T
    assert fit.covariance == pytest.approx(UNIT**2 * expected[:m, :m], rel=1e-4, abs=1e-3)
    assert fit.coefficient_error == pytest.approx(np.sqrt(np.diag(expected)[m:]), rel=1e-5)
    assert fit.gradient < 1e-9


@fewer_examples
@given(vote_lists())
def test_without_a_feature_it_is_the_plain_fit(votes):
    log = log_of(votes)
    plain = bradley_terry(pair_counts(log))
    for table in (np.zeros((len(log), 0)), np.zeros((len(log), 2)), np.full((len(log), 1), 0.3)):
        fit = style_bradley_terry(log, table, claims=False)
        assert fit.rating == pytest.approx(plain.rating, abs=1e-9, nan_ok=True)
        assert fit.error == pytest.approx(plain.error, rel=1e-6, nan_ok=True)
        low, high = rank_sets(plain.rating, plain.covariance, plain.component, seed=0)
        assert (fit.rank_low.tolist(), fit.rank_high.tolist()) == (low.tolist(), high.tolist())
        assert fit.features == ()


@fewer_examples
@given(styled_votes(), st.data())
def test_swapping_the_sides_of_a_row_turns_its_features_and_changes_nothing(drawn, data):
    votes, table = drawn
    assume((np.ptp(table, axis=0) > 0).all())
    turn = np.array(data.draw(st.lists(st.booleans(), min_size=len(votes), max_size=len(votes))))
    other = np.where(turn[:, None], -table, table)
    assume((np.ptp(other, axis=0) > 0).all())
    turned = [(b, a, naive.FLIPPED[o]) if t else (a, b, o) for (a, b, o), t in zip(votes, turn, strict=True)]
    one, two = style_bradley_terry(log_of(votes), table), style_bradley_terry(log_of(turned), other)
    assert two.rating == pytest.approx(one.rating, abs=1e-8)
    assert two.coefficient == pytest.approx(one.coefficient, abs=1e-9)


@fewer_examples
@given(styled_votes(), st.permutations(NAMES))
def test_other_names_and_another_unit_carry_the_same_fit(drawn, letters):
    votes, table = drawn
    renamed = dict(zip(NAMES, letters, strict=True))
    other = log_of([(renamed[a], renamed[b], outcome) for a, b, outcome in votes])
    one, two = style_bradley_terry(log_of(votes), table), style_bradley_terry(other, table * [8.0, 1e-3])
    places = [two.names.index(renamed[name]) for name in one.names]
    assert two.rating[places] == pytest.approx(one.rating, abs=1e-8)
    assert two.coefficient == pytest.approx(one.coefficient, abs=1e-9)


@fewer_examples
@given(styled_votes())
def test_a_weight_is_a_repetition(drawn):
    votes, table = drawn
    weights = [row % 3 for row in range(len(votes))]
    repeated = [vote for vote, weight in zip(votes, weights, strict=True) for _ in range(weight)]
    names = sorted({name for vote in votes for name in vote[:2]})
    one = style_bradley_terry(log_of(votes, weight=weights, names=names), table)
    two = style_bradley_terry(log_of(repeated, names=names), np.repeat(table, weights, axis=0))
    assert one.rating == pytest.approx(two.rating, abs=1e-8, nan_ok=True)
    assert one.coefficient == pytest.approx(two.coefficient, abs=1e-9)
    assert one.spread == pytest.approx(two.spread)


# Purpose


def wordy_log(votes=20_000, liking=2.5):
    """Weak competitors write long answers, and voters like that."""
    rng, strength = np.random.default_rng(3), np.array([0.6, 0.3, 0.0, -0.3, -0.6])
    length = np.array([200.0, 300.0, 500.0, 900.0, 1600.0])
    left = rng.integers(0, 5, votes)
    right = (left + rng.integers(1, 5, votes)) % 5
    a, b = (length[side] * rng.lognormal(0, 0.5, votes) for side in (left, right))
    x = ((a - b) / (a + b))[:, None]
    chance = 1 / (1 + np.exp(-(strength[left] - strength[right] + liking * x[:, 0])))
    outcome = (rng.random(votes) > chance).astype(np.uint8)
    sides = left.astype(np.int32), right.astype(np.int32)
    return Comparisons(*sides, outcome, None, None, None, tuple("vwxyz")), x, strength


def test_style_control_restores_the_order_that_length_turned_round():
    log, x, strength = wordy_log()
    plain, fit = bradley_terry(pair_counts(log)), style_bradley_terry(log, x, feature_names=["length"])
    assert np.argsort(plain.rating).tolist() == [0, 1, 2, 3, 4]
    assert np.argsort(-fit.rating).tolist() == [0, 1, 2, 3, 4]
    apart = (fit.rating - fit.rating.mean()) / UNIT - strength
    assert np.abs(apart * UNIT / fit.error).max() < 4
    assert fit.features == ("length",)
    assert fit.coefficient[0] / fit.spread[0] == pytest.approx(2.5, abs=4 * fit.coefficient_error[0] / fit.spread[0])


def test_coefficient_errors_are_as_wide_as_resampling_says():
    log, x, _ = wordy_log(3000)
    rng = np.random.default_rng(1)
    drawn = [rng.integers(0, len(log), len(log)) for _ in range(200)]
    fits = [style_bradley_terry(rows_of(log, rows), x[rows]) for rows in drawn]
    fit = style_bradley_terry(log, x)
    values = [one.coefficient[0] / one.spread[0] for one in fits]
    assert np.std(values, ddof=1) == pytest.approx(fit.coefficient_error[0] / fit.spread[0], rel=0.15)
    spread = np.std([one.rating for one in fits], axis=0, ddof=1)
    assert np.mean(spread / fit.error) == pytest.approx(1, abs=0.1)


def test_best_and_worst_ranks_are_from_claims_alone():
    log = WORLDS["600 points"].log(3_000, 1)
    x = np.random.default_rng(1).normal(size=(len(log), 2))
    fit, by_look = (style_bradley_terry(log, x, claims=claims) for claims in (True, False))
    assert fit.rating.tolist() == by_look.rating.tolist()
    quantile = (fit.high - fit.rating) / fit.error
    above = np.zeros((20, 20), np.bool_)
    for i in range(20):
        for j in range(20):
            variance = (fit.covariance[i, i] + fit.covariance[j, j] - 2 * fit.covariance[i, j]) / UNIT**2
            if i != j and variance > 0:
                boundary = math.sqrt((1 + 30 * variance) * math.log((1 + 1 / (30 * variance)) / 0.05**2) * variance)
                stretch = max(quantile[i], quantile[j]) / NormalDist().inv_cdf(0.975)
                above[i, j] = fit.rating[i] - fit.rating[j] > UNIT * boundary * stretch
    assert 10 < above.sum() < 190
    assert (fit.rank_low - 1 <= above.sum(axis=0)).all()
    assert (20 - fit.rank_high <= above.sum(axis=1)).all()
    assert (fit.rank_low <= by_look.rank_low).all()
    assert (fit.rank_low < by_look.rank_low).any()
    few = style_bradley_terry(log.where(np.arange(len(log)) < 299), x[:299])
    assert set(few.rank_low.tolist()) == {1}


# Guards


def test_a_constant_feature_is_dropped_and_named():
    log, x, _ = wordy_log(500)
    table = np.column_stack([np.zeros(500), x[:, 0], np.ones(500)])
    fit = style_bradley_terry(log, table, feature_names=["bold", "length", "one"])
    assert (fit.features, fit.dropped) == (("length",), ("bold", "one"))
    assert fit.rating == pytest.approx(style_bradley_terry(log, x).rating, abs=1e-9)


def test_a_feature_that_varies_in_rows_without_weight_alone_is_constant():
    log = log_of([("x", "y", "a"), ("y", "x", "a"), ("x", "y", "b")], weight=[1, 1, 0])
    assert style_bradley_terry(log, np.array([[0.5], [0.5], [0.1]])).dropped == ("0",)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e200])
def test_a_value_that_is_no_measure_is_refused_with_its_row(bad):
    log = log_of([("x", "y", "a")] * 3)
    with pytest.raises(BadComparisons, match="row 1"):
        style_bradley_terry(log, np.array([[0.1], [bad], [0.2]]))


@pytest.mark.parametrize("table", [np.zeros((2, 1)), np.zeros(3), [["long"]] * 3, np.zeros((3, 1, 1))])
def test_a_table_of_another_shape_is_refused(table):
    with pytest.raises(BadComparisons):
        style_bradley_terry(log_of([("x", "y", "a")] * 3), table)


def test_features_need_names_of_their_own():
    log = log_of([("x", "y", "a")])
    for names in (["a", "a"], ["a"]):
        with pytest.raises(BadParameters):
            style_bradley_terry(log, np.zeros((1, 2)), feature_names=names)
    with pytest.raises(BadParameters):
        style_bradley_terry(log, np.zeros((1, 1)), prior=-1)


def test_features_that_determine_the_outcome_or_each_other_are_held_by_the_prior():
    votes = [("x", "y", "a"), ("x", "y", "b"), ("y", "x", "a"), ("y", "x", "b")] * 5
    sure = np.array([[1.0], [-1.0]] * 10)
    fit = style_bradley_terry(log_of(votes), np.column_stack([sure, sure]))
    assert fit.coefficient[0] == pytest.approx(fit.coefficient[1])
    assert 1 < fit.coefficient[0] < 20
    with pytest.raises(NotConverged):
        style_bradley_terry(log_of(votes), sure, prior=0)
    with pytest.raises(Unbounded):
        style_bradley_terry(log_of([("x", "y", "a")] * 2), np.array([[0.1], [0.2]]), prior=0)


def test_without_a_prior_it_is_plain_maximum_likelihood():
    log, x, _ = wordy_log(5000)
    free, held = style_bradley_terry(log, x, prior=0), style_bradley_terry(log, x)
    assert np.abs(free.rating - held.rating).max() < 0.02 * free.error.min()
    assert free.error == pytest.approx(held.error, rel=1e-3)


# Small and odd logs


@pytest.mark.parametrize("names", [[], ["only"]])
def test_nobody_and_one_alone_have_no_rating(names):
    fit = style_bradley_terry(log_of([], names=names), np.zeros((0, 1)), feature_names=["length"])
    assert fit.rating.shape == (len(names),)
    assert np.isnan(fit.rating).all()
    assert fit.dropped == ("length",)


def test_pools_have_their_own_scale_and_share_the_coefficients():
    votes = [("u", "v", "a"), ("v", "u", "a"), ("u", "v", "a"), ("x", "y", "b"), ("y", "x", "tie")] * 6
    x = np.random.default_rng(0).normal(size=(30, 1))
    fit = style_bradley_terry(log_of(votes, names=[*"uvxy", "alone"]), x)
    assert fit.component.tolist() == [0, 0, 1, 1, 2]
    assert fit.rating[:4].reshape(2, 2).sum(axis=1) == pytest.approx([2000, 2000])
    assert np.isnan(fit.covariance[:2, 2:]).all()
    assert np.isfinite(fit.covariance[:2, :2]).all()
    assert np.isnan([fit.rating[4], fit.error[4], fit.covariance[4, 4]]).all()


def test_an_undefeated_newcomer_is_finite_and_ties_alone_are_level():
    settled = [("x", "y", "a"), ("y", "x", "a")] * 50
    x = np.random.default_rng(0).normal(size=(105, 1))
    fit = style_bradley_terry(log_of([*settled, *[("new", "x", "a")] * 5]), x)
    assert 1200 < fit.rating[0] < 2000
    tied = style_bradley_terry(log_of([("x", "y", "tie"), ("y", "z", "both_bad")] * 9), x[:18])
    assert tied.rating == pytest.approx([1000] * 3, abs=1e-9)
    assert tied.coefficient == pytest.approx([0], abs=1e-12)


def test_two_billion_votes_are_weighed():
    votes = [("x", "y", "a"), ("x", "y", "b"), ("x", "y", "a"), ("x", "y", "b")]
    x = np.array([[0.5], [0.5], [-0.5], [-0.5]])
    fit = style_bradley_terry(log_of(votes, weight=[3 * 2.0**31, 2.0**31, 2.0**32, 2.0**32]), x)
    assert fit.rating[0] - fit.rating[1] == pytest.approx(UNIT * math.log(3) / 2, abs=1e-5)
    assert fit.coefficient == pytest.approx([math.log(3) / 2], abs=1e-7)


# The same bits


@pytest.mark.process
def test_the_fit_has_the_same_bits_on_any_executor():
    log = simulated(5000, 9, seed=1)
    x = np.random.default_rng(0).normal(size=(5000, 3))
    alone = style_bradley_terry(log, x)
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as processes:
        for executor in (threads, processes):
            other = style_bradley_terry(log, x, executor=executor)
            assert other.rating.tobytes() == alone.rating.tobytes()
            assert other.covariance.tobytes() == alone.covariance.tobytes()
            assert other.coefficient.tobytes() == alone.coefficient.tobytes()


class RowsOnRequest:
    """A table of features that makes rows when it is asked for them, and knows how many it made at once."""

    def __init__(self, table):
        self.shape, self.largest, self._table = table.shape, 0, table

    def __getitem__(self, rows):
        part = self._table[rows].copy()
        self.largest = max(self.largest, len(part))
        return part


@pytest.mark.parametrize("weight", [None, 0.25])
@pytest.mark.parametrize("votes", [0, 5, 30_000])
def test_rows_of_features_made_when_they_are_asked_for_give_the_bits_of_a_table(monkeypatch, votes, weight):
    monkeypatch.setattr("arena_rating.style._PIECE", 1_000)
    log, x, _ = wordy_log(max(votes, 10))
    constant = np.ones(len(log))  # a feature that is dropped
    log, x = log.where(np.arange(len(log)) < votes), np.column_stack([constant, x])[:votes]
    rng = np.random.default_rng(0)
    log = replace(log, voter=rng.integers(0, 50, votes).astype(np.int32))
    log = log if weight is None else replace(log, weight=np.where(rng.random(votes) < 0.5, weight, 1.0))
    table, by_rows = style_bradley_terry(log, x), style_bradley_terry(log, rows := RowsOnRequest(x))
    for name in ("rating", "covariance", "coefficient", "coefficient_error", "spread", "rank_low"):
        assert getattr(table, name).tobytes() == getattr(by_rows, name).tobytes()
    assert (table.features, table.dropped) == (by_rows.features, by_rows.dropped)
    assert rows.largest <= max(1_000, votes // 4)


def test_a_bad_row_of_a_later_piece_is_named(monkeypatch):
    monkeypatch.setattr("arena_rating.style._PIECE", 7)
    log, x, _ = wordy_log(20)
    x[16, 0] = np.nan
    with pytest.raises(BadComparisons, match="row 16"):
        style_bradley_terry(log, RowsOnRequest(x))


def test_weights_of_one_are_no_weights():
    log, x, _ = wordy_log(500)
    assert style_bradley_terry(replace(log, weight=np.ones(500)), x).rating.tolist() == (
        style_bradley_terry(log, x).rating.tolist()
    )


def sided(votes: int, advantage: float, seed: int = 1, within: float = 0.0):
    """Votes on six equal models of two owners, whose left side is better by `advantage` in natural units.

    Where both are of one owner it is better by `within` more.
    """
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 6, votes)
    right = (left + rng.integers(1, 6, votes)) % 6
    same = (left % 2 == right % 2).astype(float)
    wins = rng.random(votes) < 1 / (1 + np.exp(-advantage - within * same))
    log = Comparisons(
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        outcome=np.where(wins, 0, 1).astype(np.uint8),
        weight=None,
        voter=None,
        category=None,
        names=tuple("abcdef"),
    )
    return log, np.column_stack([same, np.ones(votes)])


@pytest.mark.parametrize("advantage", [0.0, 0.3])
def test_the_advantage_of_the_left_side_is_found_and_shuffled_sides_have_none(advantage):
    log, same = sided(8_000, advantage)
    fit = style_bradley_terry(log, same, feature_names=["same_owner", "position"], constant="position")
    assert fit.features == ("same_owner", "position")
    assert abs(fit.coefficient[1] - advantage) < 4 * fit.coefficient_error[1]
    assert abs(fit.coefficient[0]) < 4 * fit.coefficient_error[0]
    shuffled = np.random.default_rng(2).random(len(log)) < 0.5
    swapped = replace(
        log,
        left=np.where(shuffled, log.right, log.left),
        right=np.where(shuffled, log.left, log.right),
        outcome=np.where(shuffled, 1 - log.outcome, log.outcome).astype(np.uint8),
    )
    either = style_bradley_terry(swapped, same, feature_names=["same_owner", "position"], constant="position")
    assert (np.abs(either.coefficient) < 4 * either.coefficient_error).all()


def test_more_of_it_between_models_of_one_owner_is_told_apart_from_it():
    log, same = sided(8_000, 0.3, within=0.5)
    fit = style_bradley_terry(log, same, feature_names=["same_owner", "position"], constant="position")
    # A coefficient is per root mean square of its feature.
    assert abs(fit.coefficient[0] / fit.spread[0] - 0.5) < 4 * fit.coefficient_error[0] / fit.spread[0]
    assert abs(fit.coefficient[1] - 0.3) < 4 * fit.coefficient_error[1]


def test_a_position_needs_a_name_of_its_own_and_an_empty_log_has_none():
    log, same = sided(50, 0.0)
    for names in (["position", "position"], ["same_owner", "left"]):
        with pytest.raises(BadParameters):
            style_bradley_terry(log, same, feature_names=names, constant="position")
    assert style_bradley_terry(log.where(np.zeros(50, bool)), same[:0], constant="1").features == ()

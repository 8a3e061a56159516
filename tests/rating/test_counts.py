"""Outcome counts respect weights and sides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import integers

from arena_rating import BOTH_BAD, LEFT_WINS, TIE, outcome_counts, pair_counts, sums_by_code, sums_of_kinds
from tests.rating.logs import columns, fewer_examples, log_of, vote_lists
from tests.rating.naive import FLIPPED

THREE = list("uvwxy")


def test_every_vote_stands_in_its_cell():
    counts = outcome_counts(log_of([("x", "y", "a"), ("x", "y", "a"), ("y", "x", "tie"), ("x", "y", "both_bad")]))
    assert counts[0, 1, LEFT_WINS] == 2
    assert counts[1, 0, TIE] == 1
    assert counts[0, 1, BOTH_BAD] == 1
    assert counts.sum() == 4


@fewer_examples
@given(vote_lists(least=0))
def test_swapping_sides_changes_no_pair(votes):
    swapped = [(right, left, FLIPPED[outcome]) for left, right, outcome in votes]
    one, other = pair_counts(log_of(votes)), pair_counts(log_of(swapped))
    assert (one.wins == other.wins).all()
    assert (one.ties == other.ties).all()
    assert (one.both_bad == other.both_bad).all()


@fewer_examples
@given(vote_lists(least=0), vote_lists(least=0))
def test_counts_of_two_logs_add_up(first, second):
    parts = [outcome_counts(log_of(votes, names=THREE)) for votes in (first, second)]
    assert (outcome_counts(log_of(first + second, names=THREE)) == sum(parts)).all()


@fewer_examples
@given(vote_lists())
def test_a_weight_is_a_repetition_and_weight_zero_is_no_vote(votes):
    weights = [row % 3 for row in range(len(votes))]
    repeated = [vote for vote, weight in zip(votes, weights, strict=True) for _ in range(weight)]
    weighted = outcome_counts(log_of(votes, weight=weights, names=THREE))
    assert (weighted == outcome_counts(log_of(repeated, names=THREE))).all()


def test_unweighted_counts_see_each_vote_of_some_weight_once():
    log = log_of([("x", "y", "a")] * 3, weight=[0.25, 0, 7])
    assert outcome_counts(log, weighted=False)[0, 1, LEFT_WINS] == 2
    assert outcome_counts(log)[0, 1, LEFT_WINS] == 7.25


@fewer_examples
@given(vote_lists())
def test_scores_of_a_pair_share_its_battles(votes):
    counts = pair_counts(log_of(votes))
    assert (counts.scores + counts.scores.T == counts.battles).all()
    assert np.trace(counts.battles) == 0
    assert counts.battles.sum() == 2 * len(columns(votes)[0])


@fewer_examples
@given(integers(0, 300), integers(1, 9), integers(0, 10**6))
def test_compiled_sums_have_the_bits_of_bincount(rows, codes, seed):
    rng = np.random.default_rng(seed)
    code, kind, columns = rng.integers(0, codes, rows), rng.integers(0, 12, rows), rng.normal(size=(rows, 2)) ** 9
    chosen, values = np.flatnonzero(rng.random(rows) < 0.6), rng.normal(size=12) ** 9
    sums = sums_by_code(code.astype(np.int32), chosen, columns, codes)
    expected = [np.bincount(code[chosen], column[chosen], codes).astype(np.float64) for column in columns.T]
    assert [column.tobytes() for column in sums.T] == [column.tobytes() for column in expected]
    expected = np.bincount(code, values[kind], codes).astype(np.float64)
    assert sums_of_kinds(code, kind, values, codes).tobytes() == expected.tobytes()


@pytest.mark.parametrize("code", [-1, 3])
def test_compiled_sums_refuse_a_code_that_has_no_place(code):
    codes, rows = np.array([0, code]), np.arange(2)
    with pytest.raises(IndexError):
        sums_by_code(codes, rows, np.ones((2, 2)), 3)
    with pytest.raises(IndexError):
        sums_of_kinds(codes, rows, np.ones(2), 3)

"""Both win rates and the matrix of pairs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from arena_rating import carena_rate, pair_counts, win_matrix, win_rate
from arena_rating.research import average_win_rate
from tests.rating import naive
from tests.rating.logs import fewer_examples, log_of, vote_lists

TEN = [("x", "y", "a")] * 4 + [("x", "y", "b")] * 3 + [("x", "y", "tie")] * 2 + [("y", "x", "both_bad")]


def test_win_rate_is_wins_and_half_the_ties_of_all_four_outcomes():
    assert win_rate(pair_counts(log_of(TEN))).tolist() == [0.5, 0.4]


def test_carena_rate_is_wins_and_all_ties_of_all_four_outcomes():
    assert carena_rate(pair_counts(log_of(TEN))).tolist() == [0.6, 0.5]


def test_the_fraction_of_a_pair_knows_only_decided_battles():
    matrix = win_matrix(pair_counts(log_of([*TEN, ("x", "z", "tie")])))
    assert matrix.battles[0].tolist() == [0, 10, 1]
    assert matrix.wins[0, 1] == 4
    assert matrix.fraction[0, 1] == pytest.approx(4 / 7)
    assert matrix.fraction[1, 0] == pytest.approx(3 / 7)
    assert math.isnan(matrix.fraction[0, 2])


def test_the_average_over_opponents_does_not_see_how_often_they_met():
    log = log_of([("x", "y", "a")] * 9 + [("x", "z", "b")])
    assert average_win_rate(pair_counts(log)).tolist() == [0.5, 0.0, 1.0]


@fewer_examples
@given(vote_lists())
def test_rates_are_those_of_counting_by_hand(votes):
    counts, expected = pair_counts(log_of(votes)), naive.table(votes)
    rates, carena = win_rate(counts), carena_rate(counts)
    for i, name in enumerate(counts.names):
        row = expected[name]
        assert rates[i] == pytest.approx((row["won"] + row["drawn"] / 2) / row["played"], abs=1e-12)
        assert carena[i] == pytest.approx((row["won"] + row["drawn"]) / row["played"], abs=1e-12)


def test_who_never_played_has_no_rate():
    counts = pair_counts(log_of([("x", "y", "a")], names=["x", "y", "new"]))
    assert all(math.isnan(rate(counts)[2]) for rate in (win_rate, carena_rate, average_win_rate))

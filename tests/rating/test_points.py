"""The points table."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from arena_rating import pair_counts, points_table
from tests.rating import naive
from tests.rating.logs import fewer_examples, log_of, vote_lists


def test_a_win_is_one_point_a_draw_half_a_loss_none():
    table = points_table(pair_counts(log_of([("x", "y", "a"), ("x", "y", "tie"), ("y", "x", "a"), ("z", "x", "b")])))
    assert table.names == ("x", "y", "z")
    assert table.points.tolist() == [2.5, 1.5, 0.0]
    assert table.played.tolist() == [4, 3, 1]
    assert table.points_per_battle.tolist() == [0.625, 0.5, 0.0]


def test_both_bad_is_half_a_point_for_each_and_counted_apart_from_a_draw():
    table = points_table(pair_counts(log_of([("x", "y", "both_bad")])))
    assert (table.points.tolist(), table.both_bad.tolist(), table.drawn.tolist()) == ([0.5, 0.5], [1, 1], [0, 0])


@fewer_examples
@given(vote_lists())
def test_the_table_is_that_of_counting_by_hand(votes):
    table, expected = points_table(pair_counts(log_of(votes))), naive.table(votes)
    for i, name in enumerate(table.names):
        for column, value in expected[name].items():
            assert getattr(table, column)[i] == value
        points = expected[name]["won"] + (expected[name]["drawn"] + expected[name]["both_bad"]) / 2
        assert table.points[i] == points
        assert table.points_per_battle[i] == pytest.approx(points / expected[name]["played"], abs=1e-12)


def test_who_never_played_has_no_points_per_battle():
    table = points_table(pair_counts(log_of([("x", "y", "a")], names=["x", "y", "new"])))
    assert table.points[2] == 0
    assert math.isnan(table.points_per_battle[2])

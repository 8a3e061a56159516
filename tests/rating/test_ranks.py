"""Ranks."""

from __future__ import annotations

import numpy as np

from arena_rating import ranks

NAN = float("nan")


def test_equal_ratings_share_the_better_rank_and_the_next_one_is_left_out():
    assert ranks(np.array([5.0, 7.0, 5.0, 1.0])).tolist() == [2, 1, 2, 4]


def test_who_has_no_rating_has_no_rank_and_harms_nobody():
    assert ranks(np.array([NAN, 1.0, 2.0])).tolist() == [0, 2, 1]


def test_ranks_start_anew_in_each_component_and_row():
    table, pool = np.array([[1.0, 2.0, 9.0, 8.0], [2.0, 1.0, 8.0, 9.0]]), np.array([0, 0, 1, 1])
    assert ranks(table, pool).tolist() == [[2, 1, 1, 2], [1, 2, 2, 1]]

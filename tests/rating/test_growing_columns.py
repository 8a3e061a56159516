"""Columns that grow at their end keep what was read from them."""

from __future__ import annotations

import numpy as np

from arena_rating.growing_log import GrowingColumn


def test_a_grown_column_is_its_parts_in_order_and_earlier_views_stay_as_they_were():
    column, views, expected = GrowingColumn(np.empty((0, 2), np.int32)), [], np.empty((0, 2), np.int32)
    for size in (0, 1, 2, 0, 5, 40, 3):
        more = np.arange(2 * size, dtype=np.int32).reshape(size, 2) + len(expected)
        column.append(more)
        expected = np.concatenate([expected, more])
        views.append((column.values, expected.copy()))
    assert len(column) == 51
    assert column.values.dtype == np.int32
    assert all(np.array_equal(view, then) for view, then in views)


def test_the_array_it_begins_with_is_never_written_to():
    first = np.arange(3)
    column = GrowingColumn(first)
    column.append(np.array([7]))
    column.values[0] = 9
    assert first.tolist() == [0, 1, 2]
    assert column.values.tolist() == [9, 1, 2, 7]

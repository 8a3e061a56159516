"""Confusion of a labeller, by first labels and label by label."""

from __future__ import annotations

import pytest

from arena.domain.labels.confusion import LabelCounts, confusion


def test_rows_are_people_and_columns_the_labeller_with_none_as_the_last():
    readings = [(["a"], ["a"]), (["a", "b"], ["b"]), ([], ["a"]), (["b"], []), ([], [])]
    matrix = confusion(["a", "b"], readings)
    assert matrix.matrix == [[1, 1, 0], [0, 0, 1], [1, 0, 1]]
    assert matrix.counts == [LabelCounts(2, 2, 1), LabelCounts(2, 1, 1)]


def test_an_unknown_label_is_no_silence():
    with pytest.raises(KeyError):
        confusion(["a"], [(["b"], [])])

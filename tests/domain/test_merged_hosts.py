"""The log in which hosts of one model are one competitor."""

from __future__ import annotations

import numpy as np

from arena.domain.merged_hosts import merge_hosts, recorded_hosts
from arena_rating import Comparisons


def test_a_group_is_one_competitor_and_has_no_votes_within():
    names = ("a@x", "a@y", "b", "c")
    left, right = np.array([0, 0, 1, 2], np.int32), np.array([1, 2, 2, 3], np.int32)
    log = Comparisons(left, right, np.array([0, 1, 0, 2], np.uint8), None, None, None, names)
    merged = merge_hosts(log, [["a@x", "a@y"]])
    assert merged.names == ("a@x", "b", "c")
    assert list(zip(merged.left.tolist(), merged.right.tolist(), merged.outcome.tolist(), strict=True)) == [
        (0, 1, 1),
        (0, 1, 0),
        (1, 2, 2),
    ]


def test_a_part_without_groups_names_none():
    assert recorded_hosts({}) == []
    assert recorded_hosts({"hosts": [["a", "b"]]}) == [["a", "b"]]

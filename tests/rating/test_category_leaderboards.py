"""Leaderboards per category equal those of the category's own log."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_rating import (
    Anchor,
    BadComparisons,
    Division,
    EloParameters,
    LeaderboardParameters,
    compute,
    compute_by_category,
)
from arena_rating._kernels.tally import tally_parts
from tests.rating.logs import fewer_examples, log_of, simulated, vote_lists

FEW = LeaderboardParameters(elo=EloParameters(orders=8))
TOPICS = ("chat", "code", "maths")


def boards_of(log, cells, parameters=FEW, **more):
    division = cells if isinstance(cells, Division) else Division.of(cells)
    return dict(compute_by_category(log, division, parameters, seed=3, **more))


@fewer_examples
@given(vote_lists(), st.data())
def test_a_category_is_rated_as_if_its_votes_were_all(votes, data):
    draw = lambda cells: data.draw(st.lists(cells, min_size=len(votes), max_size=len(votes)))  # noqa: E731 - short
    topics, weights = draw(st.sampled_from(TOPICS)), draw(st.sampled_from([0.0, 0.1, 0.3, 1.0]))
    for log in (log_of(votes), log_of(votes, weight=weights)):
        boards = boards_of(log, topics)
        assert list(boards) == sorted(set(topics))
        for category, board in boards.items():
            assert board == compute(log.where(np.array(topics) == category), FEW, seed=3)


def test_a_category_without_votes_has_an_empty_table_unless_too_few_are_left_out():
    log, chat = simulated(50, 4, 1), Division(("chat", "code"), np.zeros(50, np.int32))
    boards = boards_of(log, chat)
    assert boards["chat"] == compute(log, FEW, seed=3)
    assert (boards["code"].rows, boards["code"].votes) == ((), 0)
    assert boards_of(log, chat, fewest=1) == {"chat": boards["chat"]}


def test_an_empty_log_has_empty_tables():
    log = log_of([], names=["only"])
    assert [board.rows for board in boards_of(log, Division(TOPICS, np.zeros(0, np.int32))).values()] == [(), (), ()]
    assert boards_of(log, []) == {}


def test_an_executor_changes_nothing():
    log, halves = simulated(5000, 6, 1), ["first", "second"] * 2500
    with ThreadPoolExecutor(2) as executor:
        assert boards_of(log, halves, executor=executor) == boards_of(log, halves)


def test_an_anchor_holds_where_it_has_battles_and_nowhere_else():
    votes = [("x", "y", "a"), ("y", "x", "a"), ("x", "y", "a"), ("u", "v", "a"), ("v", "u", "tie")]
    topics = ["one", "one", "one", "two", "two"]
    anchored = boards_of(log_of(votes), topics, replace(FEW, anchor=Anchor("y", 1200.0)))
    one = {row.name: row for row in anchored["one"].rows}
    assert (one["y"].bt, one["y"].elo) == (1200.0, 1200.0)
    assert anchored["two"].rows == boards_of(log_of(votes), topics)["two"].rows


def test_a_frame_s_column_divides_by_its_text():
    class Frame:
        def to_numpy(self):
            return np.array([2, 10, 2])

    division = Division.of(Frame())
    assert (division.categories, division.index.tolist()) == (("10", "2"), [1, 0, 1])


def test_columns_of_another_length_and_unknown_categories_are_refused():
    with pytest.raises(BadComparisons, match="2 rows, not 1"):
        boards_of(log_of([("x", "y", "a")]), ["a", "b"])
    for index in ([0, 3], [0, -1]):
        with pytest.raises(BadComparisons, match="row 1"):
            Division(TOPICS, np.array(index, np.int32))
    with pytest.raises(BadComparisons):
        Division(("a", "a"), np.zeros(0, np.int32))
    with pytest.raises(BadComparisons, match="float64"):
        Division(TOPICS, cast("Any", np.zeros(2)))


def test_counts_do_not_overflow_at_two_billion():
    weights = np.array([2.0**31, 2.0**31, 1.0])
    zeros = np.zeros(3, np.int32)
    sums, votes = tally_parts(zeros, zeros + 1, zeros.astype(np.uint8), weights, zeros, 1, 2)
    assert sums[0, 0, 1, 0] == 2**32 + 1
    assert (votes.dtype, votes[0, 0, 1, 0]) == (np.float64, 3)

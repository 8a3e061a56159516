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
    BadParameters,
    Division,
    EloParameters,
    LeaderboardParameters,
    compute,
    compute_by_category,
)
from arena_rating._kernels.tally import tally_parts
from tests.rating.logs import columns, fewer_examples, log_of, simulated, vote_lists

FEW = LeaderboardParameters(elo=EloParameters(orders=8))
TOPICS = ("chat", "code", "maths")


@fewer_examples
@given(vote_lists(), st.data())
def test_a_category_is_rated_as_if_its_votes_were_all(votes, data):
    draw = lambda cells: data.draw(st.lists(cells, min_size=len(votes), max_size=len(votes)))  # noqa: E731 - short
    topics, languages = draw(st.sampled_from(TOPICS)), draw(st.sampled_from(["en", "zh"]))
    weights = draw(st.sampled_from([0.0, 0.1, 0.3, 1.0]))
    for log in (log_of(votes, category=topics), log_of(votes, category=topics, weight=weights)):
        found = compute_by_category(log, FEW, seed=3, by={"topic": topics, "language": languages})
        assert found.everything == compute(log, FEW, seed=3)
        for name, cells in (("topic", topics), ("language", languages)):
            assert list(found.divided[name]) == sorted(set(cells))
            for category, board in found.divided[name].items():
                assert board == compute(log.where(np.array(cells) == category), FEW, seed=3)
        assert compute_by_category(log, FEW, seed=3).divided["category"] == found.divided["topic"]


def test_a_category_without_votes_has_an_empty_table():
    log = replace(simulated(50, 4, 1), category=np.zeros(50, np.int32), categories=("chat", "code"))
    found = compute_by_category(log, FEW, seed=1)
    assert found.divided["category"]["chat"] == found.everything
    assert (found.divided["category"]["code"].rows, found.divided["category"]["code"].votes) == ((), 0)


def test_an_empty_log_has_empty_tables():
    log = log_of([], names=["only"])
    found = compute_by_category(log, FEW, seed=1, by={"topic": Division(TOPICS, np.zeros(0, np.int32))})
    assert found.everything.rows == ()
    assert [board.rows for board in found.divided["topic"].values()] == [(), (), ()]
    assert compute_by_category(log, FEW, seed=1, by={"topic": []}).divided == {"topic": {}}


def test_an_executor_changes_nothing():
    log = simulated(5000, 6, 1)
    by = {"half": ["first", "second"] * 2500}
    with ThreadPoolExecutor(2) as executor:
        assert compute_by_category(log, FEW, seed=1, by=by, executor=executor) == compute_by_category(
            log, FEW, seed=1, by=by
        )


def test_an_anchor_holds_where_it_has_battles_and_nowhere_else():
    votes = [("x", "y", "a"), ("y", "x", "a"), ("x", "y", "a"), ("u", "v", "a"), ("v", "u", "tie")]
    by = {"topic": ["one", "one", "one", "two", "two"]}
    anchored = compute_by_category(log_of(votes), replace(FEW, anchor=Anchor("y", 1200.0)), seed=1, by=by)
    plain = compute_by_category(log_of(votes), FEW, seed=1, by=by)
    one = {row.name: row for row in anchored.divided["topic"]["one"].rows}
    assert (one["y"].bt, one["y"].elo) == (1200.0, 1200.0)
    assert anchored.divided["topic"]["two"].rows == plain.divided["topic"]["two"].rows


def test_a_frame_s_column_divides_by_its_text():
    class Frame:
        def to_numpy(self):
            return np.array([2, 10, 2])

    division = Division.of(Frame())
    assert (division.categories, division.index.tolist()) == (("10", "2"), [1, 0, 1])


def test_a_log_without_categories_has_nothing_to_divide_by():
    log = log_of([("x", "y", "a")])
    for by in (None, {}):
        with pytest.raises(BadParameters):
            compute_by_category(log, FEW, seed=1, by=by)


def test_columns_of_another_length_and_unknown_categories_are_refused():
    with pytest.raises(BadComparisons, match="topic"):
        compute_by_category(log_of([("x", "y", "a")]), FEW, seed=1, by={"topic": ["a", "b"]})
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
    assert sums[0, 0, 1, 0] == sums[1, 0, 1, 0] == 2**32 + 1
    assert (votes.dtype, votes[1, 0, 1, 0]) == (np.float64, 3)


@fewer_examples
@given(vote_lists())
def test_the_parts_add_up_to_the_whole(votes):
    log = log_of(votes, category=columns(votes)[2])
    found = compute_by_category(log, FEW, seed=1)
    boards = found.divided["category"].values()
    assert sum(board.votes for board in boards) == found.everything.votes == len(votes)
    for row in found.everything.rows:
        parts = [part for board in boards for part in board.rows if part.name == row.name]
        assert sum(part.battles for part in parts) == row.battles
        assert sum(part.points for part in parts) == row.points

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
    METHOD_BY_CATEGORY,
    Anchor,
    BadComparisons,
    ClusteredRows,
    Division,
    EloParameters,
    LeaderboardParameters,
    Pool,
    bradley_terry,
    clustered,
    compute,
    compute_by_category,
    pair_counts,
    pool_of,
)
from arena_rating._kernels.tally import tally_parts
from tests.rating.logs import fewer_examples, log_of, require, simulated, vote_lists

FEW = LeaderboardParameters(elo=EloParameters(orders=8))
TOPICS = ("chat", "code", "maths")
LABELS = (("chat", 2), ("code", 3), ("maths", 5))
"""Labels with the step between votes that have them."""


def fitted(log):
    counts = pair_counts(log)
    return clustered(bradley_terry(counts), ClusteredRows.of(log), counts)


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
        with pytest.raises(BadComparisons, match=r"row 1: category (3|-1) is not in 0 to 2"):
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


def borrowing(log, cells, parameters=FEW):
    division = Division.of(cells)
    pool = pool_of(log, [division], parameters)
    return dict(compute_by_category(log, division, parameters, seed=3, pool=pool)), pool


def test_ratings_of_a_board_are_what_its_fit_borrows_from_the_pool_and_all_else_is_its_own():
    log, topics = simulated(1_200, 10, 5), [TOPICS[number % 7 % 3] for number in range(1_200)]
    boards, pool = borrowing(log, topics)
    whole, parts = fitted(log), [fitted(log.where(np.array(topics) == topic)) for topic in TOPICS]
    assert pool is not None
    plain = Pool.of(whole, parts)
    assert pool.likelihood == pytest.approx(plain.likelihood)
    for fit, (topic, board) in zip(parts, boards.items(), strict=True):
        loan, alone = plain.borrow(fit), {row.name: row for row in boards_of(log, topics)[topic].rows}
        assert loan.share.max() > 0.2
        for row in board.rows:
            place = log.names.index(row.name)
            seen = (row.bt, row.bt_low, row.bt_high, row.borrowed)
            assert seen == pytest.approx(
                [column[place] for column in (loan.rating, loan.low, loan.high, loan.share)], abs=1e-5
            )
            own = {"rank": row.rank, "bt": row.bt, "bt_low": row.bt_low, "bt_high": row.bt_high, "borrowed": None}
            expected = replace(alone[row.name], **own, preliminary=row.preliminary)
            assert replace(row, borrowed=None) == expected


def test_an_anchor_keeps_its_rating_where_boards_borrow():
    log, topics = simulated(1_200, 10, 5), [TOPICS[number % 3] for number in range(1_200)]
    boards, _ = borrowing(log, topics, replace(FEW, anchor=Anchor(log.names[2], 1234.0)))
    assert [row.bt for board in boards.values() for row in board.rows if row.name == log.names[2]] == [1234.0] * 3


def test_boards_of_the_method_before_do_not_borrow_and_lack_the_field():
    log, before = simulated(600, 10, 5), replace(FEW, method=METHOD_BY_CATEGORY)
    boards, pool = borrowing(log, ["x", "y"] * 300, before)
    assert pool is None
    assert boards == boards_of(log, ["x", "y"] * 300, before)
    assert all("borrowed" not in row for row in cast("Any", boards["x"].record())["rows"])
    now = borrowing(log, ["x", "y"] * 300)[0]["x"].record()
    assert all("borrowed" in row for row in cast("Any", now)["rows"])


@pytest.mark.parametrize("weighted", [False, True])
def test_a_pool_and_its_boards_fit_each_category_once_and_the_rest_never(monkeypatch, weighted):
    log, calls = simulated(1_200, 10, 5), []
    if weighted:
        log = replace(log, weight=np.ones(1_200))

    def counted(fit, rows, *args, **more):
        calls.append(len(rows.order))
        return clustered(fit, rows, *args, **more)

    monkeypatch.setattr("arena_rating.board.fits.clustered", counted)
    labels = [[(label if number % modulus == 0 else "") for number in range(1_200)] for label, modulus in LABELS]
    divisions = [Division.of(cells) for cells in labels]
    pool = require(pool_of(log, divisions, FEW))
    boards = [board for one in divisions for board in compute_by_category(log, one, FEW, seed=3, pool=pool)]
    assert [name for name, _ in boards] == [label for label, _ in LABELS]
    assert calls == [1_200, *(1_200 // modulus for _, modulus in LABELS)]
    plain = Pool(pool.whole, pool.likelihood, pool.models)
    assert boards == [board for one in divisions for board in compute_by_category(log, one, FEW, seed=3, pool=plain)]


def test_fits_of_other_votes_or_parameters_are_not_taken_for_a_board_s_own():
    log, other = simulated(1_200, 10, 5), simulated(1_200, 10, 6)
    division, wide = Division.of(["x", "y"] * 600), replace(FEW, level=0.99)
    pool = require(pool_of(log, [division], FEW))
    plain = Pool(pool.whole, pool.likelihood, pool.models)
    for votes, parameters in ((other, FEW), (log, wide)):
        boards = boards_of(votes, division, parameters, pool=pool)
        assert boards == boards_of(votes, division, parameters, pool=plain)


def test_fits_beyond_the_room_of_a_pool_are_made_again(monkeypatch):
    log, division = simulated(1_200, 10, 5), Division.of(["x", "y"] * 600)
    usual = boards_of(log, division, pool=pool_of(log, [division], FEW))
    monkeypatch.setattr("arena_rating.categories.boards.MAX_FITS", 3 * 8 * 10 * 10)
    pool = require(pool_of(log, [division], FEW))
    assert [name for _, name in pool.fits] == ["x"]
    assert boards_of(log, division, pool=pool) == usual


def test_a_category_without_a_name_lends_nothing():
    log = simulated(600, 10, 5)
    pools = [pool_of(log, [Division.of(cells)], FEW) for cells in (["", "y"] * 300, ["z", "y"] * 300)]
    assert [pool.models for pool in pools if pool] == [10, 20]

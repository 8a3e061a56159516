"""The leaderboard."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields, replace

import numpy as np
import pytest
from hypothesis import given

from arena.domain.schemas.leaderboard import LeaderboardRowView, PairView
from arena_rating import (
    Anchor,
    BadParameters,
    EloParameters,
    Leaderboard,
    LeaderboardParameters,
    PairRecord,
    Rating,
    Unbounded,
    bradley_terry,
    compute,
    elo_over_orders,
    pair_counts,
)
from tests.rating import naive
from tests.rating.logs import fewer_examples, log_of, simulated, vote_lists

PUBLIC_FIELDS = {"owner", "licence", "link", "demo", "open_weights", "billions"}
BOARD_FIELDS = {"score", "score_low", "score_high", "elo_settled"}
FEW = LeaderboardParameters(elo=EloParameters(orders=10))


def row_of(board: Leaderboard, name: str) -> Rating:
    return next(row for row in board.rows if row.name == name)


def test_a_line_has_the_numbers_of_the_wire():
    assert {field.name for field in fields(Rating)} == set(
        LeaderboardRowView.model_fields
    ) - PUBLIC_FIELDS - BOARD_FIELDS
    assert {field.name for field in fields(PairRecord)} == set(PairView.model_fields)


def test_lines_and_pairs_are_plain_values_that_the_wire_takes():
    board = compute(simulated(500, 8, seed=1), FEW, seed=1)
    assert len(board.rows) == 8
    for row in board.rows:
        assert LeaderboardRowView(**asdict(row), owner="Somebody").rank == row.rank
    assert [PairView(**asdict(pair)).a for pair in board.pairs] == [pair.a for pair in board.pairs]
    assert json.loads(json.dumps(asdict(board), allow_nan=False))["parameters"]["elo"]["k"] == 4


def test_a_table_is_data_and_travels_to_another_process():
    board = compute(simulated(500, 8, seed=1), FEW, seed=1)
    values = asdict(board)
    assert values["parameters"].pop("method") == board.method
    assert board.record() == {**values, "converged": True}
    assert pickle.loads(pickle.dumps(board)) == board  # noqa: S301 - what it dumped itself


@fewer_examples
@given(vote_lists())
def test_the_table_says_what_each_method_says(votes):
    log = log_of(votes)
    board, counts = compute(log, FEW, seed=5), pair_counts(log)
    fit, elo, tally = bradley_terry(counts), elo_over_orders(log, FEW.elo, seed=5), naive.table(votes)
    assert {row.name for row in board.rows} == set(log.names)
    for i, name in enumerate(log.names):
        row, played = row_of(board, name), tally[name]
        assert (row.elo, row.elo_error, row.order_spread) == pytest.approx(
            (elo.rating[i], elo.error[i], elo.spread[i]), abs=6e-7
        )
        assert (row.bt, row.bt_low, row.bt_high) == pytest.approx((fit.rating[i], fit.low[i], fit.high[i]), abs=6e-7)
        assert (row.battles, row.wins, row.draws, row.losses, row.both_bad) == tuple(played.values())
        assert row.rank_low <= row.rank <= row.rank_high
    assert board.votes == len(votes)
    assert board.components == len(naive.components_of(votes))


@fewer_examples
@given(vote_lists())
def test_pairs_hold_every_vote_once(votes):
    board = compute(log_of(votes), FEW, seed=5)
    assert sum(pair.battles for pair in board.pairs) == len(votes)
    for pair in board.pairs:
        assert pair.a < pair.b
        assert pair.battles == pair.a_wins + pair.b_wins + pair.ties + pair.both_bad
        decided = pair.a_wins + pair.b_wins
        assert pair.fraction == (pair.a_wins / decided if decided else None)


@fewer_examples
@given(vote_lists(size=6))
def test_lines_come_by_pool_then_rating(votes):
    board = compute(log_of(votes), FEW, seed=5)
    assert [row.component for row in board.rows] == sorted(row.component for row in board.rows)
    for component in range(board.components):
        rows = [row for row in board.rows if row.component == component]
        assert naive.descending([row.bt for row in rows])
        strengths = [row.bt for row in rows if row.bt is not None]
        assert [row.rank for row in rows] == [1 + sum(other > own for other in strengths) for own in strengths]


def test_published_ratings_have_six_decimals():
    for row in compute(simulated(300, 5, seed=1), FEW, seed=1).rows:
        for rating in (row.elo, row.elo_error, row.order_spread, row.bt, row.bt_low, row.bt_high):
            assert rating is not None
            assert rating == round(rating, 6)


def test_the_same_input_gives_the_same_value_on_any_executor():
    log, parameters = simulated(100_000, 20, seed=2), LeaderboardParameters(elo=EloParameters(orders=170))
    alone = compute(log, parameters, seed=7)
    with ThreadPoolExecutor(2) as executor:
        assert compute(log, parameters, seed=7, executor=executor) == alone
    assert compute(log, parameters, seed=8, executor=None) != alone


def test_a_leaderboard_tells_how_it_came_to_be():
    board = compute(log_of([("x", "y", "a"), ("y", "x", "a")]), FEW, seed=3)
    assert (board.method, board.parameters, board.seed) == (
        "elo-orders+clustered-bt+claims+borrowing",
        FEW,
        3,
    )
    assert board.record()["converged"] is True
    assert compute(log_of([]), seed=1).parameters.elo.orders == 1000


def test_weights_shape_the_ratings_and_votes_are_still_counted_as_votes():
    board = compute(log_of([("x", "y", "a"), ("x", "y", "b"), ("x", "y", "b")], weight=[3, 0.5, 0]), FEW, seed=1)
    first = board.rows[0]
    assert (first.name, first.points, first.points_per_battle) == ("x", 3.0, 3 / 3.5)
    assert (first.battles, first.wins, first.losses, board.votes) == (2, 1, 1, 2)
    assert board.pairs[0].fraction == 3 / 3.5


# Small and odd logs


def test_an_empty_log_is_an_empty_table():
    board = compute(log_of([]), seed=1)
    assert (board.rows, board.pairs, board.votes, board.components, board.iterations) == ((), (), 0, 0, 0)


def test_a_competitor_without_a_battle_has_no_line():
    assert compute(log_of([], names=["only"]), FEW, seed=1).rows == ()
    names = [row.name for row in compute(log_of([("x", "y", "a")], names=["x", "y", "new"]), FEW, seed=1).rows]
    assert names == ["x", "y"]


def test_all_ties_share_the_first_rank():
    board = compute(log_of([("x", "y", "tie"), ("y", "z", "tie"), ("z", "x", "both_bad")] * 5), FEW, seed=1)
    assert [(row.name, row.rank, row.rank_low, row.rank_high) for row in board.rows] == [
        (name, 1, 1, 3) for name in "xyz"
    ]
    assert {(row.elo, row.bt, row.points_per_battle) for row in board.rows} == {(1000.0, 1000.0, 0.5)}
    assert [pair.fraction for pair in board.pairs] == [None] * 3


def test_an_undefeated_newcomer_has_a_line_with_a_wide_interval():
    settled = [("x", "y", "a"), ("y", "x", "a")] * 50
    newcomer = row_of(compute(log_of([*settled, *[("new", "x", "a")] * 5]), FEW, seed=1), "new")
    assert all(each is not None and np.isfinite(each) for each in (newcomer.bt, newcomer.bt_low, newcomer.bt_high))
    assert (newcomer.rank_low, newcomer.rank_high) == (1, 3)


def test_two_pools_are_said_and_ranked_apart():
    board = compute(log_of([("u", "v", "a"), ("v", "w", "a"), ("x", "y", "a")]), FEW, seed=1)
    assert board.components == 2
    assert [(row.component, row.rank, row.name) for row in board.rows] == [
        (0, 1, "u"),
        (0, 2, "v"),
        (0, 3, "w"),
        (1, 1, "x"),
        (1, 2, "y"),
    ]


def test_a_fit_without_a_result_is_an_error():
    log = log_of([("x", "y", "a")])
    with pytest.raises(Unbounded):
        compute(log, LeaderboardParameters(elo=FEW.elo, prior=0), seed=1)
    with pytest.raises(BadParameters):
        compute(log, LeaderboardParameters(elo=FEW.elo, level=2), seed=1)


# The anchor


def anchored(name, rating):
    return replace(FEW, anchor=Anchor(name, rating))


@fewer_examples
@given(vote_lists(size=6))
def test_an_anchor_moves_its_pool_as_a_whole(votes):
    log = log_of(votes)
    name = log.names[0]
    plain, moved = compute(log, FEW, seed=5), compute(log, anchored(name, 1234.5), seed=5)
    assert (row_of(moved, name).bt, row_of(moved, name).elo) == (1234.5, 1234.5)
    own = row_of(plain, name)
    assert own.bt is not None
    bt, elo = 1234.5 - own.bt, 1234.5 - own.elo
    for before in plain.rows:
        after, tied = row_of(moved, before.name), before.component == row_of(plain, name).component
        for field, move in (("bt", bt), ("bt_low", bt), ("bt_high", bt), ("elo", elo)):
            assert getattr(after, field) == pytest.approx(getattr(before, field) + tied * move, abs=3e-6)
        same = ("rank", "rank_low", "rank_high", "elo_error", "order_spread", "points", "battles")
        assert [getattr(after, field) for field in same] == [getattr(before, field) for field in same]
    assert moved.pairs == plain.pairs


def test_an_anchor_survives_the_way_through_json():
    parameters = asdict(anchored("x", 1000))
    assert json.loads(json.dumps(parameters)) == parameters
    assert parameters["anchor"] == {"name": "x", "rating": 1000}


def test_an_anchor_without_a_battle_moves_nobody():
    log = log_of([("x", "y", "a")], names=["new", "x", "y"])
    assert compute(log, anchored("new", 1500), seed=1).rows == compute(log, FEW, seed=1).rows


def test_an_anchor_nobody_knows_or_without_a_place_is_refused():
    with pytest.raises(BadParameters, match="nobody"):
        compute(log_of([("x", "y", "a")]), anchored("nobody", 1000), seed=1)
    with pytest.raises(BadParameters):
        Anchor("x", float("nan"))

"""Ranks by a score that a reader chooses."""

from __future__ import annotations

from typing import get_args

import pytest

from arena.domain.board_methods import practice_apart, rank_by
from arena.domain.schemas.leaderboard import LeaderboardRowView, RankedBy
from arena_rating import METHOD


def row(name: str, elo: float, half: float | None = 10.0, **fields: object) -> LeaderboardRowView:
    """A row whose rating by Elo has an interval of so many points on either side."""
    bounds = {} if half is None else {"elo_low": elo - half, "elo_high": elo + half}
    rates = dict.fromkeys(("points", "points_per_battle", "win_rate", "carena_rate"), 0.5)
    counts = dict.fromkeys(("battles", "wins", "draws", "losses", "both_bad"), 1)
    ranks = {"rank": 1, "rank_low": 1, "rank_high": 4, "bt": 1000.0, "bt_low": 990.0, "bt_high": 1010.0}
    ratings = {"elo": elo, "elo_error": 0.1, "order_spread": 1.0, **bounds}
    return LeaderboardRowView.model_validate(
        {"name": name, "owner": "", **ranks, **ratings, **rates, **counts, **fields}
    )


def ranked(*rows: LeaderboardRowView, by: RankedBy = "elo") -> list[tuple[str, int, int, int]]:
    return [
        (ranked_row.name, ranked_row.rank, ranked_row.rank_low, ranked_row.rank_high)
        for ranked_row in rank_by(rows, by)
    ]


def test_ranks_by_bradley_terry_are_those_that_were_published():
    rows = [row("b", 1, rank=2, rank_low=1, rank_high=3), row("a", 2, rank=1)]
    assert ranked(*rows, by="bt") == [("b", 2, 1, 3), ("a", 1, 1, 4)]


def test_a_model_is_behind_those_whose_interval_lies_above_its_own():
    rows = row("low", 900), row("top", 1000), row("near", 985), row("mid", 970)
    assert ranked(*rows) == [("top", 1, 1, 2), ("near", 2, 1, 3), ("mid", 3, 2, 3), ("low", 4, 4, 4)]


def test_equal_scores_share_the_better_rank():
    assert ranked(row("b", 1000), row("a", 1000), row("c", 900)) == [("a", 1, 1, 2), ("b", 1, 1, 2), ("c", 3, 3, 3)]


def test_a_model_without_an_interval_may_have_any_rank():
    assert ranked(row("sure", 1000, 1.0), row("unsure", 900, None)) == [("sure", 1, 1, 2), ("unsure", 2, 1, 2)]


def test_groups_that_never_met_are_ranked_apart():
    rows = row("a", 1000), row("b", 900), row("c", 2000, component=1)
    assert ranked(*rows) == [("a", 1, 1, 1), ("b", 2, 2, 2), ("c", 1, 1, 1)]


def place_of(row: LeaderboardRowView) -> tuple[str, int, int, int, int]:
    return row.name, row.component, row.rank, row.rank_low, row.rank_high


def test_practice_models_take_no_place_of_a_real_one_and_the_bounds_of_real_ones_still_hold():
    rows = [
        row("practice-1", 1, demo=True, rank=1, rank_low=1, rank_high=2),
        row("first", 1, rank=2, rank_low=1, rank_high=4),
        row("practice-2", 1, demo=True, rank=3, rank_low=2, rank_high=4),
        row("second", 1, rank=4, rank_low=2, rank_high=4),
        row("stranger", 1, component=1, rank=1, rank_high=1),
    ]
    assert list(map(place_of, practice_apart(rows))) == [
        ("first", 0, 1, 1, 2),
        ("second", 0, 2, 1, 2),
        ("stranger", 1, 1, 1, 1),
        ("practice-1", 2, 1, 1, 2),
        ("practice-2", 2, 2, 1, 2),
    ]


def test_real_models_lead_the_board_though_more_practice_models_have_met():
    practice = [row(f"practice-{n}", 1, demo=True, rank=n, rank_low=1, rank_high=3) for n in (1, 2, 3)]
    real = [row(name, 1, component=1, rank=n, rank_low=1, rank_high=2) for n, name in ((1, "first"), (2, "second"))]
    placed = list(map(place_of, practice_apart([*practice, *real])))
    assert placed[:2] == [("first", 0, 1, 1, 2), ("second", 0, 2, 1, 2)]
    assert placed[2:] == [(f"practice-{n}", 1, n, 1, 3) for n in (1, 2, 3)]


@pytest.mark.parametrize("demo", [True, False])
def test_models_of_one_kind_alone_keep_their_places(demo):
    rows = [row("a", 1, demo=demo, rank=1, rank_high=1), row("b", 1, demo=demo, component=1, rank=1, rank_high=1)]
    assert practice_apart(rows) == rows


def test_by_another_score_practice_models_stand_apart_too():
    rows = [row("practice", 1100, demo=True), row("first", 1000), row("second", 900)]
    placed = rank_by(practice_apart(rows), "elo")
    assert list(map(place_of, placed)) == [("first", 0, 1, 1, 1), ("second", 0, 2, 2, 2), ("practice", 1, 1, 1, 1)]


@pytest.mark.parametrize(("by", "error"), [("points", "points_per_battle_error"), ("win", "win_rate_error")])
def test_a_rate_has_the_interval_of_its_error_by_cluster_and_none_where_one_has_all_votes(by, error):
    wide, normal, single = rank_by(
        [
            row("a", 1, clusters=3, **{error: 0.1}),
            row("b", 1, clusters=10_000, **{error: 0.1}),
            row("c", 1, clusters=1, **{error: 0.1}),
        ],
        by,
    )
    assert (wide.score, wide.score_low, wide.score_high) == pytest.approx((0.5, 0.069735, 0.930265), abs=1e-5)
    assert normal.score_high == pytest.approx(0.5 + 1.96 * 0.1, abs=1e-3)
    assert (single.score, single.score_low, single.score_high) == (0.5, None, None)


def test_every_score_is_that_of_its_row():
    first = row("a", 1010, points_per_battle=0.6, win_rate=0.55)
    assert [rank_by([first], by)[0].score for by in get_args(RankedBy)] == [1000.0, 1010.0, 0.6, 0.55]


@pytest.mark.parametrize(
    ("battles", "k", "settled"), [(20, 4, False), (700, 4, True), (20, 32, False), (100, 32, True)]
)
def test_elo_has_settled_once_nineteen_parts_in_twenty_of_the_way_from_the_start_are_done(battles, k, settled):
    rows = [row("a", 1000, battles=battles), row("swept", 1000, battles=battles, points_per_battle=1.0)]
    marks = [ranked_row.elo_settled for ranked_row in rank_by(rows, "bt", {"elo": {"k": k}})]
    assert marks == [settled, False]


CLAIMS = {"method": METHOD}


def test_by_another_score_ranks_of_the_method_with_claims_hold_at_all_looks():
    counts = {"battles": 300, "clusters": 40}
    rows = [row("top", 1000, **counts), row("near", 970, **counts), row("low", 900, **counts)]
    ranges = {name.name: (name.rank_low, name.rank_high) for name in rank_by(rows, "elo", CLAIMS)}
    assert ranked(*rows) == [("top", 1, 1, 1), ("near", 2, 2, 2), ("low", 3, 3, 3)]
    assert ranges == {"top": (1, 2), "near": (1, 2), "low": (3, 3)}


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_rate_at_the_end_of_its_interval_is_ranked_like_any_other(rate):
    counts = {"battles": 300, "clusters": 40}
    rates = {"end": (rate, abs(rate - 0.03), rate), "near": (0.5, 0.47, 0.53), "middle": (0.49, 0.46, 0.52)}
    rows = [
        row(name, 1000, win_rate=value, win_rate_low=min(low, high), win_rate_high=max(low, high), **counts)
        for name, (value, low, high) in rates.items()
    ]
    ranges = {name.name: (name.rank_low, name.rank_high) for name in rank_by(rows, "win", CLAIMS)}
    ends = ((1, 1), (2, 3)) if rate else ((3, 3), (1, 2))
    assert ranges == {"end": ends[0], "near": ends[1], "middle": ends[1]}


@pytest.mark.parametrize("counts", [{"battles": 199, "clusters": 40}, {"battles": 300, "clusters": 19}])
def test_no_model_is_behind_another_below_the_votes_or_clusters_of_a_claim(counts):
    rows = [row(name, elo, 1.0, **counts) for name, elo in (("top", 1000), ("near", 970), ("low", 500))]
    assert {(name.rank_low, name.rank_high) for name in rank_by(rows, "elo", CLAIMS)} == {(1, 3)}
    assert {(name.score_low, name.score_high) for name in rank_by(rows, "elo", CLAIMS)} == {
        *((999, 1001), (969, 971), (499, 501))
    }

"""The table of the app's leaderboard."""

from __future__ import annotations

import re
from html import escape

import pytest

from arena.domain.schemas.leaderboard import BoardView
from arena_frontend.texts import OWNERS, texts
from arena_gradio.board import COLUMNS, as_of, picture, standing, table
from arena_gradio.texts import PATHS, AppTexts
from tests.frontend.fake_api import board


def test_a_model_that_has_met_none_of_the_first_group_has_no_place():
    whole = board(4)
    rows = [row.model_copy(update={"component": int(number > 2)}) for number, row in enumerate(whole.rows)]
    places = [row[COLUMNS.index("rank")] for row in table(whole.model_copy(update={"rows": rows}), AppTexts("en"))]
    assert places == [*(row.rank for row in rows[:3]), None]


@pytest.mark.parametrize("language", PATHS)
@pytest.mark.parametrize("reason", ["few_votes", "wide"])
def test_a_place_after_few_votes_is_called_provisional(language, reason):
    words, tag = AppTexts(language), texts(language)["board.young"].lower()
    row, *others = board(4).rows
    row = row.model_copy(update={"score": 1059.2, "battles": 7})
    apart = others[-1].model_copy(update={"component": 1})
    for preliminary, end in (([], ""), ([reason], f" · {tag}")):
        known = row.model_copy(update={"preliminary": preliminary})
        whole = board(4).model_copy(update={"rows": [known, *others[:-1], apart]})
        assert standing(row.name, whole, words) == words("score", rank=1, count=3, score=1059) + end


@pytest.mark.parametrize("language", PATHS)
@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"name": "another"}, "unrated"),
        ({"score": None}, "unrated"),
        ({"component": 1}, "unplaced"),
        ({"component": 1, "demo": True}, "practice.place"),
    ],
)
def test_a_model_without_a_place_is_said_to_have_none(language, change, key):
    first, *others = board(4).rows
    whole = board(4).model_copy(update={"rows": [first.model_copy(update={"score": 1059.2, **change}), *others]})
    words = AppTexts(language)
    assert standing(first.name, whole, words) == words(key)


@pytest.mark.parametrize("language", PATHS)
@pytest.mark.parametrize("owner", [*OWNERS, "Heron Labs"])
def test_an_owner_that_is_no_person_is_named_as_on_the_pages(language, owner):
    words = AppTexts(language)
    whole = board(1)
    whole = whole.model_copy(update={"rows": [whole.rows[0].model_copy(update={"owner": owner})]})
    assert table(whole, words)[0][COLUMNS.index("owner")] == words.owner(owner) == texts(language).owner(owner)


@pytest.mark.parametrize("size", [1, 2, 8, 40])
@pytest.mark.parametrize("language", PATHS)
def test_the_plot_has_each_rating_within_its_interval_in_the_scale_of_the_table(language, size):
    rows, words = board(size).rows, AppTexts(language)
    scores: list[dict[str, object]] = [
        {"score": row.bt, "score_low": row.bt_low, "score_high": row.bt_high} for row in rows
    ]
    scores[0]["name"] = '<b title="&">wide name</b>'
    rows = [row.model_copy(update=update) for row, update in zip(rows, scores, strict=True)]
    view = board(size).model_copy(update={"rows": rows})
    svg = picture(view, words)
    width, height = numbers(svg, r'viewBox="0 0 (\d+) (\d+)"')[0]
    points = numbers(svg, r'<circle cx="([\d.]+)" cy="(\d+)"')
    lines = numbers(svg, r'<line x1="([\d.]+)" x2="([\d.]+)"')
    assert f'role="img" aria-label="{escape(words("board.plot"))}"' in svg
    assert re.findall(r"<text[^>]*>(.*?)</text>", svg) == [escape(row.name) for row in view.rows]
    assert all(0 <= start <= x <= end <= width for (x, _), (start, end) in zip(points, lines, strict=True))
    assert all(0 <= y <= height for _, y in points)
    ratings = [row.score or 0 for row in view.rows]
    scales = [
        (points[0][0] - x) / (ratings[0] - rating)
        for (x, _), rating in zip(points[1:], ratings[1:], strict=True)
        if ratings[0] - rating > 1
    ]
    assert scales == pytest.approx([scales[0]] * len(scales), rel=0.02) if scales else size == 1


def numbers(svg: str, pattern: str) -> list[list[float]]:
    return [[float(number) for number in match] for match in re.findall(pattern, svg)]


def test_a_board_without_ratings_has_no_plot_and_a_category_its_own_digest():
    view, words = board(3), AppTexts("en")
    parts = [BoardView(category=name, votes=40, digest=digit * 64) for name, digit in (("code", "c"), ("chat", "d"))]
    unrated = [row.model_copy(update={"score": None}) for row in view.rows]
    assert picture(view.model_copy(update={"rows": unrated}), words) == ""
    assert picture(view.model_copy(update={"rows": []}), words) == ""
    assert view.snapshot is not None
    assert view.snapshot.digest in as_of(view, words)
    assert "c" * 64 in as_of(view.model_copy(update={"boards": parts, "category": "code"}), words)
    assert as_of(view.model_copy(update={"snapshot": None}), words) == words("board.none")

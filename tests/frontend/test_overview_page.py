"""All boards in one table, read without a browser."""

from __future__ import annotations

import gzip

import pytest

from arena.domain.schemas.overview import OverviewBoardView, OverviewPlaceView, OverviewRowView, OverviewView
from arena_frontend.bundle import Bundle
from arena_frontend.contents import Content
from arena_frontend.pages.overview.page import overview_values
from arena_frontend.templates import render
from arena_frontend.texts import LANGUAGES, texts

from .fake_api import board
from .html_tree import text

MODELS, BOARDS = 1000, 12


async def test_with_one_board_the_overview_leads_to_it(arena):
    arena.fake.board = board(4)
    page = await arena.get("/boards")
    assert (page.status, page.headers["location"]) == (307, "/leaderboard")
    page = await arena.get("/boards?category=web&by=a%26b%0d%0ac")
    assert (page.status, page.headers["location"]) == (307, "/leaderboard?category=web&by=a%26b%0D%0Ac")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_models_by_boards_have_their_ranks_and_the_colour_of_their_band(arena, language):
    arena.fake.board = arena.fake.board_data.add(board(8), ("code", ""), ("", "zh"))
    page = await arena.get(f"/boards?lang={language}")
    words = texts(language)
    assert page.text(".//h1") == words["overview.title"]
    heads = page.tree.findall(".//thead//a")
    assert [head.attrib["href"] for head in heads] == [
        "/leaderboard",
        "/leaderboard?category=code",
        "/leaderboard?language=zh",
    ]
    first, *_, last = page.tree.findall(".//tbody/tr")
    assert [text(cell) for cell in first] == ["heron-1", "1–2", "", ""]
    assert first[1].attrib["data-colour"] == "0"
    assert [text(cell) for cell in last] == [arena.fake.board.rows[-1].name, "7–8", "7–8", "7–8"]
    assert page.tree.find(".//section[@id='overview-moved']") is None


async def test_what_moved_since_last_week_stands_above_it(arena):
    arena.fake.board = arena.fake.board_data.add(board(4), ("code", ""))
    names = [row.name for row in arena.fake.board.rows]
    arena.fake.board_data.before = {names[0]: 4, names[1]: 3, names[2]: 1}
    arena.fake.board_data.moved = {names[0]: 3, names[2]: -2}
    moved = (await arena.get("/boards")).texts(".//section[@id='overview-moved']//li")
    assert moved == [f"{names[3]} new", f"{names[0]} ▲3up at least 3 places", f"{names[2]} ▼2down at least 2 places"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_ranks_that_changed_within_their_bounds_are_no_moves(arena, language):
    arena.fake.board = arena.fake.board_data.add(board(4), ("code", ""))
    arena.fake.board_data.before = {row.name: 5 - row.rank for row in arena.fake.board.rows}
    page = await arena.get(f"/boards?lang={language}")
    assert page.tree.find(".//span[@class='a-move']") is None
    said = page.text(".//section[@id='overview-moved']/p")
    assert said == texts(language).fill("overview.unmoved", date="2026-01-02")


def test_a_thousand_models_on_twelve_boards_are_at_most_300_kilobytes():
    rows = [
        OverviewRowView(
            name=f"provider-{n % 37}/model-{n}-{n % 90}b-instruct",
            owner=f"owner {n % 37}",
            before=n + 2,
            places=[
                OverviewPlaceView(rank=1 + (n * 7 + b) % MODELS, low=1 + n, high=9 + n, battles=500)
                for b in range(BOARDS)
            ],
        )
        for n in range(MODELS)
    ]
    boards = [OverviewBoardView(category=f"category-{n}" if n else "", votes=1000) for n in range(BOARDS)]
    table = OverviewView(snapshot=None, boards=boards, rows=rows)
    content = Content("overview/overview.html", lambda words: overview_values(words, table))
    html = render(content, texts("en"), "overview", Bundle.load(), "")
    assert len(gzip.compress(html.encode(), 6)) <= 300_000

"""One rule for intervals that say nothing: no page or picture prints or draws what the board withholds."""

from __future__ import annotations

import re

import pytest

from arena.domain.schemas.integrity import GatedRatingView
from arena.domain.schemas.leaderboard import LeaderboardView
from arena_frontend.app import create_app
from arena_gradio.board import picture, table
from arena_gradio.texts import AppTexts

from .fake_api import NAMES, FakeArena, board
from .html_tree import Reader, reader
from .test_shared_page import share

WIDE = {
    "bt_low": -7777.0,
    "bt_high": 9777.0,
    "bt_independent_low": -6777.0,
    "bt_independent_high": 8777.0,
    "elo_low": -5777.0,
    "elo_high": 7777.0,
    "score_low": -7777.0,
    "score_high": 9777.0,
}
PAGES = (
    "/leaderboard?young=show",
    "/leaderboard?young=show&more=1",
    "/leaderboard?young=show&by=elo",
    "/leaderboard?picture=intervals",
    "/leaderboard?picture=intervals&by=elo",
    "/leaderboard?picture=scatter&against=size",
    "/model?name=heron-1",
    "/pairs/heron-1-vs-model-b-7b-chat",
    "/embed",
    "/card.svg?name=heron-1",
    "/integrity",
)


@pytest.fixture
def fake() -> FakeArena:
    whole = board(8)
    rows = [whole.rows[0].model_copy(update=WIDE), *whole.rows[1:]]
    fake = FakeArena(board=whole.model_copy(update={"rows": rows}))
    gated = GatedRatingView(name="heron-1", bt=1000.0, bt_low=-7777.0, bt_high=9777.0, bt_without=990.0, votes=3)
    fake.board_data.gate.rows.append(gated)
    return fake


@pytest.fixture
def arena(fake: FakeArena) -> Reader:
    return reader(fake, create_app("https://arena.example", fresh=0))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("path", PAGES)
async def test_no_page_prints_an_interval_that_says_nothing(arena: Reader, path: str, language: str) -> None:
    page = await arena.get(f"{path}{'&' if '?' in path else '?'}lang={language}")
    assert page.status == 200
    assert re.findall(r"[5-9],?777", page.html) == []
    assert re.findall(r"10,000|-5,000", page.html) == []  # nor does a scale have room for it


async def test_a_shared_battle_prints_none_either(arena: Reader, fake: FakeArena) -> None:
    assert fake.board
    rows = [fake.board.rows[0].model_copy(update={"name": NAMES[side]}) for side in NAMES]
    fake.board = fake.board.model_copy(update={"rows": [*rows, *fake.board.rows[2:]]})
    page = await arena.get(share(fake, "Because."))
    assert f"{rows[0].bt:,.0f}, number 1 of 8" in page.html
    assert "7,777" not in page.html


def test_nor_do_table_and_picture_of_the_gradio_app(fake: FakeArena) -> None:
    view = fake.board
    assert isinstance(view, LeaderboardView)
    assert next(row[4:6] for row in table(view, AppTexts("en"))) == [None, None]
    bounds = [{"score": row.bt, "score_low": row.bt_low, "score_high": row.bt_high} for row in view.rows]
    rows = [row.model_copy(update=bound) for row, bound in zip(view.rows, bounds, strict=True)]
    others = view.model_copy(update={"rows": rows})
    lines = re.findall(r'<line x1="([\d.]+)" x2="([\d.]+)"', picture(others, AppTexts("en")))
    assert lines[0][0] == lines[0][1]
    assert float(lines[1][1]) - float(lines[1][0]) > 20

"""The arena's figures in the first bytes of the start page, with an example."""

from __future__ import annotations

import json

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, expect

from arena_frontend.api_reader import ask
from arena_frontend.app import create_app
from arena_frontend.asgi import Site
from arena_frontend.board_markup import figures, missing_votes
from arena_frontend.texts import FOLDER, LANGUAGES, texts
from arena_providers.demo.practice_models import STYLES, answer_in
from arena_providers.demo.script import read

from .conftest import serving
from .fake_api import FakeArena, board, create


@pytest.fixture
def arena() -> FakeArena:
    return FakeArena(board=board(12, votes=4321))


async def first_bytes(arena: FakeArena, language: str = "en", site: Site | None = None) -> str:
    app = create(arena)
    app.mount("/", site or create_app())
    _, _, body = await ask(app, f"/?lang={language}")
    html = body.decode()
    return html[html.index("<body") :]


async def test_the_start_page_tells_votes_models_and_the_three_best(arena):
    html = await first_bytes(arena)
    assert "<b>4,321</b> votes · <b>12</b> models" in html
    assert html.count("/model?") == 3


async def test_a_preliminary_board_is_called_so(arena):
    arena.board = arena.board.model_copy(update={"preliminary": ["young"]})
    assert f" · {texts('en')['board.preliminary']} · <span>updated <time" in await first_bytes(arena)


async def test_before_the_first_leaderboard_the_page_is_whole_without_it():
    html = await first_bytes(FakeArena())
    assert "/model?" not in html
    assert "<details" in html


async def test_a_page_is_made_anew_for_a_newer_leaderboard_and_whole_without_one_that_cannot_be_read(arena):
    site = create_app(fresh=0)
    assert "<b>12</b> models" in await first_bytes(arena, site=site)
    arena.board = board(4)
    assert "<b>4</b> models" in await first_bytes(arena, site=site)
    arena.board = None
    app = FastAPI()  # it has no API
    app.mount("/", site)
    _, _, body = await ask(app, "/")
    assert b"</b> models" not in body
    assert b"<details" in body


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_example_is_what_practice_models_answer(arena, language):
    battle = json.loads((FOLDER / "example_battles.json").read_text(encoding="utf-8"))[language]
    for name, text in battle["answers"].items():
        assert text == answer_in(STYLES[name.removeprefix("abacus-")], read(battle["prompt"]))
        assert name in await first_bytes(arena, language)


def test_figures_and_example_stay_on_the_start_page_until_a_battle_begins(browser: Browser, arena: FakeArena):
    with serving(create(arena), create_app()) as address:
        page = browser.new_context(base_url=address, locale="en-US").new_page()
        page.goto("/")
        expect(page.locator("#life")).to_contain_text("4,321 votes")
        page.click("#life summary")
        expect(page.locator("#life blockquote")).to_be_visible()
        page.fill("#prompt textarea", "Hello")
        page.click("#send")
        expect(page.locator("#life")).to_be_hidden()
        page.context.close()


@pytest.mark.parametrize(
    ("battles", "missing"), [((30,), 0), ((30, 31), 0), ((8, 8, 8, 8, 8), 55), ((0, 30, 400), 30), ((29, 29), 1)]
)
def test_the_goal_is_the_fewest_votes_after_which_no_model_is_a_newcomer(battles, missing):
    whole = board(len(battles))
    rows = [row.model_copy(update={"battles": count}) for row, count in zip(whole.rows, battles, strict=True)]
    assert missing_votes(whole.model_copy(update={"rows": rows})) == missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_young_board_shows_how_far_its_goal_is(language):
    whole = board(5, votes=21)
    rows = [row.model_copy(update={"battles": 8}) for row in whole.rows]
    html = figures(texts(language), whole.model_copy(update={"rows": rows}))
    assert '<progress max="76" value="21"></progress>' in html
    assert "76" in html.partition("<progress")[0]

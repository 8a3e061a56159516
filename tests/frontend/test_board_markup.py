"""The arena's figures in the first bytes of the start page, with an example."""

from __future__ import annotations

import json
import re

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, expect

from arena.domain.schemas.leaderboard import LeaderboardView
from arena.domain.terms import EndpointState
from arena_frontend.api_reader import ask
from arena_frontend.app import create_app
from arena_frontend.asgi import Site
from arena_frontend.board_markup import figures
from arena_frontend.pages.leaderboard.selection import goal_votes
from arena_frontend.texts import FOLDER, LANGUAGES, texts
from arena_providers.demo.practice_models import STYLES, answer_in
from arena_providers.demo.script import read

from . import fake_chats
from .conftest import serving
from .fake_api import FakeArena, board, create


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> FakeArena:
    """An arena of the models on its board."""
    monkeypatch.setattr(fake_chats, "MODELS", ())
    return FakeArena(board=board(12, votes=4321))


def battled(*battles: int, votes: int = 4200) -> LeaderboardView:
    """A board of models with so many battles."""
    whole = board(len(battles), votes=votes)
    rows = [row.model_copy(update={"battles": count}) for row, count in zip(whole.rows, battles, strict=True)]
    return whole.model_copy(update={"rows": rows})


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


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_example_shows_what_its_markdown_means(arena, language):
    html = await first_bytes(arena, language)
    example = html.split('class="a-example"')[1].split("</details>")[0]
    assert "**" not in example
    assert "<strong>" in example
    assert len(re.findall(r"<li\b", example)) == 3
    assert "\n- " not in example


@pytest.mark.parametrize("ranks", [(1, 1, 3), (1, 2, 2), (1, 1, 1), (1, 2, 3)])
async def test_the_best_have_the_places_that_the_board_gives_them(arena, ranks):
    whole = board(3)
    rows = [row.model_copy(update={"rank": rank}) for row, rank in zip(whole.rows, ranks, strict=True)]
    arena.board = whole.model_copy(update={"rows": rows})
    assert re.findall(r'<li value="(\d+)"', await first_bytes(arena)) == [str(rank) for rank in ranks]


@pytest.mark.parametrize("practice", [EndpointState.ACTIVE, EndpointState.PAUSED])
async def test_the_goal_is_that_of_the_models_in_battles_ranked_or_not(arena, practice):
    arena.board = battled(4, 4, votes=4)
    models = arena.board_data.models(arena.board)
    ranked = [model.model_copy(update={"state": practice}) for model in models]
    new = [models[0].model_copy(update={"name": name}) for name in ("Heron", "Magpie")]
    arena.board_data.models = lambda _: ranked + new
    count, goal = (2, 34) if practice is EndpointState.PAUSED else (4, 60)
    html = await first_bytes(arena)
    assert f'<progress max="{goal}" value="4"></progress> · <b>{count}</b> models in battles' in html


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
    young = battled(*battles)
    assert goal_votes(young, [row.name for row in young.rows]) == 4200 + missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_young_board_shows_how_far_its_goal_is(language):
    young = battled(*[8] * 5, votes=21)
    html = figures(texts(language), young, [row.name for row in young.rows])
    assert '<progress max="76" value="21"></progress>' in html
    assert "76" in html.partition("<progress")[0]

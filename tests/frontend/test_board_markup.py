"""The newest leaderboard in the first bytes: its ten best models, and the arena's figures with an example."""

from __future__ import annotations

import json
from html import escape

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from arena.adapters.providers.demo.practice_models import STYLES, answer_in
from arena.adapters.providers.demo.script import read
from arena.domain.schemas.leaderboard import LeaderboardView
from arena_frontend.app import PAUSE, LeaderboardSource, create_app
from arena_frontend.asgi import Site
from arena_frontend.texts import FOLDER, LANGUAGES, texts
from arena_trust.integrity.network_share import Preliminary

from .conftest import serving
from .fake_api import FakeArena, board, create


class Published:
    """A leaderboard that can be replaced, or out of reach."""

    def __init__(self) -> None:
        self.view = board(12, votes=4321)
        self.asked, self.fails, self.now = 0, False, 0.0

    async def __call__(self) -> LeaderboardView:
        self.asked += 1
        if self.fails:
            raise OSError("no database")
        return self.view


@pytest.fixture
def published() -> Published:
    return Published()


@pytest.fixture
def gate(published: Published) -> Site:
    return create_app("", published)


async def first_bytes(gate: Site, path: str, language: str = "en") -> str:
    transport = httpx2.ASGITransport(app=gate)
    async with httpx2.AsyncClient(transport=transport, base_url="http://arena.example") as client:
        html = (await client.get(path, headers={"Accept-Language": language})).text
    return html[html.index("<body") : html.index("<gradio-app")]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_page_of_the_leaderboard_begins_with_the_ten_best_models(gate, published, language):
    first, *others = published.view.rows
    published.view = published.view.model_copy(update={"rows": [first.model_copy(update={"name": "<b>&"}), *others]})
    html = await first_bytes(gate, "/leaderboard", language)
    ranked = sorted(published.view.rows, key=lambda row: row.rank)
    assert 'href="/model?name=%3Cb%3E%26">&lt;b&gt;&amp;</a>' in html
    assert all(f">{row.name}</a>" in html for row in ranked[1:10])
    assert not any(row.name in html for row in ranked[10:])
    assert texts(language)["col.battles"] in html


async def test_the_start_page_tells_votes_models_and_the_three_best(gate, published):
    html = await first_bytes(gate, "/")
    assert "<b>4,321</b> votes · <b>12</b> models" in html
    assert html.count("/model?") == 3


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_first_bytes_of_a_preliminary_board_say_so_and_why(gate, published, language):
    words = texts(language)
    word = words["board.preliminary"]
    assert f"<b>{word}</b>" not in await first_bytes(gate, "/leaderboard", language)
    assert f" · {word}</p>" not in await first_bytes(gate, "/", language)
    for code in Preliminary:
        published.view = board(12).model_copy(update={"preliminary": [code]})
        html = await first_bytes(create_app("", published), "/leaderboard", language)
        assert f"<b>{word}</b> {escape(words[f'board.preliminary.{code}'])}" in html
    assert f" · {word}</p>" in await first_bytes(create_app("", published), "/", language)


async def test_before_the_first_leaderboard_the_pages_are_whole_without_it():
    html = await first_bytes(create_app(), "/leaderboard")
    assert "a-top" not in html
    assert "<details" in await first_bytes(create_app(), "/")


async def test_a_newer_leaderboard_is_asked_for_seldom_and_one_that_cannot_be_read_leaves_the_last(published):
    standings = LeaderboardSource(published, lambda: published.now)
    first = await standings.newest()
    published.view = board(3)
    assert [await standings.newest() for _ in range(5)] == [first] * 5
    assert published.asked == 1
    published.now += PAUSE
    assert (await standings.newest()) is published.view
    published.now += PAUSE
    published.fails = True
    assert (await standings.newest()) is published.view


async def test_an_arena_that_is_still_being_built_is_asked_again_by_the_next_visitor(published):
    building = True

    async def source():
        return None if building else await published()

    standings = LeaderboardSource(source, lambda: published.now)
    assert await standings.newest() is None
    building = False
    assert (await standings.newest()) is published.view


async def test_a_page_is_made_anew_for_a_newer_leaderboard(gate, published, monkeypatch):
    monkeypatch.setattr("arena_frontend.app.PAUSE", 0.0)
    assert "<b>12</b> models" in await first_bytes(gate, "/")
    published.view = board(4)
    assert "<b>4</b> models" in await first_bytes(gate, "/")


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_example_is_what_practice_models_answer(language):
    battle = json.loads((FOLDER / "example_battles.json").read_text(encoding="utf-8"))[language]
    for name, text in battle["answers"].items():
        assert text == answer_in(STYLES[name.removeprefix("abacus-")], read(battle["prompt"]))
        assert name in await first_bytes(create_app(), "/", language)


@pytest.mark.browser
def test_the_ten_best_stay_until_the_whole_leaderboard_has_come(browser: Browser, gate: Site):
    with serving(create(FakeArena()), gate) as address:
        page = browser.new_page(base_url=address, locale="en-US")
        page.route("**/api/v1/leaderboard", lambda _: None)
        page.goto("/leaderboard")
        expect(page.locator("#board .a-top tbody tr")).to_have_count(10)
        expect(page.locator("#arena-boot")).to_have_count(0)
        page.close()


@pytest.mark.browser
def test_figures_and_example_stay_on_the_start_page_until_a_battle_begins(browser: Browser, gate: Site):
    with serving(create(FakeArena()), gate) as address:
        page = browser.new_page(base_url=address, locale="en-US")
        page.goto("/")
        expect(page.locator("#life")).to_contain_text("4,321 votes")
        page.click("#life summary")
        expect(page.locator("#life blockquote")).to_be_visible()
        page.fill("#prompt textarea", "Hello")
        page.click("#send")
        expect(page.locator("#life")).to_be_hidden()
        page.close()

"""The first view: plain HTML that can be read and used before Gradio has arrived."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from arena.frontend.texts import LANGUAGES, texts

from .fake_api import FakeArena
from .test_battle_page import BOX, ask, begin, ready

pytestmark = pytest.mark.browser

EARLY = "#early textarea"
GRADIO = "**/assets/index-*.js"


@contextmanager
def held(page: Page) -> Iterator[Callable[[], None]]:
    """The page without Gradio's script; the script comes when the function is called."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(GRADIO, hold)
    page.goto("/", wait_until="commit")
    page.wait_for_selector(EARLY)

    def let_go() -> None:
        for route in waiting:
            route.continue_()

    yield let_go


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_bytes_have_hero_box_and_links_in_the_readers_language(address, language):
    html = httpx2.get(address, headers={"Accept-Language": language}).text
    body = html[html.index("<body") : html.index("<gradio-app")]
    words = texts(language)
    for part in (
        words["hero.title"],
        words["prompt.placeholder"],
        words["noscript"],
        "<textarea",
        'href="/leaderboard"',
        'href="/about"',
    ):
        assert part in body


def test_without_scripts_the_page_says_what_it_is_and_leads_to_the_other_pages(browser: Browser, address: str):
    context = browser.new_context(base_url=address, java_script_enabled=False, locale="en-US")
    page = context.new_page()
    page.goto("/")
    expect(page.locator("h1")).to_be_visible()
    expect(page.get_by_role("link", name="Leaderboard")).to_be_visible()
    context.close()


def test_what_was_typed_before_the_page_was_ready_is_in_its_box_with_the_caret(page: Page):
    with held(page) as let_go:
        page.locator(EARLY).press_sequentially("Which i better?")
        for _ in range(len(" better?")):
            page.press(EARLY, "ArrowLeft")
        let_go()
        page.wait_for_selector("#early", state="detached")
    page.keyboard.type("s")
    expect(page.locator(BOX)).to_have_value("Which is better?")
    ask(page, "Which is best?")
    ready(page)


def test_a_question_sent_before_the_page_was_ready_is_asked_once_it_is(page: Page, fake: FakeArena):
    with held(page) as let_go:
        ask_early(page, "first of all")
        expect(page.locator(EARLY)).not_to_be_editable()
        expect(page.locator("#arena-boot")).to_contain_text("Opening the arena")
        assert fake.opened == 0
        let_go()
    ready(page)
    assert [turn.prompt for battle in fake.battles.values() for turn in battle.turns] == ["first of all"]
    expect(page.locator(BOX)).to_have_value("")


def ask_early(page: Page, text: str) -> None:
    page.fill(EARLY, text)
    page.press(EARLY, "Enter")


def test_nothing_is_sent_by_an_empty_box_or_while_an_input_method_composes(page: Page, fake: FakeArena):
    with held(page) as let_go:
        page.press(EARLY, "Enter")
        page.fill(EARLY, "nihao")
        composing = {"key": "Enter", "isComposing": True, "bubbles": True, "cancelable": True}
        page.dispatch_event(EARLY, "keydown", composing)
        page.press(EARLY, "Shift+Enter")
        expect(page.locator(EARLY)).to_be_editable()
        let_go()
    expect(page.locator(BOX)).to_have_value("nihao\n")
    assert fake.opened == 0


def test_a_battle_that_goes_on_is_not_covered_by_an_empty_box(page: Page):
    begin(page)
    ask(page)
    ready(page)
    page.route(GRADIO, lambda _: None)
    page.reload(wait_until="commit")
    expect(page.locator("#arena-boot")).to_contain_text("Opening the arena")
    assert page.locator("#early").count() == 0


@pytest.mark.parametrize("path", ["/", "/leaderboard", "/owners"])
def test_gradio_s_page_is_reachable_once_it_is_uncovered(page: Page, path: str):
    page.goto(path)
    page.wait_for_selector("#arena-boot", state="detached")
    assert page.locator("gradio-app[inert]").count() == 0
    expect(page.locator("#bar .a-theme")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_language_appearance_and_leaderboard_are_in_sight_at_every_width(page: Page, language: str):
    # The last entry of the navigation, so that what is open is scrolled to.
    page.goto(f"/owners?lang={language}")
    page.wait_for_selector("#foot")
    for width in (320, 390, 600, 721, 760, 820, 895, 960, 1000, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        for tool in (".a-langs", ".a-theme", ".a-nav [data-page=leaderboard]"):
            expect(page.locator(tool)).to_be_in_viewport(ratio=0.95)

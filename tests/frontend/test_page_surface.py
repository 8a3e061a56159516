"""The battle page from its first bytes on: what it loads, what it needs of the browser, and what it says without it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import httpx2
import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, Route, expect
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.domain.terms import Side
from arena_frontend.asgi import Site
from arena_frontend.texts import LANGUAGES, texts

from .fake_api import NAMES, FakeArena
from .screens import Scheme, faults_in
from .serving import serve
from .test_battle_page import BOX, ask, ready

PATH = "/"
LISTEN = """() => {
  window.shown = [];
  window.open = [];
  const note = () => {
    const answer = document.querySelector("#chat_a .a-answer");
    if (answer) window.shown.push(answer.innerText);
    if (!document.querySelector("#vote_a").disabled) window.open.push(answer.innerText);
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
}"""
"""Notes each text of the first answer that is ever there, and those with which votes are open."""
BLOCKED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""


def start(page: Page) -> None:
    """Be at the start of a round, with the engine running."""
    page.goto(PATH)
    page.wait_for_selector("html[data-phase=empty]:not([data-early])")


def test_all_pages_begin_at_one_left_edge(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    edges = {}
    for path in ("/leaderboard", "/boards", "/about", "/mine", "/integrity", "/questions", "/owners", "/operator"):
        page.goto(f"{address}{path}", wait_until="domcontentloaded")
        edges[path] = page.locator("h1").first.evaluate("(title) => Math.round(title.getBoundingClientRect().left)")
    assert len(set(edges.values())) == 1, edges


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_bytes_have_hero_box_and_links_in_the_readers_language(address: str, language: str) -> None:
    html = httpx2.get(address, headers={"Accept-Language": language}).text
    body = html[html.index("<body") : html.index("arena-texts")]
    words = texts(language)
    for part in (
        words["hero.title"],
        words["prompt.placeholder"],
        words["noscript"],
        "<textarea",
        'href="/boards"',
        'href="/about"',
    ):
        assert part in body


def test_the_box_comes_before_what_only_scripts_read(address: str) -> None:
    html = httpx2.get(address).text
    first = html[: html.index("<textarea")]
    assert len(first.encode()) < 30_000
    assert "arena-texts" not in first


def test_nothing_is_sent_by_an_empty_box_or_while_an_input_method_composes(page: Page, fake: FakeArena) -> None:
    with without_scripts(page):
        page.goto(PATH, wait_until="commit")
        page.wait_for_selector(BOX)
        page.fill(BOX, "nihao")
        composing = {"key": "Enter", "isComposing": True, "bubbles": True, "cancelable": True}
        page.dispatch_event(BOX, "keydown", composing)
        page.press(BOX, "Shift+Enter")
        expect(page.locator(BOX)).to_be_editable()
    page.wait_for_selector("html[data-phase=empty]:not([data-early])")
    expect(page.locator(BOX)).to_have_value("nihao\n")
    assert fake.opened == 0


def test_what_is_typed_before_the_scripts_stays_with_its_caret(page: Page) -> None:
    with without_scripts(page):
        page.goto(PATH, wait_until="commit")
        page.locator(BOX).press_sequentially("Which i better?")
        for _ in range(len(" better?")):
            page.press(BOX, "ArrowLeft")
    page.wait_for_selector("html[data-phase=empty]:not([data-early])")
    page.keyboard.type("s")
    expect(page.locator(BOX)).to_have_value("Which is better?")


def test_a_kind_chosen_before_the_scripts_is_chosen(page: Page) -> None:
    with without_scripts(page, "**/composer.js"):
        page.goto(PATH, wait_until="commit")
        page.wait_for_selector("[data-act=web-kind]")
        page.click("[data-act=web-kind][data-value=web_page]")
    expect(page.locator("[data-value=web_page][aria-pressed=true]")).to_be_visible()


def test_a_battle_that_goes_on_is_not_covered_by_the_start_page(page: Page) -> None:
    start(page)
    ask(page)
    ready(page)
    with without_scripts(page):
        page.reload(wait_until="commit")
        page.wait_for_selector("html[data-phase=starting]")
        expect(page.locator(".a-ideas")).to_be_hidden()
    page.wait_for_selector("html[data-phase=ready]")


def test_where_nothing_can_be_asked_the_page_says_so_to_who_only_looks(page: Page, fake: FakeArena) -> None:
    fake.endpoints = 1
    page.goto(PATH)
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["notice.few"])


PLACES = """() => Object.fromEntries([".a-bar", "h1", ".a-hero p", "#practice-line", ".a-kinds", "#box", ".a-attach",
  ".a-count", ".a-ideas-head", "#idea-list", ".a-example", ".a-foot", "#prompt textarea", "#send"]
  .map((part) => [part, document.querySelector(part)]).filter(([, one]) => one.checkVisibility())
  .map(([part, one]) => [part, one.getBoundingClientRect()])
  .map(([part, box]) => [part, [box.x, box.y, box.width, box.height].map(Math.round).join()]))"""


@pytest.mark.parametrize(
    ("language", "width", "vision"),
    [("en", 390, True), ("en", 768, False), ("en", 1280, True), ("zh", 390, False), ("zh", 1280, True)],
)
def test_nothing_moves_when_the_scripts_come(
    page: Page, fake: FakeArena, language: str, width: int, *, vision: bool
) -> None:
    fake.practice, fake.vision = True, vision
    page.set_viewport_size({"width": width, "height": 800})
    with without_scripts(page):
        page.goto(f"/?lang={language}", wait_until="commit")
        page.wait_for_selector("#foot")
        page.wait_for_timeout(300)
        before = page.evaluate(PLACES)
    page.wait_for_selector("html[data-phase=empty]:not([data-early])")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(PLACES) == before


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("has_all", [True, False])
def test_nothing_moves_either_when_the_page_came_before_the_state_of_the_arena(
    page: Page, fake: FakeArena, width: int, *, has_all: bool
) -> None:
    fake.practice = fake.vision = has_all
    fake.building = 1
    page.set_viewport_size({"width": width, "height": 800})
    with without_scripts(page):
        page.goto("/", wait_until="commit")
        page.wait_for_selector("#foot")
        page.wait_for_timeout(300)
        assert page.locator("#composer").get_attribute("data-status") is None
        before = page.evaluate(PLACES)
        expect(page.locator(".a-attach")).to_be_hidden()
    page.wait_for_selector("html[data-phase=empty]:not([data-early])")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(PLACES) == before
    for part in (".a-attach", "#practice-line"):
        expect(page.locator(part)).to_be_visible(visible=has_all)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_start_page_has_no_fault(page: Page, fake: FakeArena, axe: str, language: str) -> None:
    fake.practice = True
    page.goto(f"/?lang={language}")
    expect(page.locator(".a-idea[data-prompt]")).to_have_count(2)
    assert faults_in(page, axe, (("desktop", "light"), ("telephone", "dark"))) == []


def test_few_requests_until_the_first_key_and_until_the_names(page: Page, fake: FakeArena) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    start(page)
    page.wait_for_load_state("networkidle")
    assert len(requests) <= 10
    ask(page)
    ready(page)
    page.click("#vote_b")
    expect(page.locator("#reveal-box")).to_be_visible()
    until_names = requests[: next(place for place, url in enumerate(requests) if url.endswith("/vote")) + 1]
    assert len(until_names) <= 18


def test_a_script_that_an_old_page_cannot_have_brings_the_new_page(page: Page, fake: FakeArena) -> None:
    missing = re.compile(r"/battle_reveal\.js$")
    page.route(missing, lambda route: route.fulfill(status=404))
    start(page)
    ask(page)
    ready(page)
    page.unroute(missing)
    page.click("#vote_b")
    expect(page.locator("#reveal-box")).to_contain_text(NAMES[Side.B], timeout=30_000)


@contextmanager
def without_scripts(page: Page, names: str = "**/{shell,battle}.js") -> Iterator[None]:
    """Scripts of the page are held back until the end."""
    waiting: list[Route] = []
    page.route(names, lambda route: waiting.append(route))  # noqa: PLW0108 - Playwright marks what it is given
    yield
    for route in waiting:
        route.continue_()
    page.unroute(names)


def agree(page: Page) -> None:
    page.wait_for_selector(".a-agree")
    page.wait_for_timeout(850)
    page.press(".a-agree", "Enter")


def test_a_battle_runs_under_a_policy_that_allows_nothing_inline(page: Page, fake: FakeArena) -> None:
    fake.answers = {side: f"Side **{side}** says:\n\n- one\n- two" for side in Side}
    answer = page.goto(PATH)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'; style-src 'self';" in policy
    assert "require-trusted-types-for 'script'; trusted-types arena" in policy
    assert "unsafe" not in policy
    expect(page.locator("meta[name=robots]")).to_have_count(0)
    html = answer.text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*(?: src=|application/json))", html)
    ask(page)
    ready(page)
    for side in Side:
        expect(page.locator(f"#chat_{side} .a-answer strong")).to_have_text(side)
        expect(page.locator(f"#chat_{side} .a-answer li")).to_have_text(["one", "two"])
    assert not any(name in page.content() for name in NAMES.values())
    page.click("#vote_b")
    expect(page.locator("#reveal-box")).to_contain_text("You chose B, Loud Magpie")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator("#pair :is(.a-prompt, .a-answer)")).to_have_count(0)


def test_a_follow_up_keeps_the_first_answer_and_a_reload_shows_both(page: Page, fake: FakeArena) -> None:
    start(page)
    ask(page, "first")
    ready(page)
    fake.answers = dict.fromkeys(Side, "Then *this*.")
    ask(page, "second")
    expect(page.locator("#chat_a .a-answer")).to_have_count(2)
    ready(page)
    for _ in range(2):
        expect(page.locator("#chat_a .a-prompt")).to_have_text(["first", "second"])
        expect(page.locator("#chat_a .a-answer").first).to_contain_text("Answer of side a.")
        expect(page.locator("#chat_a .a-answer em")).to_have_text("this")
        page.reload()
        ready(page)


def test_no_markdown_is_seen_while_an_answer_grows_and_votes_open_after_its_last_word(
    page: Page, fake: FakeArena
) -> None:
    fake.answers = dict.fromkeys(Side, "Some **bold words** and `code` here, and\n\n" * 6 + "**the end**")
    start(page)
    page.evaluate(LISTEN)
    ask(page)
    ready(page)
    seen, at_votes = page.evaluate("[window.shown, window.open]")
    assert len(seen) > 3
    assert not [text for text in seen if "**bold words**" in text or "`code`" in text]
    assert at_votes
    assert all(text.strip().endswith("the end") for text in at_votes)


class Building:
    """An arena that is being built until it `is_open`: its pages are served, and calls of its API wait."""

    def __init__(self, pages: ASGIApp, arena: ASGIApp) -> None:
        self.pages = pages
        self.arena = arena
        self.is_open = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while scope["path"].startswith("/api/") and not self.is_open:
            await asyncio.sleep(0.01)
        await (self.arena if self.is_open else self.pages)(scope, receive, send)


@pytest.mark.parametrize("code", [200, 500])
def test_a_first_question_waits_for_the_terms_of_an_arena_that_is_being_built(
    page: Page, fake: FakeArena, app: FastAPI, pages: Site, code: int
) -> None:
    """Where they cannot be learned, the question itself is refused and names them."""
    fake.terms = 1
    arena = Building(pages, app)
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    if code == 500:
        page.route("**/api/v1/status", lambda route: route.fulfill(status=500, json={}))
    with serve(arena) as address:
        page.goto(address)
        page.wait_for_selector("html[data-phase=empty]:not([data-early])")
        ask(page)
        if code == 200:
            expect(page.locator("#notice-box")).to_contain_text("The arena is starting")
            page.press(BOX, "Enter")
        arena.is_open = True
        agree(page)
        ready(page)
        assert (fake.accepted, fake.opened, len(refused)) == ({1}, 1, 0 if code == 200 else 1)
    page.unroute_all()


def test_a_second_enter_and_a_held_one_agree_to_nothing(page: Page, fake: FakeArena) -> None:
    fake.terms = 1
    start(page)
    ask(page)
    page.wait_for_selector(".a-agree:focus")
    page.keyboard.press("Enter")
    page.keyboard.down("Enter")
    for _ in range(3):
        page.keyboard.down("Enter")  # as a key that is held repeats
    page.keyboard.up("Enter")
    page.wait_for_selector(".a-agree")
    assert fake.opened == 0
    agree(page)
    ready(page)
    assert fake.accepted == {1}


def test_words_typed_on_after_enter_agree_to_nothing(page: Page, fake: FakeArena) -> None:
    fake.terms = 1
    start(page)
    ask(page)
    page.wait_for_selector(".a-agree:focus")
    page.keyboard.type(" and more ")
    page.keyboard.down("Space")
    page.wait_for_timeout(850)
    page.keyboard.down("Space")  # as a key that is held repeats
    page.keyboard.up("Space")
    page.wait_for_selector(".a-agree")
    assert fake.opened == 0
    page.press(".a-agree", "Space")
    ready(page)
    assert fake.accepted == {1}


@pytest.mark.parametrize("early", [False, True])
def test_enter_before_the_battle_of_a_reload_is_there_goes_on_with_that_battle(
    page: Page, fake: FakeArena, *, early: bool
) -> None:
    start(page)
    ask(page, "first")
    ready(page)
    with without_scripts(page, "**/api/v1/battles/*"):
        with without_scripts(page, "**/conversation.js") if early else nullcontext():
            page.reload(wait_until="commit")
            if not early:
                page.wait_for_selector("html:not([data-early])")
            ask(page, "second")
        page.wait_for_selector("html:not([data-early])")
    expect(page.locator("#chat_a .a-prompt")).to_have_text(["first", "second"])
    ready(page)
    assert fake.opened == 1


def test_undo_brings_back_the_words_that_an_idea_has_replaced(page: Page) -> None:
    start(page)
    page.focus(BOX)
    page.keyboard.type("my own words")
    page.locator("#idea-list .a-idea").first.click()
    expect(page.locator(BOX)).not_to_have_value("my own words")
    expect(page.locator(BOX)).to_be_focused()
    page.keyboard.press("Control+z")
    expect(page.locator(BOX)).to_have_value("my own words")
    page.reload()
    expect(page.locator(BOX)).to_have_value("my own words")


def test_a_page_that_was_reloaded_long_before_an_upgrade_takes_the_new_scripts(page: Page) -> None:
    page.add_init_script("performance.now = ((now) => () => now() + 60_000)(performance.now.bind(performance))")
    start(page)
    page.reload()
    page.wait_for_selector("html[data-phase=empty]:not([data-early])")
    page.route("**/answers.js", lambda route: route.fulfill(status=404), times=1)
    ask(page)
    ready(page)
    expect(page.locator("#chat_a .a-answer")).to_contain_text("Answer of side a.")


def test_a_held_enter_asks_once_and_warns_of_nothing(page: Page, fake: FakeArena) -> None:
    start(page)
    page.fill(BOX, "once")
    page.focus(BOX)
    for _ in range(6):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    ready(page)
    assert [battle.turns[0].prompt for battle in fake.battles.values()] == ["once"]
    expect(page.get_by_text("Your text is kept")).to_have_count(0)


def test_without_storage_a_round_works_for_the_visit(page: Page, fake: FakeArena) -> None:
    fake.terms = 1
    page.add_init_script(BLOCKED)
    page.goto(PATH)
    page.wait_for_selector("html[data-phase=empty]:not([data-early])")
    ask(page)
    agree(page)
    ready(page)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    page.click("#new_round")
    ask(page, "and again")
    ready(page)
    assert fake.opened == 2


@pytest.mark.parametrize(("system", "other"), [("light", "dark"), ("dark", "light")])
def test_each_press_changes_the_look_and_the_second_follows_the_system_again(
    page: Page, system: Scheme, other: Scheme
) -> None:
    page.emulate_media(color_scheme=system)
    start(page)
    for look in (other, system):
        page.click("[data-act=theme]")
        page.wait_for_selector(f"html[data-theme={look}]")
    page.emulate_media(color_scheme=other)
    page.wait_for_selector(f"html[data-theme={other}]")


def test_focus_stays_in_the_room_when_the_pressed_button_goes(page: Page, fake: FakeArena) -> None:
    fake.paused = True
    start(page)
    page.fill(BOX, "a question")
    page.focus("#send")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-phase=running]")
    expect(page.locator(BOX)).to_be_focused()
    page.focus("#stop")
    page.keyboard.press("Enter")
    fake.paused = False
    ready(page)
    expect(page.locator(BOX)).to_be_focused()


def test_enter_before_the_scripts_sends_once_they_are_there(page: Page, fake: FakeArena) -> None:
    held: list[Route] = []
    page.route("**/conversation.js", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks it
    page.goto(PATH, wait_until="commit")
    page.fill(BOX, "early bird")
    page.press(BOX, "Enter")
    page.press(BOX, "Enter")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    ready(page)
    assert [battle.turns[0].prompt for battle in fake.battles.values()] == ["early bird"]


def test_addresses_are_text_until_the_vote_and_then_lead_away_after_a_question(page: Page, fake: FakeArena) -> None:
    fake.answers = dict.fromkeys(Side, "See [this](https://example.org/x) and https://example.org/y.")
    start(page)
    ask(page)
    ready(page)
    assert page.locator("#pair :is(a, [role=link], [data-address])").count() == 0
    page.click("#vote_tie")
    page.wait_for_selector("#reveal-box .a-card")
    link = page.locator("#chat_a [role=link]").first
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".a-leave .a-leave-address")).to_have_text("https://example.org/x")
    page.keyboard.press("Escape")


def test_a_server_of_before_is_read_as_text_and_the_page_says_so(page: Page) -> None:
    plain = re.compile(r"\?as=html$")
    page.route(plain, lambda route: route.continue_(url=plain.sub("", route.request.url)))
    start(page)
    ask(page)
    ready(page)
    expect(page.locator("#chat_a .a-answer")).to_contain_text("Answer of side a.")
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["notice.old_server"])
    page.reload()
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["notice.old_server"])
    expect(page.locator("#chat_a .a-answer")).to_contain_text("Answer of side a.")


def test_without_a_script_the_page_says_what_it_needs_above_the_box(browser: Browser, address: str) -> None:
    with browser.new_context(java_script_enabled=False, base_url=address) as context:
        page = context.new_page()
        page.goto(PATH)
        said, box = page.locator("noscript p"), page.locator(BOX)
        expect(said).to_have_text(texts("en")["noscript"])
        assert said.bounding_box()["y"] < box.bounding_box()["y"]
        expect(page.locator("#ideas")).to_be_hidden()

"""The first view: plain HTML that can be read and used before Gradio has arrived."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from arena.domain import errors
from arena.domain.terms import Outcome, Side
from arena_frontend.api_reader import ApiReader
from arena_frontend.asgi import Site
from arena_frontend.bundle import Bundle
from arena_frontend.finished_pages import Finish, Pages
from arena_frontend.responses import StaticResponse
from arena_frontend.template_pages import TemplatePages
from arena_frontend.texts import LANGUAGES, texts

from .fake_api import FakeArena
from .resting import WINDOW
from .screens import faults_in, speak
from .serving import EMPTY, SharedServer, serve
from .test_battle_page import BOX, ask, begin, ready

pytestmark = pytest.mark.browser

EARLY = "#early textarea"
GRADIO = "**/assets/index-*.js"
BLOCKS = "**/assets/Blocks-*.js"


@contextmanager
def without_gradio(page: Page, script: str = GRADIO) -> Iterator[Callable[[], None]]:
    """A script of Gradio is held back until the end, or until the function is called."""
    waiting: list[Route] = []
    page.route(script, lambda route: waiting.append(route))  # noqa: PLW0108 - Playwright marks what it is given

    def let_go() -> None:
        for route in waiting:
            route.continue_()

    yield let_go
    page.unroute(script)


@contextmanager
def held(page: Page) -> Iterator[Callable[[], None]]:
    """The first view; Gradio's script comes when the function is called."""
    with without_gradio(page) as let_go:
        page.goto("/", wait_until="domcontentloaded")
        page.wait_for_selector(EARLY)
        yield let_go


def test_the_loader_of_gradio_is_hidden_because_it_fades_over_the_page_and_takes_taps(page: Page) -> None:
    with without_gradio(page, BLOCKS) as let_go:
        page.goto("/", wait_until="domcontentloaded")
        loader = page.locator(".gradio-container > .main > .translucent")
        loader.wait_for(state="attached")
        expect(loader).to_be_hidden()
        let_go()
        page.wait_for_selector("#early", state="detached")


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
        'href="/boards"',
        'href="/about"',
    ):
        assert part in body


def test_the_box_comes_before_what_only_scripts_read(address: str):
    html = httpx2.get(address).text
    first = html[: html.index("<textarea")]
    assert len(first.encode()) < 30_000
    assert "gradio_config" not in first


def test_the_battle_page_is_painted_when_its_first_view_is_whole(address: str):
    html = httpx2.get(address).text
    expected = re.search(r'<link rel="expect" href="#([\w-]+)" blocking="render" />', html)
    assert expected
    assert html.index(f'id="{expected[1]}"') < html.index("arena-texts")


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


def prompts(fake: FakeArena) -> list[str]:
    return [turn.prompt for battle in fake.battles.values() for turn in battle.turns]


def early_answer(page: Page, side: Side) -> Locator:
    return page.locator(f"#early-pair [data-answer={side}]")


def test_a_question_sent_before_gradio_has_come_is_answered_at_once_and_can_be_voted_on(page: Page, fake: FakeArena):
    fake.answers = {side: f"**{side}** <blink>says</blink> this. " * 9 for side in Side}
    fake.paused = True
    with held(page) as let_go:
        ask_early(page, "first of all")
        for side in Side:
            expect(early_answer(page, side)).to_have_text(fake.answers[side].strip())
        expect(page.locator("#early-pair blockquote")).to_have_text("first of all")
        expect(page.locator("h1")).to_be_hidden()
        let_go()
        page.wait_for_selector("html[data-phase=running]:not(:has(#arena-boot))")
    expect(page.locator("#chat_a .bot .message-content")).to_contain_text("<blink>says</blink> this.")
    expect(page.locator(BOX)).to_have_value("")
    fake.paused = False
    ready(page)
    assert prompts(fake) == ["first of all"]
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    assert [vote[2] for vote in fake.votes] == [Outcome.B]


def test_what_is_typed_after_the_first_question_is_kept_for_the_next(page: Page, fake: FakeArena):
    with held(page) as let_go:
        ask_early(page, "first of all")
        expect(early_answer(page, Side.A)).not_to_be_empty()
        page.locator(EARLY).press_sequentially("and then")
        let_go()
    ready(page)
    expect(page.locator(BOX)).to_have_value("and then")
    assert prompts(fake) == ["first of all"]


def test_a_first_battle_that_has_ended_before_gradio_has_come_is_ready_for_its_vote(page: Page, fake: FakeArena):
    fake.pace = 0
    with held(page) as let_go:
        ask_early(page, "first of all")
        expect(early_answer(page, Side.A)).to_have_text(fake.answers[Side.A].strip())
        page.wait_for_timeout(300)
        let_go()
    ready(page)
    expect(page.locator("#chat_b .bot .message-content")).to_have_text(fake.answers[Side.B].strip())


def test_the_first_view_shows_the_answers_that_another_tab_has_asked_for(page: Page, fake: FakeArena, address: str):
    fake.paused = True
    fake.answers = {side: f"Old answer of {side}." for side in Side}
    with held(page) as let_go:
        ask_early(page, "first of all")
        expect(early_answer(page, Side.B)).to_have_text("Old answer of b.")
        (battle,) = fake.battles
        for change, prompt in (("regenerate", "first of all"), ("turns", "and then")):
            fake.answers = {side: f"Answer of {side} to {change}." for side in Side}
            httpx2.post(f"{address}/api/v1/battles/{battle}/{change}", json={"prompt": prompt}).raise_for_status()
            fake.cuts += 1
            for side in Side:
                expect(early_answer(page, side)).to_have_text(f"Answer of {side} to {change}.")
            expect(page.locator("#early-pair blockquote")).to_have_text(prompt)
        let_go()
        page.wait_for_selector("html[data-phase=running]:not(:has(#arena-boot))")
    expect(page.locator("#chat_b .bot .message-content").last).to_have_text("Answer of b to turns.")
    fake.paused = False
    ready(page)


def test_a_tab_that_is_loaded_again_before_gradio_has_come_goes_on_with_its_first_battle(page: Page, fake: FakeArena):
    with held(page):
        ask_early(page, "first of all")
        expect(early_answer(page, Side.A)).not_to_be_empty()
    page.reload()
    ready(page)
    assert prompts(fake) == ["first of all"]


def test_the_first_view_asks_for_the_terms_before_the_first_question(page: Page, fake: FakeArena):
    fake.terms = 2
    statuses: list[int] = []
    page.on("response", lambda response: statuses.extend([response.status] * response.url.endswith("/battles")))
    with held(page) as let_go:
        ask_early(page, "first of all")
        expect(page.locator("#notice-box .a-agree")).to_be_focused()
        assert prompts(fake) == []
        page.click("#notice-box .a-agree")
        expect(early_answer(page, Side.B)).not_to_be_empty()
        expect(page.locator("#notice-box")).to_be_hidden()
        let_go()
    ready(page)
    assert prompts(fake) == ["first of all"]
    assert fake.accepted == {2}
    assert statuses == [201]


def test_who_has_not_yet_agreed_when_gradio_takes_over_is_asked_there_and_asks_once(page: Page, fake: FakeArena):
    fake.terms = 2
    with held(page) as let_go:
        ask_early(page, "first of all")
        page.wait_for_selector("#notice-box .a-agree")
        let_go()
        page.wait_for_selector("#arena-boot", state="detached")
    page.click("#notice-box .a-agree")
    ready(page)
    assert prompts(fake) == ["first of all"]


def test_a_refused_first_question_is_told_once_gradio_has_come(page: Page, fake: FakeArena):
    fake.refuse = errors.RateLimited(retry_after=7)
    with held(page) as let_go:
        ask_early(page, "first of all")
        let_go()
    expect(page.locator("#notice-box")).to_contain_text("Try again in 7 s.")
    expect(page.locator(BOX)).to_have_value("first of all")


def test_a_first_question_over_a_line_that_is_lost_is_asked_once(page: Page, fake: FakeArena):
    with held(page) as let_go:
        page.route("**/api/v1/battles", lambda route: route.abort())
        page.route("**/api/v1/status", lambda route: route.abort())
        ask_early(page, "first of all")
        expect(page.locator("#notice-box")).to_contain_text("Your question will be sent when it is back")
        page.unroute("**/api/v1/battles")
        page.unroute("**/api/v1/status")
        expect(early_answer(page, Side.A)).not_to_be_empty()
        expect(page.locator("#notice-box")).to_be_hidden()
        let_go()
    ready(page)
    assert prompts(fake) == ["first of all"]


def test_a_first_question_of_another_kind_waits_for_gradio(page: Page, fake: FakeArena):
    with held(page) as let_go:
        page.click("[data-act=web-kind][data-value=web_page]")
        ask_early(page, "a clock")
        expect(page.locator(EARLY)).not_to_be_editable()
        expect(page.locator("#arena-boot")).to_contain_text("Loading the arena")
        assert fake.opened == 0
        let_go()
    ready(page)
    assert [battle.kind for battle in fake.battles.values()] == ["web_page"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_first_battle_has_no_fault_before_gradio_has_come(page: Page, fake: FakeArena, axe: str, language: str):
    fake.paused = True
    speak(page, {"en": "en-US", "zh": "zh-CN"}[language])
    with held(page):
        ask_early(page, "first of all")
        expect(early_answer(page, Side.B)).to_have_text(fake.answers[Side.B].strip())
        assert faults_in(page, axe, (("desktop", "light"), ("telephone", "dark"))) == []


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
    with without_gradio(page):
        page.reload(wait_until="commit")
        expect(page.locator("#arena-boot")).to_contain_text("Loading the arena")
        assert page.locator("#early").count() == 0


def idle(browser: Browser, address: str) -> BrowserContext:
    """A visitor who looks and does nothing."""
    new_context: Callable[..., BrowserContext] = browser.new_context
    return new_context(base_url=address, locale="en-US", viewport=WINDOW, stirs=False)


@pytest.fixture(scope="module")
def idlers(browser: Browser, door: SharedServer) -> Iterator[BrowserContext]:
    """What visitors who do nothing share: scripts that are read and compiled."""
    with idle(browser, door.address) as context:
        context.new_page().goto(EMPTY)
        yield context


@pytest.fixture
def still(idlers: BrowserContext, address: str) -> Iterator[Page]:
    with idlers.new_page() as page:
        page.goto("/")
        yield page
    idlers.clear_cookies()
    idlers.pages[0].evaluate("localStorage.clear()")


def stir(page: Page) -> None:
    page.mouse.move(300, 20)
    page.mouse.move(310, 20)


def awake(page: Page) -> bool:
    return page.locator("#engine-parts").count() == 0


def test_before_somebody_moves_presses_or_types_a_page_costs_thirty_requests_and_nothing_of_gradio(
    browser: Browser, address: str
) -> None:
    with idle(browser, address) as context:
        page, paths = context.new_page(), list[str]()
        page.on("request", lambda request: paths.append(urlsplit(request.url).path))
        page.goto("/", wait_until="networkidle")
        assert not awake(page)
        assert len(paths) <= 30
        assert not [path for path in paths if path.startswith(("/assets/", "/static/", "/api/"))]


ACTS: dict[str, Callable[[Page], object]] = {
    "the mouse moves": stir,
    "the wheel turns": lambda page: page.mouse.wheel(0, 10),
    "a key goes down": lambda page: page.keyboard.press("Tab"),
    "a finger touches": lambda page: page.dispatch_event("h1", "touchstart"),
    "something is dragged over it": lambda page: page.dispatch_event("h1", "dragenter"),
    "something writes into the box": lambda page: page.dispatch_event(EARLY, "input"),
    "something clicks": lambda page: page.dispatch_event("h1", "click"),
}


@pytest.mark.parametrize("act", ACTS)
def test_the_engine_comes_when(still: Page, act: str):
    assert not awake(still)
    ACTS[act](still)
    still.wait_for_selector("html[data-phase=empty]")


def test_a_pointer_that_lies_still_is_no_visitor(still: Page):
    still.evaluate("dispatchEvent(new MouseEvent('pointermove', { clientX: 300, clientY: 20 }))")
    assert not awake(still)


@pytest.mark.parametrize("kept", ["sessionStorage.arena_unsent_battle = 'null'", "localStorage.arena_battle = 'x'"])
def test_a_tab_with_something_to_go_on_with_waits_for_nobody(still: Page, kept: str):
    still.evaluate(kept)
    still.reload()
    assert awake(still)


def test_where_nothing_can_be_asked_the_page_says_so_to_who_only_looks(fake: FakeArena, still: Page):
    fake.endpoints = 1
    still.reload()
    expect(still.locator("#notice-box")).to_contain_text(texts("en")["notice.few"])


PLACES = """() => Object.fromEntries([".a-bar", "h1", ".a-hero p", "#practice-line", ".a-kinds", "#early, #box",
  ".a-attach", ".a-count", ".a-ideas-head", "#idea-list", ".a-example", ".a-foot", "textarea[placeholder]",
  "#early button, #send"]
  .map((part) => [part, [...document.querySelectorAll(part)].find((one) => one.checkVisibility())])
  .map(([part, one]) => [part, one?.getBoundingClientRect()])
  .map(([part, box]) => [part, box && [box.x, box.y, box.width, box.height].map(Math.round).join()]))"""


@pytest.mark.parametrize(
    ("language", "width", "vision"),
    [
        ("en", 390, True),
        ("en", 768, False),
        ("en", 1280, True),
        ("zh", 390, False),
        ("zh", 768, True),
        ("zh", 1280, False),
    ],
)
def test_nothing_moves_when_gradio_takes_over(fake: FakeArena, still: Page, language: str, width: int, *, vision: bool):
    fake.practice, fake.vision = True, vision
    still.set_viewport_size({"width": width, "height": 800})
    still.goto(f"/?lang={language}", wait_until="networkidle")
    before = still.evaluate(PLACES)
    assert [part for part, place in before.items() if not place] == ([] if vision else [".a-attach"])
    stir(still)
    still.wait_for_selector("html[data-phase=empty]:not(:has(#arena-boot))")
    still.wait_for_load_state("networkidle")
    assert still.evaluate(PLACES) == before


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_first_view_has_no_fault_before_anybody_moves(fake: FakeArena, still: Page, axe: str, language: str):
    fake.practice = True
    still.goto(f"/?lang={language}")
    expect(still.locator(".a-idea[data-prompt]")).to_have_count(2)
    assert faults_in(still, axe, (("desktop", "light"), ("telephone", "dark"))) == []
    assert not awake(still)


def test_an_idea_chosen_in_the_first_view_is_in_the_page_s_box_and_others_are_offered_at_once(page: Page):
    with held(page) as let_go:
        first = page.locator(".a-idea").first.inner_text()
        page.click("[data-act=ideas]")
        expect(page.locator(".a-idea")).to_have_count(4)
        expect(page.locator(".a-idea").first).not_to_have_text(first)
        idea = page.locator(".a-idea").last
        prompt = idea.get_attribute("data-prompt")
        assert prompt
        idea.click()
        expect(page.locator(EARLY)).to_have_value(prompt)
        let_go()
    expect(page.locator(BOX)).to_have_value(prompt)
    expect(page.locator(".a-idea")).to_have_count(4)


def test_a_kind_chosen_in_the_first_view_is_chosen_once_the_page_can(page: Page):
    with held(page) as let_go:
        page.click("[data-act=web-kind][data-value=web_page]")
        let_go()
    expect(page.locator("[data-value=web_page][aria-pressed=true]")).to_be_visible()


def test_a_line_of_an_input_method_is_not_cut_by_the_page_that_takes_over(page: Page):
    with held(page) as let_go:
        page.dispatch_event(EARLY, "compositionstart")
        page.fill(EARLY, "ni hao")
        let_go()
        page.wait_for_selector("#engine script-path", state="attached")
        page.wait_for_timeout(1000)
        page.fill(EARLY, "你好")
        page.dispatch_event(EARLY, "compositionend")
    expect(page.locator(BOX)).to_have_value("你好")
    expect(page.locator(BOX)).to_be_focused()


def test_who_walks_the_page_by_keys_stays_where_they_are_when_gradio_takes_over(page: Page):
    with held(page) as let_go:
        page.focus(".a-example summary")
        page.keyboard.press("Enter")
        let_go()
    page.wait_for_selector("#arena-boot", state="detached")
    expect(page.locator("#life summary")).to_be_focused()
    expect(page.locator("#life blockquote")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/direct"])
def test_gradio_s_page_is_reachable_once_it_is_uncovered(page: Page, path: str):
    page.goto(path)
    page.wait_for_selector("#arena-boot", state="detached")
    assert page.locator("gradio-app[inert]").count() == 0
    expect(page.locator("#bar .a-theme")).to_be_visible()


@pytest.mark.parametrize(("language", "locale"), [("zh", "zh-CN"), ("zh-TW", "zh-TW"), ("en", "en-US")])
def test_who_comes_while_pages_are_made_is_told_and_gets_the_page_without_a_touch(
    browser: Browser, language: str, locale: str
) -> None:
    finished, bundle = threading.Event(), Bundle.load()

    def make() -> Finish:
        finished.wait()
        return lambda *_: StaticResponse.make(b"<h1>Here</h1>", "text/html", "no-cache")

    templates = TemplatePages(bundle, "", ApiReader())
    waiting = partial(templates.plain, name="not_ready", status=HTTPStatus.SERVICE_UNAVAILABLE)
    pages = Pages(make, waiting=waiting, patience=0.01, pause=1)
    with serve(Site(pages, templates, bundle.files)) as address:
        context = browser.new_context(base_url=address, locale=locale)
        page = context.new_page()
        told = page.goto("/direct?item=a+b#secret")
        assert told
        assert (told.status, told.headers["retry-after"]) == (503, "1")
        heading = page.locator("h1")
        expect(heading).to_have_text(texts(language)["not_ready.title"])
        finished.set()
        expect(heading).to_have_text("Here")
        assert page.url == f"{address}/direct?item=a+b#secret"
        context.close()

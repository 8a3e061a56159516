"""Both pages of a battle run at one press, in any version, at one size, and their makers' names come after the vote."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from arena.domain.terms import BattleKind, Side
from arena_frontend.texts import texts

from .canary import Canary
from .conftest import until
from .fake_api import NAMES, FakeArena, board
from .resting import WINDOW, reset
from .screens import faults, speak
from .serving import SharedServer
from .test_battle_page import ask, begin, ready


@pytest.fixture(scope="module")
def tab(browser: Browser, door: SharedServer) -> Iterator[Page]:
    """A tab whose complaints nobody hears: what pages are kept from stands in the console."""
    with browser.new_context(locale="en-US", base_url=door.address, viewport=WINDOW) as context:
        yield context.new_page()


@pytest.fixture
def page(tab: Page, address: str) -> Iterator[Page]:
    """The tab, with the page that the test before has put back, or an empty one."""
    yield tab
    reset(tab)
    tab.context.clear_cookies()


TELEPHONE: ViewportSize = {"width": 390, "height": 780}
BENIGN = "```html\n<!DOCTYPE html><html><body><h1>benign</h1></body></html>\n```"
PAGE = "```html\n<!DOCTYPE html><html><body><h1>{}</h1></body></html>\n```"


def make(page: Page, prompt: str = "A page, please") -> None:
    """Have two pages made, on a page that rested or is loaded; the stage is there once both have ended."""
    begin(page)
    page.click("[data-act=web-kind][data-value=web_page]")
    ask(page, prompt)
    ready(page)
    page.wait_for_selector("#stage:not([hidden])")


def run(page: Page, fake: FakeArena) -> None:
    before = len(fake.framed)
    page.click("[data-act=pages-run]")
    page.wait_for_selector("#stage[data-state=running]")
    for _ in range(200):
        if len(fake.framed) >= before + 2:
            return
        page.wait_for_timeout(20)
    raise AssertionError("not both pages were asked for")


def heading(page: Page, side: str):
    return page.frame_locator(f"[data-side={side}] iframe").locator("h1")


def pages(fake: FakeArena, a: str, b: str) -> None:
    fake.pace = fake.first_wait = 0
    fake.answers = {Side.A: a, Side.B: b}


def test_two_pages_are_made_run_judged_and_only_then_named(page: Page, fake: FakeArena) -> None:
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    assert next(iter(fake.battles.values())).kind is BattleKind.WEB_PAGE
    expect(page.locator("#stage iframe")).to_have_count(0)
    run(page, fake)
    expect(heading(page, "a")).to_have_text("one")
    expect(heading(page, "b")).to_have_text("two")
    assert page.locator("#stage iframe").first.get_attribute("sandbox") == "allow-scripts"
    expect(page.locator(".a-stage-tab").first).to_be_hidden()
    assert not any(name in page.content() for name in NAMES.values())
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    expect(page.locator(".a-stage-name").first).to_have_text(f"Made by {NAMES[Side.A]}")
    expect(page.locator(".a-stage-tab").first).to_have_attribute("href", re.compile(r"^/frames/[\w-]+/whole$"))
    note = page.locator(".a-reveal-note")
    expect(note).to_contain_text("for web pages, which have a board of their own once there are enough votes.")


def boards(fake: FakeArena, *keys: tuple[str, str]) -> None:
    """Put the model of side A first on the overall board, and second on those of these categories and languages."""
    whole = board(5)
    fake.board = fake.board_data.add(whole, *keys)
    first, second = (
        [row.model_copy(update={"name": NAMES[Side.A]}) if n == place else row for n, row in enumerate(whole.rows)]
        for place in (0, 1)
    )
    fake.board = fake.board.model_copy(update={"rows": first})
    for key in keys:
        fake.board_data.boards[key] = fake.board_data.boards[key].model_copy(update={"rows": second})


@pytest.mark.parametrize(("keys", "place"), [([], "not ranked yet"), ([("web", "")], "number 2 of 5")])
def test_the_place_and_the_link_are_those_of_the_board_of_web_pages_once_there_is_one(
    page: Page, fake: FakeArena, keys: list[tuple[str, str]], place: str
) -> None:
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    boards(fake, *keys)
    make(page)
    run(page, fake)
    with page.expect_response(re.compile(r"/models/Quiet")):
        page.click("#vote_b")
    expect(page.locator(".a-card[data-side=a] .a-card-rank")).to_contain_text(place)
    link = page.locator(".a-reveal-note").get_by_role("link")
    expect(link).to_have_count(len(keys))
    if keys:
        expect(link).to_have_attribute("href", "/leaderboard?category=web")


def test_in_a_tab_of_its_own_a_page_is_shown_and_confined(page: Page, fake: FakeArena, canary: Canary) -> None:
    escape = f"<script>location.href = '{canary.url}/tab'; fetch('{canary.url}/fetch', {{ mode: 'no-cors' }})</script>"
    pages(fake, PAGE.format(f"one</h1>{escape}<h1>"), BENIGN)
    make(page)
    run(page, fake)
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    with page.context.expect_page() as opened:
        page.locator(".a-stage-tab").first.click()
    tab = opened.value
    expect(tab.locator("iframe")).to_have_count(1)
    tab.wait_for_timeout(400)
    assert canary.paths == []
    tab.close()
    with page.context.expect_page() as opened:
        page.locator(".a-stage-tab").last.click()
    expect(opened.value.frame_locator("iframe").locator("h1")).to_have_text("benign")
    opened.value.close()


def test_over_plain_http_a_page_runs_in_its_frame_and_never_as_a_tab_of_its_own(
    page: Page, fake: FakeArena, canary: Canary
) -> None:
    """No browser says there what it loads a document for."""
    fake.is_secure = False
    escape = f"<script>location.href = '{canary.url}/tab'</script><meta http-equiv=refresh content='0;{canary.url}/m'>"
    pages(fake, PAGE.format(f"one</h1>{escape}<h1>"), PAGE.format("two \u2028 </script><!-- `${1}"))
    make(page)
    run(page, fake)
    expect(heading(page, "b")).to_contain_text("two")
    assert heading(page, "b").evaluate("document.compatMode") == "CSS1Compat"
    address = page.evaluate("document.querySelector('[data-side=a] .a-stage-frame').shadowRoot.firstChild.src")
    tab = page.context.new_page()
    tab.goto(address)
    tab.wait_for_timeout(400)
    assert tab.url == address
    assert tab.inner_text("body") == ""
    assert canary.paths == []
    tab.close()


@pytest.mark.parametrize(("width", "language"), [(390, "zh"), (1280, "en"), (1280, "zh-TW")])
def test_pages_that_were_not_run_are_not_voted_on_by_pointer_or_keys(
    page: Page, fake: FakeArena, width: int, language: str
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    speak(page, language)
    page.goto("/")
    said = texts(language)["vote.hint.unrun"]
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    expect(page.locator("#hint-text")).to_have_text(said)
    expect(page.locator("#say")).to_have_text(texts(language)["say.ready.web"])
    page.click("#vote_b")
    expect(page.locator("#say")).to_have_text(said)
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_timeout(900)  # longer than a double click
    assert fake.votes == []
    expect(page.locator("[data-act=pages-run]")).to_be_in_viewport()
    run(page, fake)
    expect(page.locator("#hint-text")).not_to_have_text(said)
    page.locator(".a-stage-side[data-side=b] .a-stage-frame").scroll_into_view_if_needed()
    expect(page.locator("#hint-text")).to_contain_text(texts(language)["vote.hint.ready.web"])
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")


def test_a_follow_up_has_to_be_run_anew_before_the_vote(page: Page, fake: FakeArena) -> None:
    said = texts("en")["vote.hint.unrun"]
    pages(fake, PAGE.format("light"), PAGE.format("bright"))
    make(page)
    run(page, fake)
    ask(page, "make it dark")
    until(page, "document.querySelectorAll('#chat_a .a-answer').length === 2")
    ready(page)
    expect(page.locator("#hint-text")).to_have_text(said)
    page.click("[data-act=pages-version] >> nth=0")
    run(page, fake)
    expect(page.locator("#hint-text")).to_have_text(said)
    page.click("[data-act=pages-version] >> nth=1")
    expect(page.locator("#hint-text")).not_to_have_text(said)
    page.keyboard.press("Alt+ArrowRight")
    page.wait_for_selector("#reveal-box .a-card")


@pytest.mark.parametrize("answers", [(PAGE, "No."), ("No.", "Never.")])
def test_where_an_answer_has_no_page_the_vote_waits_for_none(page: Page, fake: FakeArena, answers) -> None:
    pages(fake, *answers)
    make(page)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")


def test_a_follow_up_changes_both_pages_and_earlier_versions_stay(page: Page, fake: FakeArena) -> None:
    pages(fake, PAGE.format("light"), PAGE.format("bright"))
    make(page)
    run(page, fake)
    pages(fake, PAGE.format("dark"), PAGE.format("black"))
    ask(page, "make it dark")
    until(page, "document.querySelectorAll('#chat_a .a-answer').length === 2")
    ready(page)
    expect(page.locator("[data-act=pages-version]")).to_have_text(["Version 1", "Version 2"])
    expect(page.locator("#stage iframe")).to_have_count(0)
    run(page, fake)
    expect(heading(page, "a")).to_have_text("dark")
    page.click("[data-act=pages-version] >> nth=0")
    expect(heading(page, "a")).to_have_text("light")
    expect(heading(page, "b")).to_have_text("bright")


def test_stop_source_restart_one_alone_and_the_width_of_a_phone(page: Page, fake: FakeArena) -> None:
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    run(page, fake)
    expect(page.locator("#pair")).to_be_hidden()
    page.click("[data-act=pages-source]")
    expect(page.locator("#pair")).to_be_visible()
    expect(page.locator("#chat_a .a-answer")).to_contain_text("<h1>one</h1>")
    page.click("[data-act=pages-source]")
    page.click("[data-act=web-width][data-value=phone]")
    widths = "[...document.querySelectorAll('.a-stage-frame')].map((f) => f.shadowRoot.firstChild.offsetWidth).join()"
    until(page, f"{widths} === '390,390'")
    page.click("[data-act=web-width][data-value=desktop]")
    until(page, f"{widths} === '1280,1280'")
    page.click("[data-act=pages-alone][data-side=a]")
    expect(page.locator("figure[data-side=b]")).to_be_hidden()
    expect(page.locator("#vote_b")).to_be_visible()
    page.click("[data-act=pages-stop]")
    expect(page.locator("#stage iframe")).to_have_count(0)
    run(page, fake)
    expect(heading(page, "a")).to_have_text("one")
    page.click("[data-act=pages-restart]")
    expect(heading(page, "a")).to_have_text("one")
    page.goto("about:blank")  # the next round would keep the choice of one page and its width


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("I would rather not.", "This answer has no page"),
        (f"{BENIGN}\n{BENIGN}", "more than one document"),
        (PAGE.format("x" * 270_000), "larger than 256 KB"),
        (PAGE.format("<img src=https://a.example/x.png><img src=https://b.example/y.png>"), "Wants 2 files"),
        ("```html\n<!DOCTYPE html><html><body><h1>cut", "The end of this page is missing"),
    ],
    ids=["prose", "two", "large", "wants", "cut"],
)
def test_what_is_not_whole_is_said_in_a_sentence_and_the_vote_works(
    page: Page, fake: FakeArena, answer: str, said: str
) -> None:
    pages(fake, answer, BENIGN)
    make(page)
    expect(page.locator("[data-side=a] .a-stage-notes")).to_contain_text(said)
    expect(page.locator("[data-side=b] .a-stage-notes")).to_be_empty()
    page.click("[data-act=pages-run]")
    expect(heading(page, "b")).to_have_text("benign")
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")


def test_where_neither_answer_is_a_page_there_is_nothing_to_run(page: Page, fake: FakeArena) -> None:
    pages(fake, "No.", "Never.")
    make(page)
    expect(page.locator(".a-stage-say")).to_contain_text("Neither answer has a page")
    expect(page.locator("[data-act=pages-run]")).to_be_hidden()
    page.click("#vote_tie")
    page.wait_for_selector("#reveal-box .a-card")


def test_what_a_page_shows_after_two_seconds_goes_with_the_vote(page: Page, fake: FakeArena) -> None:
    drawn = "<h1 id=h></h1><script>h.textContent = String.fromCharCode(122, 101, 112, 104) + '\\ud800'</script>"
    hidden = "<p style='display:none'>unseen</p><canvas id=c></canvas><script>c.getContext('2d').fillText('zeph', 9, 9)"
    pages(fake, PAGE.format(drawn), PAGE.format(f"two</h1>{hidden}</script><h1>"))
    make(page)
    run(page, fake)
    expect(heading(page, "b").first).to_have_text("two")
    page.wait_for_timeout(2_500)
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    (seen,) = fake.seen
    assert (seen[Side.A].split(), seen[Side.B].split()) == (["zeph"], ["two"])


def test_after_a_reload_in_the_middle_both_can_be_run_again(page: Page, fake: FakeArena) -> None:
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    run(page, fake)
    page.reload()
    page.wait_for_selector("#stage:not([hidden])")
    run(page, fake)
    expect(heading(page, "b")).to_have_text("two")


def test_a_shared_battle_shows_both_pages_to_everybody(page: Page, fake: FakeArena) -> None:
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    run(page, fake)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    page.click("[data-act=share]")
    page.goto(page.input_value(".a-share-link"))
    page.wait_for_selector("#stage:not([hidden])")
    run(page, fake)
    expect(heading(page, "a")).to_have_text("one")
    expect(page.locator(".a-stage-name").first).to_have_text(f"Made by {NAMES[Side.A]}")


def test_a_battle_of_texts_has_no_stage_and_asks_for_no_pages(page: Page, fake: FakeArena) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    pages(fake, BENIGN, BENIGN)
    begin(page)
    ask(page)
    ready(page)
    expect(page.locator("#stage")).to_be_hidden()
    assert not any(url.endswith("/pages") for url in asked)
    assert next(iter(fake.battles.values())).kind is BattleKind.TEXT


WIDTHS = (390, 1280)


@pytest.mark.parametrize("locale", ["en-US", "zh-CN", "zh-TW"])
def test_the_stage_is_accessible_in_every_language_and_width(
    page: Page, fake: FakeArena, axe: str, locale: str
) -> None:
    speak(page, locale)
    pages(fake, PAGE.format("<img src=https://a.example/x.png>one"), PAGE.format("two"))
    make(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert faults(page, axe) == []
    run(page, fake)
    for width in reversed(WIDTHS):
        page.set_viewport_size({"width": width, "height": 800})
        assert faults(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_the_switch_of_answers_is_there_with_the_answers_alone(page: Page, fake: FakeArena) -> None:
    """The two pages lie side by side, where the switch would move nothing."""
    page.set_viewport_size({"width": 390, "height": 844})
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    switch, source = page.locator("#switch"), page.locator("[data-act=pages-source]")
    expect(switch).to_be_hidden()
    source.click()
    page.click("#switch [data-side=b]")
    expect(page.locator("#side_b")).to_be_in_viewport(ratio=0.1)
    source.click()
    expect(switch).to_be_hidden()


def test_on_a_phone_a_page_that_was_never_in_sight_is_shown_before_the_vote(page: Page, fake: FakeArena) -> None:
    page.set_viewport_size(TELEPHONE)
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    run(page, fake)
    unseen = "You have not seen answer B yet. Look at it, then vote."
    expect(page.locator("#hint-text")).to_have_text(unseen)
    page.click("#vote_a")
    expect(page.locator("#say")).to_have_text(unseen)
    expect(page.locator(".a-stage-side[data-side=b] .a-stage-frame")).to_be_in_viewport(ratio=0.8)
    expect(page.locator("#hint-text")).not_to_contain_text("You have not seen")
    assert fake.votes == []
    page.wait_for_timeout(800)  # the second click of a double click is ignored for so long
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    assert len(fake.votes) == 1


def test_a_new_battle_shows_both_pages_though_one_was_shown_alone(page: Page, fake: FakeArena) -> None:
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    run(page, fake)
    page.click("[data-act=pages-alone][data-side=a]")
    expect(page.locator(".a-stage-side[data-side=b]")).to_be_hidden()
    page.keyboard.press("Alt+ArrowLeft")
    page.click("#new_round")
    make(page)
    run(page, fake)
    expect(page.locator(".a-stage-side[data-side=b]")).to_be_visible()
    expect(page.locator("[data-act=pages-alone][data-side=a]")).to_have_attribute("aria-pressed", "false")


def test_on_a_phone_one_page_shown_alone_gives_way_to_the_unseen_one(page: Page, fake: FakeArena) -> None:
    page.set_viewport_size(TELEPHONE)
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page)
    run(page, fake)
    page.click("[data-act=pages-alone][data-side=a]")
    page.click("#vote_a")
    expect(page.locator(".a-stage-side[data-side=b] .a-stage-frame")).to_be_in_viewport(ratio=0.8)
    expect(page.locator("#hint-text")).not_to_contain_text("You have not seen")
    assert fake.votes == []


@pytest.mark.parametrize(("kind", "height"), [("text", 600), ("web_page", 780)])
def test_on_a_phone_a_new_battle_begins_at_the_top_of_the_page(
    page: Page, fake: FakeArena, kind: str, height: int
) -> None:
    page.set_viewport_size({"width": 390, "height": height})
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    begin(page)
    page.click(f"[data-act=web-kind][data-value={kind}]")
    ask(page, "A page, please")
    ready(page)
    if kind == "web_page":
        run(page, fake)
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_selector("#reveal-box .a-card")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize(("side", "missing"), [("a", "b"), ("b", "a")])
def test_where_one_answer_has_no_page_the_stage_speaks_of_one_and_a_phone_shows_all_of_it(
    page: Page, fake: FakeArena, side: str, missing: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    pages(fake, *(PAGE.format("one") if own == side else "No." for own in "ab"))
    make(page)
    say, button = page.locator(".a-stage-say"), page.locator("[data-act=pages-run]")
    expect(say).to_contain_text(f"Only answer {side.upper()} has a page.")
    expect(button).to_have_text("▶ Run the page")
    for part in (".a-stage-side", ".a-stage-notes li"):
        for found in page.locator(part).all():
            box = found.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
    expect(page.locator(f"[data-side={missing}] .a-stage-notes")).to_contain_text("This answer has no page.")
    button.click()
    expect(heading(page, side)).to_have_text("one")
    page.click("[data-act=pages-stop]")
    expect(say).to_have_text("The page is stopped.")


def test_no_vote_is_cast_by_keys_while_a_page_has_the_focus(page: Page, fake: FakeArena) -> None:
    fake.answers = {Side.A: BENIGN, Side.B: BENIGN}
    make(page)
    run(page, fake)
    box = page.locator("[data-side=a] .a-stage-frame").bounding_box()
    assert box
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.click(box["x"] + 40, box["y"] + 40)
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.tagName") == "IFRAME"
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_timeout(200)
    assert fake.votes == []


def test_the_question_stands_above_the_pages_and_one_large_button_between_them_runs_both(
    page: Page, fake: FakeArena
) -> None:
    pages(fake, PAGE.format("one"), PAGE.format("two"))
    make(page, "A clock, please")
    question, button = page.locator(".a-stage-question"), page.locator("[data-act=pages-run]")
    expect(question).to_have_text("A clock, please")
    box, frames = button.bounding_box(), page.locator(".a-stage-pair").bounding_box()
    assert box is not None
    assert frames is not None
    assert box["height"] >= 44
    assert abs(box["x"] + box["width"] / 2 - frames["x"] - frames["width"] / 2) <= 1
    assert frames["y"] < box["y"] < frames["y"] + frames["height"]
    run(page, fake)
    expect(button).to_be_hidden()
    expect(question).to_be_visible()
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    expect(question).to_have_text("A clock, please")

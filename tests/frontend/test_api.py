"""What the pages do while the arena cannot be reached, and that they stop it once it can be, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, Route, expect

from arena.domain import errors
from arena.domain.terms import Opinion, Outcome

from .conftest import until
from .fake_api import FakeArena
from .fake_chats import MODELS
from .test_battle_page import BOX, ask, begin, load, ready
from .test_chat_page import begin as begin_chat

pytestmark = pytest.mark.resting

API = "**/api/v1/**"
QUESTION = "No connection to the arena. Keep this page open: your question will be sent when it is back."
VOTE = "No connection to the arena. Keep this page open: your vote will be sent when it is back."


def lose(page: Page) -> None:
    """Let nothing through to the API, while the pages themselves can be loaded: a proxy whose server is away."""
    page.route(API, lambda route: route.abort())


@dataclass
class Line:
    """The line between a page and the API."""

    is_lost: bool = False

    def carry(self, route: Route) -> None:
        route.abort() if self.is_lost else route.fallback()

    def lose_answer(self, route: Route) -> None:
        route.fetch()
        self.is_lost = True
        route.abort()


def arrive_unanswered(page: Page, path: str) -> Line:
    """Let what is sent there arrive, lose its answer, and everything from then on; returns the line, to be mended."""
    line = Line()
    page.route(path, line.lose_answer, times=1)
    page.route(API, line.carry)
    return line


def notice(page: Page, text: str) -> None:
    expect(page.locator("#notice-box")).to_have_text(text)


def gone(page: Page) -> None:
    expect(page.locator("#notice-box")).to_be_hidden()


def asks_before_closing(page: Page) -> bool:
    return not page.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def questions(fake: FakeArena) -> list[list[str]]:
    return [[turn.prompt for turn in battle.turns] for battle in fake.battles.values()]


def test_a_question_sent_while_offline_is_sent_once_when_the_line_is_back(page: Page, fake: FakeArena) -> None:
    begin(page)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    ask(page, "hold on")
    notice(page, QUESTION)
    expect(page.locator(BOX)).to_have_value("hold on")
    page.context.set_offline(False)
    ready(page)
    gone(page)
    expect(page.locator(BOX)).to_have_value("")
    assert questions(fake) == [["hold on"]]


def test_a_question_that_waits_for_the_line_survives_a_reload(page: Page, fake: FakeArena) -> None:
    begin(page)
    page.wait_for_load_state("networkidle")
    lose(page)
    ask(page, "first")
    notice(page, QUESTION)
    page.reload()
    notice(page, QUESTION)
    expect(page.locator(BOX)).to_have_value("first")
    page.unroute(API)
    ready(page)
    lose(page)
    ask(page, "second")
    notice(page, QUESTION)
    page.reload()
    expect(page.locator(BOX)).to_have_value("second")
    page.unroute(API)
    until(page, "document.querySelectorAll('#chat_a .a-answer').length === 2")
    ready(page)
    assert questions(fake) == [["first", "second"]]
    page.reload()
    ready(page)
    assert questions(fake) == [["first", "second"]]


@pytest.mark.parametrize("reload", [False, True])
def test_a_question_that_arrived_without_its_answer_coming_back_is_not_sent_again(
    page: Page, fake: FakeArena, *, reload: bool
) -> None:
    begin(page)
    for path, question in (("**/api/v1/battles", "first"), ("**/api/v1/battles/*/turns", "second")):
        line = arrive_unanswered(page, path)
        ask(page, question)
        notice(page, QUESTION)
        if reload:
            page.reload()
        line.is_lost = False
        until(page, f"document.querySelector('#chat_a')?.textContent.includes('{question}')")
        ready(page)
        gone(page)
    assert questions(fake) == [["first", "second"]]


@pytest.mark.alone
@pytest.mark.parametrize("path", [r"/api/v1/status$", r"/api/v1/battles/[\w-]+(\?.*)?$"])
def test_an_answer_that_never_comes_holds_up_no_question(page: Page, fake: FakeArena, path: str) -> None:
    """A device that has changed its network may wait for minutes for what it asked on the former one."""
    page.clock.install()
    begin(page)
    ask(page, "first")
    ready(page)
    line = arrive_unanswered(page, "**/api/v1/battles/*/turns")
    ask(page, "second")
    notice(page, QUESTION)
    asked = []
    page.route(re.compile(path), lambda route: asked.append(route), times=1)  # noqa: PLW0108 - Playwright marks what it is given
    line.is_lost = False
    for _ in range(40):
        page.clock.run_for(500)
        page.wait_for_timeout(20)
        if asked:
            break
    assert asked
    page.clock.run_for(9_000)
    notice(page, QUESTION)
    page.clock.run_for(4_000)
    until(page, "document.querySelector('#chat_a')?.textContent.includes('second')")
    ready(page)
    gone(page)
    assert questions(fake) == [["first", "second"]]


@pytest.mark.parametrize("reload", [False, True])
def test_a_vote_cast_while_offline_is_cast_once_when_the_line_is_back(
    page: Page, fake: FakeArena, *, reload: bool
) -> None:
    begin(page)
    ask(page)
    ready(page)
    lose(page)
    page.click("#vote_b")
    notice(page, VOTE)
    if reload:
        page.reload()
    page.unroute(API)
    expect(page.locator("#reveal-box")).to_contain_text("You chose B")
    gone(page)
    assert [vote[2] for vote in fake.votes] == [Outcome.B]
    page.reload()
    expect(page.locator("#reveal-box")).to_contain_text("You chose B")
    gone(page)


def test_a_page_with_an_unsent_vote_asks_before_it_is_closed_and_no_longer_calls_for_one(page: Page) -> None:
    begin(page)
    page.route("**/vote", lambda route: route.abort())
    ask(page, "hello")
    ready(page)
    expect(page.locator("#say")).to_have_text("Both answers are ready. You can vote now.")
    assert not asks_before_closing(page)
    page.click("#vote_a")
    notice(page, VOTE)
    expect(page.locator("#say")).to_be_empty()
    assert asks_before_closing(page)
    page.unroute("**/vote")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#reveal-box")).to_be_visible()
    assert not asks_before_closing(page)


def test_a_vote_that_arrived_without_its_answer_coming_back_is_not_cast_again(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    line = arrive_unanswered(page, "**/vote")
    page.click("#vote_tie")
    notice(page, VOTE)
    page.reload()
    line.is_lost = False
    expect(page.locator("#reveal-box")).to_contain_text("both are equally good")
    assert len(fake.votes) == 1


def test_questions_and_opinions_of_chats_wait_for_the_line_too(page: Page, fake: FakeArena) -> None:
    begin_chat(page, "/direct")
    page.select_option("#model_a", MODELS[1])
    lose(page)
    ask(page, "to one model")
    notice(page, QUESTION)
    page.reload()
    page.unroute(API)
    page.wait_for_selector("html[data-phase=ready]")
    lose(page)
    page.click("#vote_good")
    notice(page, VOTE)
    page.click("#vote_bad")
    page.unroute(API)
    expect(page.locator("#vote_bad")).to_have_attribute("aria-pressed", "true")
    gone(page)
    assert (questions(fake), list(fake.chats.values())) == ([["to one model"]], [[MODELS[1]]])
    assert list(fake.opinions.values()) == [Opinion.BAD]


def streams(*events: tuple[str, object]) -> Callable[[Route], None]:
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
    return lambda route: route.fulfill(content_type="text/event-stream", body=body)


def test_a_round_that_a_restart_ended_is_told_until_the_arena_answers_again(page: Page, fake: FakeArena) -> None:
    begin(page)
    page.wait_for_load_state("networkidle")
    lost = {"code": "shutting_down", "title": "The arena is restarting; please try again in a moment."}
    page.route("**/stream*", streams(("turn_failed", lost)))
    page.route("**/status", lambda route: route.fulfill(status=502, body="bad gateway"))
    ask(page, "keep me")
    notice(page, "The arena is restarting; please try again in a moment.")
    expect(page.locator(BOX)).to_have_value("keep me")
    page.unroute_all(behavior="wait")
    gone(page)


def test_the_notice_of_a_restart_goes_although_the_round_went_with_it(page: Page, fake: FakeArena) -> None:
    fake.paused = True
    begin(page)
    page.route("**/stream*", streams(("closing", {"retry_ms": 500})))
    ask(page)
    notice(page, "The arena is restarting. Your battle continues in a moment …")
    fake.battles.clear()
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator("#notice-box")).to_contain_text("This battle is no longer available. Start a new one.")


def test_a_restarted_arena_without_models_is_not_called_away(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    fake.endpoints = 0
    lose(page)
    page.click("#regenerate")
    notice(page, "No connection to the arena. Your text is safe.")
    page.unroute(API)
    gone(page)


def test_the_notice_of_being_offline_goes_although_the_page_missed_the_line_coming_back(page: Page) -> None:
    begin(page)
    page.evaluate("dispatchEvent(new Event('offline'))")
    notice(page, "You are offline. Your text is safe, and anything you send goes out once you are back online.")
    gone(page)


def test_a_page_that_is_looked_at_again_asks_at_once(page: Page) -> None:
    begin(page)
    page.evaluate("window.setTimeout = () => 0")  # as in a page that is hidden for long
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("#notice-box")).to_be_visible()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    gone(page)
    page.goto("about:blank")  # a page without timers is of no use to the next test


def test_a_wait_that_passed_while_the_page_was_hidden_has_passed(page: Page, fake: FakeArena) -> None:
    fake.refuse = errors.RateLimited(retry_after=60)
    begin(page)
    ask(page, "too soon")
    expect(page.locator("#notice-box")).to_contain_text("Try again in 60 s.")
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 3_600_000; }")
    gone(page)
    expect(page.locator("#send")).to_be_enabled()
    page.goto("about:blank")  # nor is one with a wrong clock


def test_what_the_operator_has_closed_is_said_at_first_and_has_no_countdown(page: Page, fake: FakeArena) -> None:
    fake.closed = ["battles"]
    load(page)
    notice = page.locator("#notice-box")
    expect(notice).to_have_text(re.compile("Battles are closed for now"))
    fake.refuse = errors.Closed(rule="battles")
    ask(page, "as things are")
    expect(notice).to_have_text(re.compile("Battles are closed for now"))
    expect(notice).not_to_contain_text("Try again in")
    expect(page.locator("#send")).to_be_enabled()
    expect(page.locator(BOX)).to_have_value("as things are")
    fake.refuse, fake.closed = None, []
    page.click("#send")
    ready(page)


def test_nobody_is_asked_to_agree_to_terms_while_battles_are_closed(page: Page, fake: FakeArena) -> None:
    fake.closed, fake.terms = ["battles"], 3
    load(page)
    ask(page, "the first question")
    expect(page.locator("#notice-box")).to_have_text(re.compile("Battles are closed for now"))
    expect(page.locator(".a-agree")).to_have_count(0)
    expect(page.locator(BOX)).to_have_value("the first question")
    fake.closed = []
    page.click("#send")
    expect(page.locator(".a-agree")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "part", "text"),
    [
        ("/", "voting", "Voting is closed for now"),
        ("/direct", "chats", "Chats are closed for now"),
        ("/side-by-side", "battles", ""),
    ],
)
def test_a_page_says_at_first_that_its_own_part_is_closed(
    page: Page, fake: FakeArena, path: str, part: str, text: str
) -> None:
    fake.closed = [part]
    page.goto(path)
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator("#notice-box")).to_contain_text(text)
    expect(page.locator("#notice-box")).to_be_visible(visible=bool(text))


def test_what_could_not_be_loaded_is_loaded_when_the_line_is_back(page: Page) -> None:
    lost = "The arena cannot be reached. Please check your connection."
    lose(page)
    page.goto("/annotate?evaluation=nothing")
    expect(page.locator("#main")).to_contain_text(lost)
    page.unroute(API)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#main")).not_to_contain_text(lost)
    expect(page.locator("#notice-box")).to_be_hidden()

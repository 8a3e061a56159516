"""The pages of chats with chosen models in a real browser, against the contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from arena.domain import errors
from arena.domain.terms import BattleState, Opinion, Side, TurnState

from .conftest import until
from .fake_api import FakeArena
from .fake_chats import MODELS
from .screens import SCREENS
from .test_battle_page import BOX, ask
from .test_battle_room import LONG


def begin(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_selector("html[data-phase=empty]")
    page.wait_for_selector("select:not([disabled])")


def ready(page: Page, vote: str) -> None:
    page.wait_for_selector("html[data-phase=ready]")
    expect(page.locator(f"#vote_{vote}")).to_be_enabled()


def test_two_chosen_models_answer_under_their_names_and_an_opinion_may_be_changed(page: Page, fake: FakeArena) -> None:
    fake.pace = 0.3
    begin(page, "/side-by-side")
    page.select_option("#model_a", MODELS[0])
    page.select_option("#model_b", MODELS[1])
    ask(page, "Who are you?")
    page.wait_for_selector("#chat_a .a-answer")
    expect(page.locator(".a-side-head[data-side=b] .a-side-name")).to_have_text(MODELS[1])
    page.reload()
    ready(page, "a")
    for side in Side:
        expect(page.locator(f"#chat_{side} .a-answer")).to_have_text(fake.answers[side].strip())
    expect(page.locator("#hint-text")).to_contain_text("not counted on the leaderboard")
    page.click("#vote_a")
    expect(page.locator("#vote_a")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#vote_both_bad")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#vote_a")).to_have_attribute("aria-pressed", "false")
    assert (list(fake.opinions.values()), fake.votes) == ([Opinion.BOTH_BAD], [])
    page.reload()
    expect(page.locator("#vote_both_bad")).to_have_attribute("aria-pressed", "true")
    ask(page, "And what do you do?")
    expect(page.locator("#chat_a .a-prompt")).to_have_count(2)
    expect(page.locator("#vote_both_bad")).to_have_attribute("aria-pressed", "false")
    ready(page, "a")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")
    assert [page.input_value(f"#model_{side}") for side in Side] == list(MODELS[:2])


def test_one_model_is_asked_alone_in_chinese_on_a_telephone(browser: Browser, address: str, fake: FakeArena) -> None:
    fake.terms, fake.pace = 1, 1.0  # slow enough to be stopped, however busy the machine is
    context = browser.new_context(locale="zh-CN", base_url=address, viewport=SCREENS["telephone"], has_touch=True)
    page = context.new_page()
    begin(page, f"/direct?model={MODELS[2]}")
    ask(page, "你好")
    page.click(".a-agree")
    page.wait_for_selector("#chat_a .a-answer")
    page.click("#stop")
    ready(page, "good")
    expect(page.locator("#side_a .a-side-name")).to_have_text(MODELS[2])
    expect(page.locator("#side_a .a-side-name")).to_be_visible()
    expect(page.locator("#side_b")).to_have_count(0)
    page.click("#vote_good")
    expect(page.locator("#vote_good")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#hint-text")).to_contain_text("提前停止")
    assert list(fake.chats.values()) == [[MODELS[2]]]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


def test_the_two_sides_are_never_the_same_model_and_only_active_ones_are_offered(page: Page) -> None:
    begin(page, "/side-by-side")
    first, second = (page.input_value(f"#model_{side}") for side in Side)
    assert first != second
    page.select_option("#model_a", second)
    assert [page.input_value(f"#model_{side}") for side in Side] == [second, first]
    assert page.locator("#model_a option").count() == len(MODELS)


def test_a_model_that_cannot_be_asked_is_named_and_another_may_be_chosen_at_once(page: Page, fake: FakeArena) -> None:
    begin(page, "/direct")
    page.select_option("#model_a", MODELS[0])
    fake.refuse = errors.ModelResting(name=MODELS[0], retry_after=60)
    ask(page, "Still there?")
    expect(page.locator("#notice-box")).to_contain_text(f"{MODELS[0]} is not available")
    expect(page.locator(BOX)).to_have_value("Still there?")
    expect(page.locator("#send")).to_be_disabled()
    fake.refuse = None
    page.select_option("#model_a", MODELS[1])
    expect(page.locator("#notice-box")).to_be_hidden()
    page.press(BOX, "Enter")
    ready(page, "bad")


def test_a_battle_and_the_chats_of_one_browser_do_not_mix(page: Page, fake: FakeArena) -> None:
    begin(page, "/direct")
    page.fill(BOX, "only for one")
    for path in ("/side-by-side", "/"):
        page.goto(path)
        page.wait_for_selector("html[data-phase=empty]")
        expect(page.locator(BOX)).to_have_value("")
    begin(page, "/direct")
    page.press(BOX, "Enter")
    ready(page, "good")
    page.goto("/side-by-side")
    page.wait_for_selector("html[data-phase=empty]")
    assert len(fake.battles) == 1


def test_a_chat_is_found_among_ones_own_and_may_be_forgotten(page: Page, fake: FakeArena) -> None:
    begin(page, "/direct")
    ask(page, "Where was I?")
    ready(page, "good")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")
    page.goto("/mine")
    expect(page.locator("#mine-chats .a-round")).to_contain_text(next(iter(fake.chats.values()))[0])
    page.click("#mine-chats [data-act=open]")
    ready(page, "good")
    expect(page.locator("#chat_a .a-prompt")).to_have_text("Where was I?")
    page.goto("/mine")
    page.click("#mine-forget summary")
    page.click("[data-act=forget]")
    expect(page.locator("#mine-chats .a-round")).to_have_count(0)


@pytest.mark.parametrize(
    ("path", "link", "models"),
    [
        ("/direct", f"/direct?model={MODELS[2]}", MODELS[2:]),
        ("/side-by-side", f"/?vs={MODELS[2]},{MODELS[0]}", [MODELS[2], MODELS[0]]),
    ],
)
def test_a_link_that_names_models_opens_them_beside_a_chat_that_goes_on(
    page: Page, fake: FakeArena, path: str, link: str, models: list[str]
) -> None:
    begin(page, path)
    for side, model in zip(Side, MODELS[: len(models)], strict=False):
        page.select_option(f"#model_{side}", model)
    ask(page, "the first")
    page.wait_for_selector("html[data-phase=ready]")
    begin(page, link)
    assert [page.input_value(f"#model_{side}") for side, _ in zip(Side, models, strict=False)] == [*models]
    page.click(f"#notice-box a[href='{path}']")
    page.wait_for_selector("html[data-phase=ready]")
    expect(page.locator("#chat_a .a-prompt")).to_have_text("the first")
    begin(page, link)
    ask(page, "the second")
    page.wait_for_selector("html[data-phase=ready]")
    assert list(fake.chats.values())[1:] == [[*models]]
    assert "model=" not in page.url
    page.reload()
    page.wait_for_selector("html[data-phase=ready]")
    expect(page.locator("#chat_a .a-prompt")).to_have_text("the second")
    page.goto("/mine")
    expect(page.locator("#mine-chats .a-round")).to_have_count(2)


def test_a_link_that_names_an_unknown_model_says_so_and_keeps_the_words(page: Page) -> None:
    begin(page, "/direct")
    page.fill(BOX, "my words")
    begin(page, "/direct?model=nobody")
    expect(page.locator("#notice-box")).to_contain_text("nobody is not available")
    expect(page.locator(BOX)).to_have_value("my words")
    assert page.input_value("#model_a") in MODELS


def test_a_question_that_waits_is_sent_beside_a_link_that_names_models(page: Page, fake: FakeArena) -> None:
    begin(page, f"/direct?model={MODELS[2]}")
    page.route("**/api/v1/**", lambda route: route.abort())
    ask(page, "once back")
    expect(page.locator("#notice-box")).to_contain_text("will be sent when it is back")
    page.unroute("**/api/v1/**")
    page.reload()
    ready(page, "good")
    assert list(fake.chats.values()) == [[MODELS[2]]]


@pytest.mark.parametrize("path", ["/", "/direct", "/side-by-side"])
def test_the_headline_above_the_box_is_one(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_selector("#prompt textarea")
    size = page.locator("#hero h1").evaluate("headline => parseFloat(getComputedStyle(headline).fontSize)")
    assert size >= 27


def test_a_chat_that_failed_offers_a_new_one_once(page: Page, fake: FakeArena) -> None:
    fake.fail_turn = True
    begin(page, "/direct")
    ask(page, "Who are you?")
    page.wait_for_selector("html[data-phase=void]")
    expect(page.get_by_role("button", name="New chat")).to_have_count(1)
    expect(page.locator("#send")).to_have_text("Send")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")


def test_side_by_side_the_model_that_failed_is_named_and_the_other_keeps_its_answer(
    page: Page, fake: FakeArena
) -> None:
    fake.fail_turn, fake.failed = True, (Side.A,)
    fake.answers = {Side.A: "", Side.B: "A sound answer. " * 12}
    begin(page, "/side-by-side")
    page.select_option("#model_a", MODELS[0])
    page.select_option("#model_b", MODELS[1])
    ask(page, "Who are you?")
    states = {side: page.locator(f"#head_{side} .a-side-state") for side in Side}
    for _ in range(2):
        page.wait_for_selector("html[data-phase=void]")
        expect(page.locator("#notice-box")).to_contain_text(f"{MODELS[0]} could not finish, so this chat has ended.")
        expect(states[Side.A]).to_have_text("No answer")
        expect(states[Side.B]).to_have_text("")
        expect(page.locator("#chat_b .a-answer")).to_contain_text("A sound answer.")
        page.reload()


def test_a_model_that_broke_off_is_marked_beside_the_words_it_has_written(page: Page, fake: FakeArena) -> None:
    fake.fail_turn, fake.failed = True, (Side.B,)
    begin(page, "/side-by-side")
    ask(page, "Who are you?")
    page.wait_for_selector("html[data-phase=void]")
    expect(page.locator("#head_b .a-side-state")).to_have_text("Not finished")
    expect(page.locator("#head_a .a-side-state")).to_have_text("")
    expect(page.locator("#chat_b .a-answer")).to_contain_text("Answer of side b.")


WHOLE = "prompt => prompt.scrollHeight <= prompt.clientHeight + 1 && getComputedStyle(prompt).maskImage === 'none'"


@pytest.mark.parametrize("path", ["/", "/side-by-side", "/direct"])
def test_on_a_telephone_a_failure_leaves_the_question_readable_and_says_who_gave_no_answer(
    page: Page, fake: FakeArena, path: str
) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    fake.answers = dict.fromkeys(Side, "")
    page.goto(path)
    page.wait_for_selector("select:not([disabled])" if path != "/" else "html[data-phase=empty]")
    ask(page, "What holds a bridge up?\nAnd what does it weigh?")
    page.wait_for_selector("html[data-phase=ready]")
    (battle,) = fake.battles.values()
    battle.state, battle.turns[-1].state = BattleState.VOID, TurnState.FAILED
    page.reload()
    page.wait_for_selector("html[data-phase=void]")
    assert page.locator("#chat_a .a-prompt").evaluate(WHOLE)
    for side in ("a", "b")[: 1 if path == "/direct" else 2]:
        if path != "/direct":
            page.click(f"#switch [data-side={side}]")
        expect(page.locator(f"#head_{side} .a-side-state")).to_have_text("No answer")
        expect(page.locator(f"#head_{side} .a-side-state")).to_be_in_viewport()


@contextmanager
def growing(browser: Browser, address: str, fake: FakeArena, path: str) -> Iterator[Page]:
    """A page on a telephone that follows a long answer."""
    fake.answers, fake.pace = dict.fromkeys(Side, LONG), 0.1
    with browser.new_context(base_url=address, viewport=SCREENS["telephone"], has_touch=True) as context:
        page = context.new_page()
        page.goto(path)
        page.wait_for_selector("select:not([disabled])" if path != "/" else "html[data-phase=empty]")
        ask(page)
        until(page, "scrollY > 200")
        yield page


PATHS = ("/", "/direct", "/side-by-side")
LEFT_OVER = """document.getElementById("dock").getBoundingClientRect().top
  - document.querySelector("#chat_a .a-answer").getBoundingClientRect().bottom"""


@pytest.mark.parametrize("path", PATHS)
def test_on_a_telephone_the_button_to_stop_stays_below_a_growing_answer(
    browser: Browser, address: str, fake: FakeArena, path: str
) -> None:
    with growing(browser, address, fake, path) as page:
        for _ in range(3):
            expect(page.locator("#stop")).to_be_in_viewport(ratio=1)
            assert page.evaluate(LEFT_OVER) > -40  # a line that has come since the last frame
            page.wait_for_timeout(150)
        page.evaluate("scrollTo(0, 0)")
        page.locator("#stop").tap()
        page.wait_for_selector("html[data-phase=ready]")
        assert page.evaluate("scrollY") == 0


def test_on_a_telephone_votes_take_no_tap_at_once_that_was_meant_for_the_button_before_them(
    browser: Browser, address: str, fake: FakeArena
) -> None:
    with growing(browser, address, fake, "/side-by-side") as page:
        page.evaluate("""() => void new MutationObserver(() => {
          if (document.documentElement.dataset.phase === "ready") setTimeout(() => {
            window.first ??= String(document.getElementById("vote_a").disabled);
          });
        }).observe(document.documentElement, { attributes: true })""")
        page.locator("#stop").tap()
        until(page, "window.first === 'true'")
        expect(page.locator("#vote_a")).to_be_enabled()


def touch(hand: CDPSession, kind: str, *heights: int) -> None:
    hand.send(
        "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": 190, "y": height} for height in heights]}
    )


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("step", [4, -4])
def test_the_page_stays_where_a_slow_finger_leaves_it(
    browser: Browser, address: str, fake: FakeArena, path: str, step: int
) -> None:
    with growing(browser, address, fake, path) as page:
        hand = page.context.new_cdp_session(page)
        page.evaluate("scrollBy(0, -8)")
        touch(hand, "touchStart", 400)
        for moved in range(10):
            touch(hand, "touchMove", 400 + step * moved)
            page.wait_for_timeout(60)
        touch(hand, "touchEnd")
        left_at = page.evaluate("scrollY")
        height = page.evaluate("document.documentElement.scrollHeight")
        until(page, f"document.documentElement.scrollHeight > {height} + 100")
        assert page.evaluate("scrollY") == left_at


@pytest.mark.parametrize("path", PATHS)
def test_the_page_goes_on_following_after_a_tap(browser: Browser, address: str, fake: FakeArena, path: str) -> None:
    with growing(browser, address, fake, path) as page:
        page.touchscreen.tap(190, 400)
        page.locator("#chat_a .a-answer :last-child").first.tap()
        at = page.evaluate("scrollY")
        until(page, f"scrollY > {at} + 100")

"""What the battle page keeps over reloads, tabs and hasty hands, in a real browser, against the contract."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arena.domain import errors
from arena.domain.terms import Outcome, Side

from .conftest import until
from .fake_api import NAMES, FakeArena
from .screens import SCREENS, speak
from .test_battle_page import BOX, ask, begin, load, ready

pytestmark = pytest.mark.resting


def asked(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("#chat_a .a-prompt").all_inner_texts()]


def test_each_tab_goes_on_with_its_own_battle_and_one_that_left_its_battle_takes_up_no_other(page: Page) -> None:
    begin(page)
    ask(page, "first tab")
    ready(page)
    page.click("#vote_tie")
    page.wait_for_selector("html[data-phase=voted]")
    other = page.context.new_page()
    other.goto("/")
    other.wait_for_selector("html[data-phase=voted]")
    other.click("#new_round")
    other.wait_for_selector("html[data-phase=empty]")
    other.reload()
    other.wait_for_selector("html[data-phase=empty]")
    ask(other, "second tab")
    ready(other)
    for tab, question in ((page, "first tab"), (other, "second tab")):
        tab.reload()
        tab.wait_for_selector("html[data-phase]:not([data-phase=empty])")
        expect(tab.locator("#chat_a .a-prompt")).to_have_text(question)


HIDE = "Object.defineProperty(document, 'hidden', { value: true, configurable: true })"
CHANGE = "document.dispatchEvent(new Event('visibilitychange'))"


def followed(page: Page, fake: FakeArena, tabs: int) -> None:
    """Wait until so many tabs follow a stream."""
    for _ in range(3_000):
        if fake.followers == tabs:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"{fake.followers} streams are open, not {tabs}")


def test_a_hidden_tab_holds_no_connection_and_goes_on_when_it_is_shown(page: Page, fake: FakeArena) -> None:
    fake.paused = True
    begin(page)
    ask(page)
    followed(page, fake, 1)
    page.evaluate(f"{HIDE}; {CHANGE}")
    followed(page, fake, 0)
    other = page.context.new_page()
    other.add_init_script(HIDE)
    streams: list[str] = []
    other.on("request", lambda request: streams.append(request.url) if "/stream" in request.url else None)
    other.goto("/")
    other.wait_for_selector("html[data-phase=running]")
    page.evaluate(f"delete document.hidden; {CHANGE}")
    followed(page, fake, 1)
    assert streams == []
    page.evaluate(f"{HIDE}; {CHANGE}")
    followed(page, fake, 0)
    other.evaluate(f"delete document.hidden; {CHANGE}")
    followed(page, fake, 1)
    for _ in range(100):  # what a tab sends is told a little later
        if not streams:
            other.wait_for_timeout(20)
    assert len(streams) == 1
    fake.paused = False
    ready(other)
    page.evaluate(f"delete document.hidden; {CHANGE}")
    ready(page)
    for tab in (page, other):
        expect(tab.locator("#chat_a .a-answer")).to_have_text(fake.answers[Side.A].strip())


def test_a_draft_survives_a_reload_and_the_switch_of_language_and_is_gone_once_sent(page: Page) -> None:
    begin(page)
    page.fill(BOX, "half a thou")
    page.reload()
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator(BOX)).to_have_value("half a thou")
    page.evaluate("document.querySelector('.a-langs a[hreflang=zh-CN]').click()")
    page.wait_for_selector("html[lang=zh-CN][data-phase=empty]")
    expect(page.locator(BOX)).to_have_value("half a thou")
    page.press(BOX, "Enter")
    ready(page)
    page.reload()
    ready(page)
    expect(page.locator(BOX)).to_have_value("")


def test_asking_again_is_offered_three_times(page: Page, fake: FakeArena) -> None:
    fake.answers = dict.fromkeys(Side, "short")
    begin(page)
    ask(page)
    for _ in range(3):
        ready(page)
        with page.expect_response("**/regenerate"):
            page.click("#regenerate")
    ready(page)
    expect(page.locator("#regenerate")).to_be_hidden()
    page.reload()
    ready(page)
    expect(page.locator("#regenerate")).to_be_hidden()


def test_a_long_question_of_a_failed_round_is_shown_once_and_hinted_at_in_the_columns(
    page: Page, fake: FakeArena
) -> None:
    fake.fail_turn = True
    question = "a long question " * 200
    begin(page)
    ask(page, question)
    page.wait_for_selector("html[data-phase=void]")
    expect(page.locator(BOX)).to_have_value(question.strip())
    for side in Side:
        box = page.locator(f"#chat_{side} .a-prompt").bounding_box()
        assert box
        assert box["height"] < 90


def test_the_whole_conversation_is_asked_again_of_a_new_pair(page: Page, fake: FakeArena) -> None:
    begin(page)
    for question in ("first", "second", "third"):
        ask(page, question)
        ready(page)
    page.click("#vote_tie")
    expect(page.locator("#same_prompt")).to_have_text("Same questions, new pair")
    page.click("#same_prompt")
    until(page, "document.querySelectorAll('#chat_a .a-prompt').length === 3")
    ready(page)
    assert [[turn.prompt for turn in battle.turns] for battle in fake.battles.values()] == [
        ["first", "second", "third"]
    ] * 2
    assert asked(page) == ["first", "second", "third"]


def test_a_double_click_on_a_vote_marks_no_text_and_presses_nothing_else(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    box = page.locator("#vote_tie").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    # On a busy machine the second press may come later than a hand's.
    page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")
    page.mouse.click(x, y)
    page.wait_for_selector("#reveal-box .a-card")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    assert page.evaluate("getSelection().toString()") == ""
    for name in ("same_prompt", "new_round"):
        page.evaluate(
            "(id) => document.getElementById(id).dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 2}))",
            name,
        )
    page.wait_for_timeout(300)
    assert (fake.opened, len(fake.votes)) == (1, 1)
    expect(page.locator("html")).to_have_attribute("data-phase", "voted")


def test_a_telephone_marks_the_answer_that_has_not_been_looked_at(page: Page, fake: FakeArena) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    ready(page)
    marks = {side: page.locator(f"#switch button[data-side={side}] .a-unread") for side in Side}
    expect(marks[Side.A]).to_be_hidden()
    expect(marks[Side.B]).to_have_text("new")
    expect(marks[Side.B]).to_be_visible()
    page.click("#switch button[data-side=b]")
    expect(marks[Side.B]).to_be_hidden()
    page.click("#switch button[data-side=a]")
    fake.fail_turn = True
    ask(page, "and now?")
    page.wait_for_selector("html[data-phase=void]")
    for mark in marks.values():
        expect(mark).to_be_hidden()


def test_the_mark_of_an_answer_that_has_not_been_looked_at_survives_a_reload(page: Page, fake: FakeArena) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    ready(page)
    marks = {side: page.locator(f"#switch button[data-side={side}] .a-unread") for side in Side}
    for is_new in (True, False):
        page.reload()
        ready(page)
        expect(marks[Side.B]).to_be_visible(visible=is_new)
        expect(marks[Side.A]).to_be_hidden()
        page.click("#switch button[data-side=b]")
        expect(marks[Side.B]).to_be_hidden()
    page.click("#switch button[data-side=a]")
    ask(page, "and now?")
    page.wait_for_selector("html[data-phase=running]")
    ready(page)
    expect(marks[Side.B]).to_be_visible()
    page.reload()
    ready(page)
    expect(marks[Side.B]).to_be_visible()


@pytest.mark.parametrize(("owner", "chinese"), [("Arena demo", "竞技场演示"), ("unknown", "未具名的所有者")])
def test_owners_that_are_no_people_have_a_name_in_every_language(
    page: Page, monkeypatch: pytest.MonkeyPatch, owner: str, chinese: str
) -> None:
    monkeypatch.setattr("tests.frontend.fake_api.OWNERS", dict.fromkeys(Side, owner))
    speak(page, "zh-CN")
    load(page)
    ask(page)
    ready(page)
    page.click("#vote_a")
    expect(page.locator("#reveal-box")).to_contain_text(NAMES[Side.A])
    expect(page.locator("#reveal-box")).to_contain_text(chinese)
    expect(page.locator("#reveal-box")).not_to_contain_text(owner)


def test_a_question_that_cannot_go_to_a_new_pair_just_now_is_in_the_box(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page, "the same once more")
    ready(page)
    page.click("#vote_tie")
    page.wait_for_selector("#reveal-box .a-card")
    fake.refuse = errors.Busy(retry_after=30)
    page.click("#same_prompt")
    expect(page.locator("#notice-box")).to_contain_text("Try again in")
    expect(page.locator(BOX)).to_have_value("the same once more")
    expect(page.locator("#reveal-box")).to_be_visible()


SWITCHED = "#switch button[data-side={}][aria-pressed=true]"
UNSEEN = {
    "en": "You have not seen answer B yet. Look at it, then vote.",
    "zh": "你还没看过回答 B，看完再投票。",
    "zh-TW": "你還沒看過回答 B，看完再投票。",
}


@pytest.mark.parametrize("language", UNSEEN)
def test_a_tap_on_a_vote_shows_the_answer_that_was_never_in_sight_and_the_next_one_votes(
    page: Page, fake: FakeArena, language: str
) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    speak(page, language)
    load(page)
    ask(page)
    ready(page)
    hint = page.locator("#hint-text")
    expect(hint).to_have_text(UNSEEN[language])
    page.click("#vote_a")
    page.wait_for_selector(SWITCHED.format("b"))
    expect(hint).not_to_have_text(UNSEEN[language])
    assert fake.votes == []
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    assert [outcome for *_, outcome in fake.votes] == [Outcome.A]


def test_an_answer_that_was_turned_to_before_its_first_word_has_not_been_seen(page: Page, fake: FakeArena) -> None:
    fake.first_wait = 2
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    page.wait_for_selector("#switch button[data-side=b][data-state=waiting]")
    expect(page.locator("#switch button[data-side=a] .a-unread")).to_be_hidden()
    page.click("#switch button[data-side=b]")
    page.wait_for_selector(SWITCHED.format("b"))
    page.click("#switch button[data-side=a]")
    page.wait_for_selector(SWITCHED.format("a"))
    ready(page)
    expect(page.locator("#hint-text")).to_have_text(UNSEEN["en"])


def test_after_a_reload_the_other_answer_is_shown_before_a_vote(page: Page, fake: FakeArena) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    ready(page)
    page.reload()
    ready(page)
    expect(page.locator("#hint-text")).to_have_text(UNSEEN["en"])
    page.click("#vote_tie")
    page.wait_for_selector(SWITCHED.format("b"))
    assert fake.votes == []


@pytest.mark.parametrize("keys", ["Alt+ArrowRight", "Enter"])
def test_keys_and_screen_readers_vote_at_once_on_a_phone_too(page: Page, fake: FakeArena, keys: str) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    ready(page)
    page.focus("#vote_b")
    page.keyboard.press(keys)
    page.wait_for_selector("#reveal-box .a-card")
    assert [outcome for *_, outcome in fake.votes] == [Outcome.B]


def test_both_answers_have_been_in_sight_where_a_window_was_wide(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    expect(page.locator("#hint-text")).to_contain_text("Read both")
    page.set_viewport_size(SCREENS["telephone"])
    expect(page.locator("#hint-text")).to_contain_text("Read both")
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    assert len(fake.votes) == 1

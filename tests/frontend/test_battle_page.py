"""The battle page in a real browser, against the contract."""

from __future__ import annotations

import re
from http import HTTPStatus

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from arena.domain import errors
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import BattleState, Outcome, Side, TurnState
from arena_frontend.texts import texts

from .conftest import until
from .fake_api import NAMES, FakeArena
from .resting import load_once
from .screens import SCREENS, speak

pytestmark = pytest.mark.resting

BOX = "#prompt textarea"
VOTES = ("a", "tie", "both_bad", "b")


def ask(page: Page, text: str = "Which is better?") -> None:
    page.fill(BOX, text)
    page.press(BOX, "Enter")


def begin(page: Page) -> None:
    """Be at the start of a round, where a page that rested is already."""
    load_once(page, lambda: load(page))


def load(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector("html[data-phase=empty]")


def ready(page: Page) -> None:
    page.wait_for_selector("html[data-phase=ready]")
    expect(page.locator("#vote_a")).to_be_enabled()


def answer(page: Page, side: str) -> str:
    return page.locator(f"#chat_{side} .a-answer").last.inner_text().strip()


def test_a_person_asks_reads_votes_and_learns_the_names(page: Page, fake: FakeArena) -> None:
    fake.paused = True
    begin(page)
    ask(page)
    page.wait_for_selector("html[data-phase=running]")
    for outcome in VOTES:
        expect(page.locator(f"#vote_{outcome}")).to_be_disabled()
    expect(page.locator(BOX)).to_have_value("")
    fake.paused = False
    ready(page)
    for side in Side:
        # The last piece is painted up to a tenth of a second after the page knows that it is the last.
        expect(page.locator(f"#chat_{side} .a-answer").last).to_have_text(fake.answers[side].strip())
    shown = page.content()
    assert not any(name in shown for name in NAMES.values())
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    assert [page.locator(f".a-side-head[data-side={s}] .a-side-name").inner_text() for s in Side] == list(
        NAMES.values()
    )
    expect(page.locator("#reveal-box")).to_contain_text("You chose A, Quiet Heron")
    expect(page.locator("#reveal-box")).to_contain_text("Counted. The leaderboard changes within half a minute.")
    assert [vote[2] for vote in fake.votes] == [Outcome.A]
    assert fake.votes[0][1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_after_ten_silent_seconds_the_page_says_that_one_still_thinks_and_never_which(
    page: Page, fake: FakeArena, language: str
) -> None:
    fake.first_wait, fake.pace = 4.0, 10.0
    soon = "const wait = setTimeout; window.setTimeout = (act, pause) => wait(act, pause === 10_000 ? 100 : pause);"
    page.add_init_script(soon)
    page.goto(f"/?lang={language}")
    page.wait_for_selector("html[data-phase=empty]")
    ask(page)
    words, hint = texts(language), page.locator("#hint-text")
    expect(hint).to_have_text(words["vote.hint.slow"])
    expect(page.locator("#chat_a .a-answer").last).to_contain_text("Answer of")
    expect(hint).to_have_text(words["vote.hint.running"])


def test_enter_sends_but_not_while_an_input_method_composes_and_shift_enter_is_a_new_line(
    page: Page, fake: FakeArena
) -> None:
    fake.paused = True
    begin(page)
    page.fill(BOX, "nihao")
    page.dispatch_event(BOX, "keydown", {"key": "Enter", "isComposing": True, "bubbles": True, "cancelable": True})
    page.press(BOX, "Shift+Enter")
    page.locator(BOX).press_sequentially("two")
    page.wait_for_timeout(200)
    assert page.input_value(BOX) == "nihao\ntwo"
    assert fake.opened == 0
    page.press(BOX, "Enter")
    page.wait_for_selector("html[data-phase=running]")
    assert next(iter(fake.battles.values())).turns[0].prompt == "nihao\ntwo"


def test_alt_and_an_arrow_votes(page: Page, fake: FakeArena) -> None:
    keys = {"ArrowLeft": "a", "ArrowRight": "b", "ArrowUp": "tie", "ArrowDown": "both_bad"}
    fake.paused = True
    begin(page)
    for number, key in enumerate(keys):
        ask(page)
        page.wait_for_selector("html[data-phase=running]")
        page.keyboard.press("Alt+ArrowUp")
        fake.paused = False
        ready(page)
        assert len(fake.votes) == number
        page.keyboard.press(f"Alt+{key}")
        page.wait_for_selector("html[data-phase=voted]")
        fake.paused = True
        page.click("#new_round")
    assert [vote[2] for vote in fake.votes] == list(keys.values())


def test_a_question_is_shown_as_it_was_typed(page: Page) -> None:
    typed = "# 2 * 3 * 4 <b>x</b>\n    indented  twice `$a$` ![x](y)\n1. _one_"
    begin(page)
    ask(page, typed)
    ready(page)
    shown = page.locator("#chat_a .a-prompt").inner_text().strip()
    assert shown.replace("\u00a0", " ") == typed


def test_an_empty_question_and_one_that_is_too_long_are_not_sent_and_say_why(page: Page, fake: FakeArena) -> None:
    begin(page)
    page.press(BOX, "Enter")
    expect(page.locator("#notice-box")).to_contain_text("Please type a question first.")
    page.press(BOX, "a")
    expect(page.locator("#notice-box")).to_be_hidden()
    page.fill(BOX, "字" * 11_500)
    expect(page.locator("#count")).to_contain_text("11,500 of 12,000")
    page.fill(BOX, "😀" * 12_001)
    expect(page.locator("#count")).to_contain_text("Over the limit of 12,000 characters by 1;")
    expect(page.locator("#send")).to_be_disabled()
    page.fill(BOX, "😀" * 12_000)
    expect(page.locator("#send")).to_be_enabled()
    assert fake.opened == 0


def test_a_phone_says_why_a_question_that_is_too_long_cannot_be_sent(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 780})
    begin(page)
    expect(page.locator("#count .a-keys")).to_be_hidden()
    page.fill(BOX, "字" * 12_001)
    expect(page.locator("#count .a-keys")).to_contain_text("Over the limit of 12,000 characters by 1;")
    expect(page.locator("#count .a-keys")).to_be_in_viewport()


def test_an_answer_that_had_ended_before_the_stop_is_not_called_stopped(page: Page, fake: FakeArena) -> None:
    fake.pace = 0.3
    fake.answers = {Side.A: "whole", Side.B: "word " * 400}
    begin(page)
    ask(page)
    expect(page.locator("#head_a .a-side-state")).to_have_text("Finished")
    page.click("#stop")
    ready(page)
    expect(page.locator("#head_b .a-side-state")).to_have_text("Stopped")
    expect(page.locator("#head_a .a-side-state")).not_to_have_text("Stopped")


def test_a_conversation_goes_on_with_the_same_pair_and_shows_every_turn(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page, "first question")
    ready(page)
    fake.paused = True
    ask(page, "second question")
    page.wait_for_selector("html[data-phase=running]")
    expect(page.locator("#vote_a")).to_be_disabled()
    fake.paused = False
    ready(page)
    assert fake.opened == 1
    for side in Side:
        asked = page.locator(f"#chat_{side} .a-prompt").all_inner_texts()
        assert [text.strip() for text in asked] == ["first question", "second question"]
        expect(page.locator(f"#chat_{side} .a-answer")).to_have_count(2)


def test_a_vote_on_answers_that_another_tab_has_replaced_waits_until_the_new_ones_are_read(
    page: Page, fake: FakeArena
) -> None:
    begin(page)
    ask(page)
    ready(page)
    (battle,) = fake.battles.values()
    turn = battle.turns[-1]
    turn.generation += 1
    turn.events = [("delta", {"side": side, "text": f"Newer {side}"}) for side in Side]
    page.click("#vote_a")
    expect(page.locator("#chat_b .a-answer").last).to_have_text("Newer b")
    expect(page.locator("body")).to_contain_text(texts("en")["error.answers_changed"])
    assert not fake.votes
    ready(page)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    assert len(fake.votes) == 1


def test_a_reload_tells_a_stop_apart_from_a_failure_of_the_models(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    (battle,) = fake.battles.values()
    for failure, key in (("stopped_early", "notice.stopped_early"), ("answer_failed", "notice.failed")):
        battle.state, battle.turns[-1].state = BattleState.VOID, TurnState.FAILED
        battle.turns[-1].failure = failure
        page.reload()
        expect(page.locator("body")).to_contain_text(texts("en")[key])


def test_a_reload_in_mid_battle_goes_on_with_it_and_after_the_vote_shows_the_names(page: Page, fake: FakeArena) -> None:
    fake.paused = True
    begin(page)
    ask(page)
    page.wait_for_selector("#chat_a .a-answer")
    page.reload()
    page.wait_for_selector("html[data-phase=running]")
    fake.paused = False
    ready(page)
    expect(page.locator("#chat_a .a-answer").last).to_have_text(fake.answers[Side.A].strip())
    page.click("#vote_tie")
    page.wait_for_selector("#reveal-box .a-card")
    page.reload()
    page.wait_for_selector("#reveal-box .a-card")
    expect(page.locator("#reveal-box")).to_contain_text("both are equally good")
    assert answer(page, "b") == fake.answers[Side.B].strip()
    assert len(fake.votes) == 1


def test_a_second_tab_shows_the_same_battle_and_a_second_vote_shows_the_first(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    other = page.context.new_page()
    other.goto("/")
    ready(other)
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    other.click("#vote_a")
    expect(other.locator("#reveal-box")).to_contain_text("You chose B, Loud Magpie")
    expect(other.locator("#notice-box")).to_contain_text("You have already voted")
    assert [vote[2] for vote in fake.votes] == [Outcome.B]


def test_two_hasty_votes_are_one(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    page.evaluate("document.getElementById('vote_a').click(); document.getElementById('vote_b').click()")
    page.wait_for_selector("#reveal-box .a-card")
    assert [vote[2] for vote in fake.votes] == [Outcome.A]


def test_a_failed_round_says_so_neutrally_and_keeps_the_question(page: Page, fake: FakeArena) -> None:
    fake.fail_turn = True
    begin(page)
    ask(page, "keep me")
    page.wait_for_selector("html[data-phase=void]")
    expect(page.locator("#notice-box")).to_contain_text("answers could not be finished, so this battle does not count")
    expect(page.locator(BOX)).to_have_value("keep me")
    expect(page.locator("#votes")).to_be_hidden()
    fake.fail_turn = False
    page.press(BOX, "Enter")
    ready(page)
    assert fake.opened == 2


def test_a_refusal_is_told_in_words_and_the_question_stays(page: Page, fake: FakeArena) -> None:
    fake.refuse = errors.RateLimited(retry_after=7)
    begin(page)
    ask(page, "hello")
    expect(page.locator("#notice-box")).to_contain_text("Too many requests. Try again in 7 s.")
    expect(page.locator(BOX)).to_have_value("hello")
    page.wait_for_selector("html[data-phase=empty]")
    page.click("[data-act=dismiss]")
    expect(page.locator("#notice-box")).to_be_hidden()


def test_too_few_models_are_announced(page: Page, fake: FakeArena) -> None:
    fake.endpoints = 1
    page.goto("/")
    expect(page.locator("#notice-box")).to_contain_text("Not enough models")


def test_stopping_leaves_both_answers_where_they_are_and_says_that_the_vote_will_not_count(
    page: Page, fake: FakeArena
) -> None:
    fake.pace = 0.3
    fake.answers = dict.fromkeys(Side, "word " * 400)
    begin(page)
    ask(page)
    page.wait_for_selector("#chat_a .a-answer")
    page.click("#stop")
    ready(page)
    expect(page.locator("#hint")).to_contain_text("will not count")
    expect(page.locator("#say")).to_contain_text("will not count")
    page.reload()
    ready(page)
    expect(page.locator("#hint")).to_contain_text("will not count")
    expect(page.locator("#head_a .a-side-state")).to_have_text("Stopped")
    fake.answers = dict.fromkeys(Side, "whole")
    ask(page, "go on")
    expect(page.locator("#chat_a")).to_contain_text("whole")
    ready(page)
    expect(page.locator("#head_a .a-side-state")).not_to_have_text("Stopped")
    expect(page.locator("#hint")).to_contain_text("will not count")
    page.click("#vote_both_bad")
    expect(page.locator("#reveal-box")).to_contain_text("the answers were stopped before the end")


def test_regenerating_asks_both_again(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    fake.answers = {Side.A: "another left", Side.B: "another right"}
    fake.paused = True
    page.click("#regenerate")
    page.wait_for_selector("html[data-phase=running]")
    fake.paused = False
    ready(page)
    for side, text in fake.answers.items():
        expect(page.locator(f"#chat_{side} .a-answer").last).to_have_text(text)
    assert fake.opened == 1


def test_skipping_is_recorded_and_gives_the_question_back_to_be_asked_or_typed_over(
    page: Page, fake: FakeArena
) -> None:
    begin(page)
    ask(page, "a question to keep")
    ready(page)
    page.click("#skip")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator(BOX)).to_be_focused()
    expect(page.locator(BOX)).to_have_value("a question to keep")
    until(page, "document.querySelectorAll('#chat_a :is(.a-prompt, .a-answer)').length === 0")
    assert fake.skipped == list(fake.battles)
    page.keyboard.press("Enter")
    ready(page)
    assert [battle.turns[0].prompt for battle in fake.battles.values()] == ["a question to keep"] * 2
    page.click("#skip")
    page.wait_for_selector("html[data-phase=empty]")
    page.keyboard.type("Another")
    expect(page.locator(BOX)).to_have_value("Another")


def converse(page: Page, *questions: str) -> None:
    for count, question in enumerate(questions, start=1):
        ask(page, question)
        expect(page.locator("#chat_a .a-prompt")).to_have_count(count)
        ready(page)


def asked(fake: FakeArena) -> list[list[str]]:
    return [[turn.prompt for turn in battle.turns] for battle in fake.battles.values()]


def expect_asked(page: Page, fake: FakeArena, *questions: str) -> None:
    """The newest battle has these questions, and all of them are answered."""
    expect(page.locator("#chat_a .a-prompt")).to_have_count(len(questions))
    ready(page)
    assert asked(fake)[-1] == list(questions)
    expect(page.locator(BOX)).to_have_value("")


def test_after_a_follow_up_has_failed_the_page_says_what_a_new_question_begins_and_offers_all_again(
    page: Page, fake: FakeArena
) -> None:
    begin(page)
    converse(page, "Which river is longest?")
    fake.fail_turn = True
    ask(page, "And why?")
    page.wait_for_selector("html[data-phase=void]")
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["notice.back.last"])
    expect(page.locator(BOX)).to_have_value("And why?")
    page.click("#same_prompt")
    expect(page.locator("html[data-phase=starting], html[data-phase=running]")).to_have_count(1)
    page.wait_for_selector("html[data-phase=void]")
    fake.fail_turn = False
    expect(page.locator("#same_prompt")).to_have_text("Same questions, new pair")
    page.click("#same_prompt")
    expect_asked(page, fake, "Which river is longest?", "And why?")


def test_a_question_that_failed_alone_is_sent_again_by_the_box_alone(page: Page, fake: FakeArena) -> None:
    fake.fail_turn = True
    begin(page)
    ask(page)
    page.wait_for_selector("html[data-phase=void]")
    expect(page.locator("#same_prompt")).to_be_hidden()


@pytest.mark.parametrize("typed", ["", "a third one"])
def test_skipping_a_conversation_says_which_question_is_back_and_offers_all_again(
    page: Page, fake: FakeArena, typed: str
) -> None:
    begin(page)
    converse(page, "Which river is longest?", "And why?")
    page.fill(BOX, typed)
    page.click("#skip")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator(BOX)).to_have_value(typed or "Which river is longest?")
    told = texts("en")["notice.skipped" if typed else "notice.skipped.first"]
    expect(page.locator("#notice-box")).to_contain_text(told)
    page.get_by_role("button", name="Same questions, new pair").click()
    if not typed:
        expect_asked(page, fake, "Which river is longest?", "And why?")
        return
    expect(page.locator("#chat_a .a-prompt")).to_have_count(2)
    expect(page.locator(BOX)).to_have_value(typed)


def test_skipping_leaves_what_is_typed_in_the_box(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page)
    ready(page)
    page.fill(BOX, "a follow-up")
    page.click("#skip")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator(BOX)).to_have_value("a follow-up")
    expect(page.locator("#say")).to_have_text("Skipped: this battle does not count.")


def test_a_line_for_screen_readers_goes_with_the_battle_that_it_spoke_of(page: Page, fake: FakeArena) -> None:
    begin(page)
    converse(page, "Which river is longest?", "And why?")
    expect(page.locator("#say")).to_have_text("Both answers are ready. You can vote now.")
    page.click("#skip")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator("#say")).to_be_empty()
    ask(page)
    ready(page)
    page.click("#vote_tie")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator("#say")).to_be_empty()


def test_after_the_vote_the_same_question_goes_to_a_new_pair_or_a_new_one_starts(page: Page, fake: FakeArena) -> None:
    begin(page)
    ask(page, "once more")
    ready(page)
    page.click("#vote_tie")
    page.click("#same_prompt")
    ready(page)
    assert [battle.turns[0].prompt for battle in fake.battles.values()] == ["once more", "once more"]
    page.click("#vote_tie")
    page.click("#new_round")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator(BOX)).to_have_value("")
    assert fake.skipped == []


def test_an_idea_fills_the_box(page: Page) -> None:
    load(page)
    idea = page.locator(".a-idea").first
    text = idea.get_attribute("data-prompt")
    idea.click()
    expect(page.locator(BOX)).to_have_value(text or "nothing")
    page.click("[data-act=ideas]")
    expect(page.locator(".a-idea").first).not_to_have_attribute("data-prompt", text or "nothing")
    page.get_by_role("button", name="Calculation", exact=True).click()
    expect(page.locator(".a-idea strong")).to_have_text(["Calculation"] * 3)


def test_other_ideas_come_from_public_sets_of_questions_too(page: Page, fake: FakeArena) -> None:
    fake.sets["lenses"] = [
        QuestionView(id=str(number), turns=[f"Lens {number}?"], category=kind)
        for number, kind in enumerate(("Optics", "calculation"))
    ]
    load(page)
    expect(page.locator("#idea-kinds button")).to_have_count(11)
    page.click("[data-act=ideas]")
    page.click("#idea-kinds >> text=Optics")
    expect(page.locator(".a-idea span")).to_have_text(["Lens 0?"])
    page.click("#idea-kinds >> text=Calculation")
    expect(page.locator(".a-idea strong")).to_have_text(["Calculation"] * 4)
    expect(page.locator("#idea-list")).to_contain_text("Lens 1?")


def test_ideas_about_safety_are_offered_only_where_real_models_answer(page: Page, fake: FakeArena) -> None:
    chip = page.get_by_role("button", name="Safety", exact=True)
    load(page)
    page.click("[data-act=ideas]")
    expect(chip).to_be_visible()
    chip.click()
    expect(page.locator(".a-idea strong")).to_have_text(["Safety"] * 3)
    fake.practice = True
    load(page)
    expect(page.locator("#practice-line")).to_be_visible()
    expect(chip).to_be_hidden()
    expect(page.locator(".a-idea")).to_have_count(2)
    for _ in range(10):
        assert "Safety" not in page.locator(".a-idea strong").all_inner_texts()
        page.click("[data-act=ideas]")


def test_a_dropped_stream_reconnects_by_itself(page: Page, fake: FakeArena) -> None:
    fake.pace = 0.15
    begin(page)
    ask(page)
    page.wait_for_selector("#chat_a .a-answer")
    page.context.set_offline(True)
    page.wait_for_timeout(500)
    page.context.set_offline(False)
    ready(page)
    expect(page.locator("#chat_a .a-answer").last).to_have_text(fake.answers[Side.A].strip())


@pytest.mark.parametrize("change", ["regenerate", "turns"])
def test_a_stream_that_reconnects_to_other_answers_shows_none_of_the_old_ones(
    page: Page, fake: FakeArena, address: str, change: str
) -> None:
    fake.paused = True
    fake.answers = {side: f"Old answer of {side}." for side in Side}
    begin(page)
    ask(page)
    expect(page.locator("#chat_b .a-answer")).to_have_text("Old answer of b.")
    fake.answers = {side: f"New answer of {side}." for side in Side}
    (battle,) = fake.battles
    httpx2.post(f"{address}/api/v1/battles/{battle}/{change}", json={"prompt": "And then?"}).raise_for_status()
    fake.cuts += 1
    expect(page.locator("#chat_b .a-answer").last).to_have_text("New answer of b.")
    if change == "turns":
        expect(page.locator("#chat_b .a-prompt").last).to_contain_text("And then?")
    else:
        expect(page.locator("#chat_b")).not_to_contain_text("Old answer")
    fake.paused = False
    ready(page)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")


@pytest.mark.parametrize("status", [HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.BAD_GATEWAY])
def test_a_proxy_that_refuses_a_reload_does_not_make_the_page_forget_its_battle(
    page: Page, fake: FakeArena, status: HTTPStatus
) -> None:
    begin(page)
    ask(page)
    ready(page)
    (battle,) = fake.battles
    path, body = f"**/api/v1/battles/{battle}*", "{}" if status == HTTPStatus.TOO_MANY_REQUESTS else "<h1>proxy</h1>"
    page.route(path, lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    page.reload()
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["notice.reconnecting"])
    page.unroute(path)
    ready(page)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")
    assert fake.opened == 1


def test_readers_hear_that_answers_are_ready_and_not_every_token(page: Page) -> None:
    begin(page)
    ask(page)
    ready(page)
    expect(page.locator("#say")).to_have_text("Both answers are ready. You can vote now.")
    assert page.locator("#chat_a[role=log]").get_attribute("aria-live") == "off"


def test_a_telephone_needs_no_sideways_scrolling_and_turns_between_the_answers(page: Page) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    speak(page, "zh-CN")
    wide = "document.documentElement.scrollWidth > innerWidth"
    load(page)
    assert not page.evaluate(wide)
    ask(page)
    ready(page)
    assert not page.evaluate(wide)
    box = page.locator("#vote_b").bounding_box()
    assert box
    assert box["height"] >= 44
    assert box["y"] + box["height"] < 844
    page.click("#switch button[data-side=b]")
    expect(page.locator("#switch button[data-side=b]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#chat_b")).to_be_in_viewport(ratio=0.9)
    page.click("#vote_b")
    page.wait_for_selector("#reveal-box .a-card")
    assert not page.evaluate(wide)


def test_an_answer_that_grows_while_a_reader_turns_to_the_other_does_not_turn_back(page: Page) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    ready(page)
    expect(page.locator("#chat_b .a-answer")).to_have_count(1)
    turn = """() => {
      const snapping = () => getComputedStyle(document.getElementById("pair")).scrollSnapType;
      const before = snapping();
      document.querySelector("#switch [data-side=b]").click();
      return [before, snapping()];
    }"""
    assert page.evaluate(turn) == ["x mandatory", "none"]
    page.wait_for_selector("#pair[data-facing=b]:not([style*=none])")
    expect(page.locator("#chat_b")).to_be_in_viewport(ratio=0.9)


def test_the_switch_marks_the_answer_in_view_when_the_window_gets_another_width(page: Page) -> None:
    page.set_viewport_size(SCREENS["telephone"])
    begin(page)
    ask(page)
    ready(page)
    page.click("#switch button[data-side=b]")
    marked = page.locator("#switch button[data-side=b]")
    expect(marked).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.querySelector('#pair').style.width = '300px'")
    expect(page.locator("#chat_b")).to_be_in_viewport(ratio=0.8)
    expect(marked).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.querySelector('#pair').dataset.facing = 'a'")  # as after a move that no event told of
    marked.click()
    expect(page.locator("#pair")).to_have_attribute("data-facing", "b")


def test_the_language_follows_the_browser_and_the_switch_keeps_the_battle(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="zh-CN", base_url=address)
    page = context.new_page()
    begin(page)
    expect(page.locator("h1")).to_have_text("两个回答，隐去姓名，由你评判")
    assert page.title().startswith("对战竞技场")
    page.evaluate("document.querySelectorAll('#idea-list, .a-langs > div').forEach((part) => part.remove())")
    visible = page.locator("body").inner_text()
    assert set(re.findall(r"[A-Za-z]{2,}", visible)) <= {"Enter", "Shift", "Gradio"}
    ask(page)
    ready(page)
    page.goto("/?lang=en")
    page.wait_for_selector("html[lang=en][data-phase=ready]")
    expect(page.locator("#vote_a")).to_contain_text("A is better")
    assert "lang=" not in page.url
    page.goto("/about")
    expect(page.locator("h1")).to_have_text("How the arena works")
    context.close()


def test_appearance_follows_the_system_and_the_switch(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    load(page)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.click("[data-act=theme]")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    page.reload()
    page.wait_for_selector("html[data-phase=empty][data-theme=light]")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")


def test_no_page_asks_another_host_for_anything(page: Page, fake: FakeArena, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/leaderboard", "/about"):
        page.goto(path)
        page.wait_for_selector("#foot")
        page.wait_for_timeout(300)
    assert asked
    assert [url for url in asked if not url.startswith((address, "data:"))] == []
    assert [url for url in asked if "gradio_api" in url] == []

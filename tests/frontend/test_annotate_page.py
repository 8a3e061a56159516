"""The annotation page in a real browser: by keys alone, blind, and harmless whatever a model answers."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from arena.evaluations.domain.schemas.evaluation_reports import (
    ComparedModelView,
    EvaluationDetailView,
    EvaluationReportView,
)
from arena.evaluations.domain.schemas.evaluations import ItemView

from .fake_api import FakeArena

COLOUR = "(button) => getComputedStyle(button).color"
HOSTILE = "<img src=x onerror=alert(1)> **bold** [link](https://evil.example)"


def items(number: int, sides: int = 2) -> list[ItemView]:
    return [
        ItemView(
            number=n,
            form="",
            prompts=[f"Question {n}?", "And then?"],
            reference="forty-two",
            answers=[[f"Answer {n}{side}", HOSTILE] for side in "ab"[:sides]],
        )
        for n in range(1, number + 1)
    ]


def begin(page: Page, fake: FakeArena, number: int = 3, sides: int = 2) -> None:
    fake.annotating.items = items(number, sides)
    page.goto("/annotate#secret")
    expect(page.locator("#chat_a")).to_contain_text("Answer 1a")


def test_items_are_judged_by_keys_and_the_last_answer_is_taken_back(page: Page, fake: FakeArena) -> None:
    fake.annotating.undo_seconds = 600
    begin(page, fake)
    expect(page.locator("#chat_b")).to_contain_text("Answer 1b")
    expect(page.locator("#annotate-reference")).to_contain_text("forty-two")
    order = page.locator("#chat_a, #annotate-reference, #judge").evaluate_all("parts => parts.map(({ id }) => id)")
    assert order == ["chat_a", "annotate-reference", "judge"]  # the question, which is in the column, is read first
    expect(page.locator("#pair img, #pair a[href]")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.locator("#judge")).to_contain_text("Saved")
    page.keyboard.press("Backspace")
    expect(page.locator("#judge [data-outcome=both_bad]")).to_be_visible()
    page.keyboard.press("3")
    expect(page.locator("#judge")).to_contain_text("Saved")
    page.keyboard.press("Enter")
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#judge")).to_contain_text("Saved")
    page.keyboard.press("Enter")
    expect(page.locator("#chat_a")).to_contain_text("Answer 3a")
    page.keyboard.press("s")
    expect(page.locator("#judge")).to_contain_text("Saved")
    page.keyboard.press("Enter")
    expect(page.locator("#annotate-lead")).to_contain_text("All 3 done")
    said = [fake.annotating.said[number]["outcome"] for number in (1, 2, 3)]
    assert (said, fake.annotating.undone) == (["both_bad", "b", "skip"], 1)


def test_a_choice_without_a_connection_is_marked_kept_and_sent_by_itself(page: Page, fake: FakeArena) -> None:
    begin(page, fake)
    page.context.set_offline(True)
    page.keyboard.press("4")
    expect(page.locator("#judge [data-outcome=b]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#judge")).to_contain_text("Your choice is kept in this page")
    page.keyboard.press("1")
    page.context.set_offline(False)
    expect(page.locator("#judge")).to_contain_text("Saved")
    assert fake.annotating.said[1]["outcome"] == "b"


def test_no_other_choice_can_be_made_while_one_waits_for_the_connection(page: Page, fake: FakeArena) -> None:
    begin(page, fake)
    enabled = page.locator("#judge button:enabled")
    expect(enabled).to_have_count(5)
    colour = page.locator("#judge [data-outcome=both_bad]").evaluate(COLOUR)
    page.context.set_offline(True)
    page.locator("#judge [data-outcome=a]").click()
    expect(page.locator("#judge")).to_contain_text("Until then you cannot change it")
    expect(enabled).to_have_count(1)
    expect(enabled).to_have_attribute("data-outcome", "a")
    assert page.locator("#judge [data-outcome=both_bad]").evaluate(COLOUR) != colour
    page.context.set_offline(False)
    expect(page.locator("#judge")).to_contain_text("Saved: A is better")
    page.keyboard.press("Backspace")
    expect(enabled).to_have_count(5)


def test_no_points_can_be_changed_while_they_wait_for_the_connection(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 1, sides=1)
    page.context.set_offline(True)
    for key in ("3", "2", "3", "1", "3", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#judge")).to_contain_text("Your choice is kept in this page")
    expect(page.locator("#judge :is(button, input):enabled")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator("#judge")).to_contain_text("Saved: Accuracy 3")
    assert fake.annotating.said[1]["logic"] == 1


def test_a_choice_that_waited_and_is_refused_can_be_changed(page: Page, fake: FakeArena) -> None:
    begin(page, fake)
    page.context.set_offline(True)
    page.keyboard.press("1")
    expect(page.locator("#judge")).to_contain_text("Your choice is kept in this page")
    refusal = {"code": "internal"}
    page.route("**/annotate/*/items/1", lambda route: route.fulfill(status=500, json=refusal))
    page.context.set_offline(False)
    expect(page.locator("#judge [role=alert]")).to_be_visible()
    expect(page.locator("#judge button:enabled")).to_have_count(5)


def test_an_evaluation_that_closes_while_somebody_judges_says_so_and_takes_the_answers_away(
    page: Page, fake: FakeArena
) -> None:
    begin(page, fake)
    fake.annotating.closed = True
    page.keyboard.press("1")
    lead = page.locator("#annotate-lead")
    expect(lead).to_contain_text("Your last judgement was not saved. This evaluation is closed.")
    expect(page.locator("#pair:visible, #judge:visible, #annotate-progress:visible")).to_have_count(0)
    expect(page.locator("#annotate-guide")).to_be_empty()
    page.reload()
    expect(lead).to_contain_text("The report is not published yet")
    expect(lead).not_to_contain_text("not saved")
    expect(lead.get_by_role("link")).to_have_count(0)
    address = "/evaluations?name=taste%20%26%20style"
    fake.annotating.published = True
    page.reload()
    expect(lead).to_contain_text("The report names the models.")
    expect(lead.get_by_role("link", name="Read the report")).to_have_attribute("href", address)


def test_a_choice_that_is_sent_after_the_evaluation_has_closed_is_said_to_be_lost(page: Page, fake: FakeArena) -> None:
    begin(page, fake)
    page.context.set_offline(True)
    page.keyboard.press("4")
    expect(page.locator("#judge")).to_contain_text("Your choice is kept in this page")
    fake.annotating.closed = True
    page.context.set_offline(False)
    expect(page.locator("#annotate-lead")).to_contain_text(
        "Your last judgement was not saved. This evaluation is closed."
    )


def test_an_item_that_another_device_has_judged_is_named_and_the_next_one_comes(page: Page, fake: FakeArena) -> None:
    begin(page, fake)
    fake.annotating.said[1] = {"outcome": "b"}
    page.keyboard.press("1")
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    told = page.locator("#judge [role=alert]")
    expect(told).to_contain_text("The previous item was already judged on another device")
    expect(told).to_contain_text("Your choice for it here was not saved.")
    expect(page.locator("#annotate-lead")).to_contain_text("1 done, 2 to go")
    page.keyboard.press("3")
    expect(page.locator("#judge")).to_contain_text("Saved: Both are bad")
    fake.annotating.said[3] = {"outcome": "b"}
    page.keyboard.press("Enter")
    expect(page.locator("#chat_a")).to_contain_text("Answer 3a")
    page.keyboard.press("4")
    lead = page.locator("#annotate-lead")
    expect(lead).to_contain_text("The previous item was already judged on another device or in another window")
    expect(lead).to_contain_text("the same result. All 3 done")
    assert [fake.annotating.said[number]["outcome"] for number in (1, 2, 3)] == ["b", "both_bad", "b"]


def test_what_became_of_the_item_before_is_gone_with_the_next_choice(page: Page, fake: FakeArena) -> None:
    begin(page, fake)
    fake.annotating.said[1] = {"outcome": "b"}
    page.keyboard.press("1")
    told = page.locator("#judge [role=alert]")
    expect(told).to_contain_text("The previous item")
    page.context.set_offline(True)
    page.keyboard.press("4")
    expect(page.locator("#judge")).to_contain_text("Your choice is kept in this page")
    expect(told).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator("#judge")).to_contain_text("Saved")


def test_what_became_of_the_item_before_is_gone_with_the_first_point(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 2, sides=1)
    fake.annotating.said[1] = {"accuracy": 1}
    for key in ("3", "3", "3", "3", "3", "Enter"):
        page.keyboard.press(key)
    told = page.locator("#judge [role=alert]")
    expect(told).to_contain_text("The previous item")
    page.keyboard.press("2")
    expect(told).to_have_count(0)


def test_a_choice_that_was_kept_but_whose_answer_was_lost_is_saved_and_can_be_undone(
    page: Page, fake: FakeArena
) -> None:
    fake.annotating.undo_seconds = 600
    begin(page, fake)
    lost = []

    def lose(route: Route) -> None:
        if not lost and route.request.method == "PUT":
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route("**/annotate/*/items/1", lose)
    page.keyboard.press("1")
    expect(page.locator("#judge")).to_contain_text("Saved: A is better")
    assert lost == [204]
    page.keyboard.press("Backspace")
    expect(page.locator("#judge [aria-pressed=true]")).to_have_text(re.compile("A is better"))
    assert fake.annotating.said == {}


def test_without_a_connection_the_page_says_for_how_long_a_choice_can_be_undone_later(
    page: Page, fake: FakeArena
) -> None:
    begin(page, fake)
    page.route("**/api/v1/**", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator("#judge-offline")).to_contain_text("after that, Undo takes it back for 3 seconds.")


def test_a_judgement_that_could_not_be_undone_is_said_to_stay(page: Page, fake: FakeArena) -> None:
    fake.annotating.undo_seconds = 600
    begin(page, fake)
    page.keyboard.press("1")
    expect(page.locator("#judge")).to_contain_text("Saved")
    fake.annotating.too_late = True
    page.keyboard.press("Backspace")
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    expect(page.locator("#judge [role=alert]")).to_have_text("Your last judgement could not be undone; it stays.")
    expect(page.locator("#annotate-lead")).to_contain_text("1 done, 2 to go")


def test_the_count_follows_what_is_saved_and_what_is_undone_at_once(page: Page, fake: FakeArena) -> None:
    fake.annotating.undo_seconds = 600
    begin(page, fake)
    lead, progress = page.locator("#annotate-lead"), page.locator("#annotate-progress")
    for number in (1, 2):
        for done, key, text in ((number, "1", "Saved"), (number - 1, "Backspace", "Keys:"), (number, "3", "Saved")):
            page.keyboard.press(key)
            expect(page.locator("#judge")).to_contain_text(text)
            expect(lead).to_contain_text(f"{done} done, {3 - done} to go")
            expect(progress).to_have_attribute("value", str(done))
        page.keyboard.press("Enter")
        expect(page.locator("#chat_a")).to_contain_text(f"Answer {number + 1}a")
        expect(lead).to_contain_text(f"{number} done, {3 - number} to go")


def test_points_that_are_chosen_outlast_a_reload_and_another_language_until_they_are_saved(
    page: Page, fake: FakeArena
) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 2, sides=1)
    for digit in "3213":
        page.keyboard.press(digit)
    chosen = "inputs => inputs.map(({ name, value }) => `${name} ${value}`)"
    four = ["accuracy 3", "informativeness 2", "fluency 1", "logic 3"]
    checked = page.locator("#judge :checked")
    page.reload()
    expect(checked).to_have_count(4)
    page.locator(".a-langs").evaluate("menu => menu.open = true")
    page.click(".a-langs a[lang='zh-Hans'], .a-langs a[href*='lang=zh']:not([href*='TW'])")
    expect(page.locator("html")).to_have_attribute("lang", re.compile("zh"))
    expect(checked).to_have_count(4)
    assert checked.evaluate_all(chosen) == four
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator("#judge")).to_contain_text("已保存")
    page.keyboard.press("Enter")
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    expect(checked).to_have_count(0)
    page.reload()
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    expect(checked).to_have_count(0)
    assert page.evaluate("sessionStorage.getItem('arena_judgement')") is None


def test_points_are_shown_for_no_other_item_and_no_other_link_and_backspace_drops_them(
    page: Page, fake: FakeArena
) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 1, sides=1)
    checked = page.locator("#judge :checked")
    page.keyboard.press("3")
    expect(checked).to_have_count(1)
    fake.annotating.items = [item.model_copy(update={"prompts": ["Another?"]}) for item in items(1, 1)]
    page.reload()
    expect(page.locator("#chat_a")).to_contain_text("Another?")
    expect(checked).to_have_count(0)
    page.keyboard.press("3")
    page.goto("/annotate?evaluation=taste")
    expect(page.locator("#chat_a")).to_contain_text("Another?")
    expect(checked).to_have_count(0)
    page.keyboard.press("2")
    page.reload()
    expect(checked).to_have_count(1)
    page.keyboard.press("Backspace")
    expect(checked).to_have_count(0)
    page.reload()
    expect(page.locator("#chat_a")).to_contain_text("Another?")
    expect(checked).to_have_count(0)


def test_one_answer_is_scored_by_digits_line_after_line(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 1, sides=1)
    expect(page.locator("#side_b")).to_be_hidden()
    for digit in "32313":
        page.keyboard.press(digit)
    expect(page.locator("#judge button:not([data-act])")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator("#judge")).to_contain_text("Saved")
    said = {"accuracy": 3, "informativeness": 2, "fluency": 3, "logic": 1, "harmlessness": 3}
    assert fake.annotating.said == {1: said}


@pytest.mark.parametrize(("keys", "points"), [("10", 10), ("35", 5), ("102", 2), ("11", 1), ("01", 1)])
def test_where_there_is_one_line_a_later_digit_replaces_the_points_until_they_are_saved(
    page: Page, fake: FakeArena, keys: str, points: int
) -> None:
    fake.annotating.protocol, fake.annotating.undo_seconds = "score", 600
    begin(page, fake, 1, sides=1)
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("#judge")).to_contain_text(f"Saved: Score {points}")
    page.keyboard.press("3")
    page.keyboard.press("Backspace")
    expect(page.locator("#judge :checked")).to_have_attribute("value", str(points))
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator("#judge")).to_contain_text("Saved: Score 4")
    assert list(fake.annotating.said[1].values()) == [4]


def test_a_digit_beyond_the_last_of_several_lines_changes_none(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 1, sides=1)
    for digit in "323131":
        page.keyboard.press(digit)
    page.keyboard.press("Enter")
    expect(page.locator("#judge")).to_contain_text("Logic 1 · Harmlessness 3")


def test_save_looks_asleep_until_every_line_is_scored(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 1, sides=1)
    save = page.locator("#judge form > button")
    asleep = save.evaluate(COLOUR)
    for digit in "33333":
        page.keyboard.press(digit)
    expect(save).to_be_enabled()
    assert save.evaluate(COLOUR) != asleep


def test_a_short_answer_is_in_sight_above_five_lines_on_a_small_laptop(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(page, fake, 1, sides=1)
    assert page.locator("#judge .a-scales").evaluate("(form) => form.scrollHeight <= form.clientHeight")
    assert page.locator("#judge-box").evaluate("(box) => box.offsetHeight <= 0.38 * innerHeight")


IN_SIGHT = """(part) => {
  const { left, right, top, bottom } = part.getBoundingClientRect();
  const at = (y) => document.elementFromPoint((left + right) / 2, y);
  return part.contains(at(top + 3)) && part.contains(at(bottom - 3));
}"""


def test_on_a_phone_the_next_scale_and_the_button_to_save_are_in_sight_and_keys_are_not_named(
    browser: Browser, address: str, fake: FakeArena
) -> None:
    fake.annotating.protocol = "stars"
    context = browser.new_context(
        base_url=address, locale="en-US", viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    begin(page, fake, 1, sides=1)
    save, scales = page.locator("#judge form > button"), page.locator("#judge fieldset")
    for number in range(5):
        assert save.evaluate(IN_SIGHT)
        assert scales.nth(number).evaluate(IN_SIGHT)
        scales.nth(number).locator("label").last.tap()
    expect(save).to_be_enabled()
    expect(page.locator("#judge")).not_to_contain_text("Keys:", use_inner_text=True)
    assert page.evaluate("document.elementFromPoint(innerWidth / 2, innerHeight - 3).id") == "judge-box"
    save.tap()
    expect(page.locator("#judge")).to_contain_text("Saved")
    context.close()


ANSWER_ROOM = """() => {
  const [bar, box] = ["bar", "judge-box"].map((id) => document.getElementById(id).offsetHeight);
  return 1 - (bar + box) / innerHeight;
}"""


@pytest.mark.parametrize("height", [640, 780])
def test_five_scales_on_a_phone_leave_half_of_the_height_to_the_answer(
    browser: Browser, address: str, fake: FakeArena, height: int
) -> None:
    fake.annotating.protocol = "stars"
    context = browser.new_context(
        base_url=address, locale="en-US", viewport={"width": 390, "height": height}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    begin(page, fake, 1, sides=1)
    for _ in range(5):
        assert page.evaluate(ANSWER_ROOM) >= 0.5
        page.locator("#judge [data-next] label").last.tap()
    assert page.evaluate(ANSWER_ROOM) >= 0.5
    context.close()


@pytest.mark.parametrize("height", [640, 700, 844])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_all_five_scales_on_a_phone_are_in_sight_and_each_has_its_own_room(
    browser: Browser, address: str, fake: FakeArena, height: int, locale: str
) -> None:
    fake.annotating.protocol, fake.annotating.undo_seconds = "stars", 600
    context = browser.new_context(
        base_url=address, locale=locale, viewport={"width": 390, "height": height}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    begin(page, fake, 2, sides=1)
    assert page.evaluate("scrollY") == 0
    assert page.locator("h1").evaluate(IN_SIGHT)
    scales = page.locator("#judge .a-scales")
    for _ in range(5):
        assert scales.evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight")
        assert page.locator("#judge fieldset b").evaluate_all(f"names => names.every({IN_SIGHT})")
        assert page.locator("#judge label").evaluate_all("all => all.every((one) => one.offsetHeight >= 28)")
        page.locator("#judge [data-next] label").last.tap()
    page.locator("#judge form > button").tap()
    page.locator("#judge [data-act=go-on]").tap()
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    assert page.locator("#annotate-progress").evaluate(IN_SIGHT.replace("+ 3", "+ 1").replace("- 3", "- 1"))
    context.close()


LOW = [(375, 560), (844, 390), (1024, 700)]


@pytest.mark.parametrize(("width", "height"), LOW)
def test_on_a_low_phone_the_answer_comes_first_and_all_scales_and_the_button_to_save_below_it(
    browser: Browser, address: str, fake: FakeArena, width: int, height: int
) -> None:
    fake.annotating.protocol, fake.annotating.undo_seconds = "stars", 600
    context = browser.new_context(
        base_url=address, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    begin(page, fake, 2, sides=1)
    assert page.locator("#chat_a .a-prompt").first.evaluate(IN_SIGHT)
    scales, save = page.locator("#judge .a-scales"), page.locator("#judge form > button")
    assert scales.evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight")
    assert page.locator("#judge-box").evaluate("(box) => getComputedStyle(box).position") == "static"
    for number in range(5):
        page.locator("#judge fieldset").nth(number).locator("label").last.tap()
    assert save.evaluate(IN_SIGHT)
    save.tap()
    expect(page.locator("#judge [role=status]")).to_be_in_viewport()
    page.locator("#judge [data-act=go-on]").tap()
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    assert page.locator("#chat_a .a-prompt").first.evaluate(IN_SIGHT)
    context.close()


@pytest.mark.parametrize("locale", ["en-US", "zh-TW"])
def test_on_a_turned_phone_both_answers_begin_above_the_choice_of_the_first_item_and_of_the_next(
    browser: Browser, address: str, fake: FakeArena, locale: str
) -> None:
    fake.annotating.undo_seconds = 600
    context = browser.new_context(
        base_url=address, locale=locale, viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    begin(page, fake, 2)
    for number in (1, 2):
        for side in "ab":
            answer = page.get_by_text(f"Answer {number}{side}")
            expect(answer).to_be_visible()
            assert answer.evaluate(IN_SIGHT)
        page.locator("#judge [data-outcome=a]").tap()
        page.locator("#judge [data-act=go-on]").tap()
    context.close()


UNSEEN = {
    "en-US": "You have not seen answer B yet. Look at it, then judge.",
    "zh-CN": "你还没看过回答 B，看完再评判。",
    "zh-TW": "你還沒看過回答 B，看完再評判。",
}


TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def phone(browser: Browser, address: str, fake: FakeArena, locale: str = "en-US") -> Page:
    """A phone whose screen ends within the first answer of a pair."""
    fake.annotating.undo_seconds = 600
    fake.annotating.items = items(2)
    for item in fake.annotating.items:
        item.answers[0][0] += "\n\nanother line" * 40
    context = browser.new_context(
        base_url=address, locale=locale, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("/annotate#secret")
    expect(page.locator("#chat_a")).to_contain_text("Answer 1a")
    return page


@pytest.mark.parametrize("locale", UNSEEN)
def test_a_tap_shows_the_answer_that_was_never_in_sight_and_the_next_one_judges(
    browser: Browser, address: str, fake: FakeArena, locale: str
) -> None:
    page = phone(browser, address, fake, locale)
    for number in (1, 2):
        expect(page.get_by_text(f"Answer {number}b")).not_to_be_in_viewport()
        page.locator("#judge [data-outcome=a]").tap()
        expect(page.locator("#judge [role=alert]")).to_have_text(UNSEEN[locale])
        assert page.get_by_text(f"Answer {number}b").evaluate(IN_SIGHT)
        assert number not in fake.annotating.said
        page.wait_for_timeout(700)  # longer than a double tap
        page.locator("#judge [data-outcome=a]").tap()
        page.locator("#judge [data-act=undo]").tap()
        page.locator("#judge [data-outcome=both_bad]").tap()
        page.locator("#judge [data-act=go-on]").tap()
    expect(page.locator("#judge")).to_be_hidden()
    assert [fake.annotating.said[number]["outcome"] for number in (1, 2)] == ["both_bad", "both_bad"]
    page.context.close()


def test_a_double_tap_or_a_key_that_is_held_down_does_not_judge_an_answer_that_was_never_in_sight(
    browser: Browser, address: str, fake: FakeArena
) -> None:
    page = phone(browser, address, fake)
    page.locator("#judge [data-outcome=a]").dblclick()
    told = page.locator("#judge [role=alert]")
    expect(told).to_have_text(UNSEEN["en-US"])
    page.reload()
    expect(page.locator("#chat_a")).to_contain_text("Answer 1a")
    expect(told).to_have_count(0)
    page.keyboard.down("1")
    page.keyboard.down("1")
    expect(told).to_have_text(UNSEEN["en-US"])
    assert fake.annotating.said == {}
    page.context.close()


def test_on_a_phone_an_answer_that_was_scrolled_to_is_judged_at_once_and_any_pair_can_be_skipped(
    browser: Browser, address: str, fake: FakeArena
) -> None:
    page = phone(browser, address, fake)
    page.locator("#judge [data-outcome=skip]").tap()
    page.locator("#judge [data-act=undo]").tap()
    expect(page.locator("#judge [data-outcome=skip]")).to_have_attribute("aria-pressed", "true")
    page.get_by_text("Answer 1b").evaluate("(answer) => answer.scrollIntoView({ block: 'center' })")
    page.evaluate(TWO_FRAMES)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#judge [data-outcome=b]").tap()
    expect(page.locator("#judge")).to_contain_text("Saved: B is better")
    page.context.close()


@pytest.mark.parametrize(("width", "height"), LOW)
def test_on_a_low_phone_it_is_seen_above_the_next_item_that_the_one_before_was_not_saved(
    browser: Browser, address: str, fake: FakeArena, width: int, height: int
) -> None:
    fake.annotating.protocol = "stars"
    context = browser.new_context(
        base_url=address, locale="en-US", viewport={"width": width, "height": height}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    begin(page, fake, 2, sides=1)
    fake.annotating.said[1] = {"accuracy": 1}
    page.locator("#judge [data-outcome=skip]").tap()
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    assert page.locator("#judge [role=alert]").evaluate(IN_SIGHT)
    assert page.locator("#chat_a .a-prompt").first.evaluate(IN_SIGHT)
    page.locator("#judge label").first.tap()
    expect(page.locator("#judge [role=alert]")).to_have_count(0)
    context.close()


def test_no_scale_is_folded_away_in_a_narrow_window_of_a_computer(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    page.set_viewport_size({"width": 390, "height": 844})
    begin(page, fake, 1, sides=1)
    assert page.locator("#judge .a-scales").evaluate("(all) => all.scrollHeight <= all.clientHeight")


def test_a_reference_begins_in_the_line_of_its_name(page: Page, fake: FakeArena) -> None:
    begin(page, fake, 1, sides=1)
    name, value = page.locator("#annotate-reference b"), page.locator("#annotate-reference p")
    top = "(part) => part.getBoundingClientRect().top"
    assert abs(name.evaluate(top) - value.evaluate(top)) < 4


APART = """() => {
  const [name, text, ...points] = document.querySelectorAll("#judge fieldset > :is(b, small), #judge fieldset label");
  const box = document.querySelector("#judge .a-scales").getBoundingClientRect();
  const boxes = [name, text, ...points].map((part) => part.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const clear = boxes.every((a, n) => boxes.slice(n + 1).every((b) => !meet(a, b)));
  const within = ({ left, right, bottom }) => left >= box.left && right <= box.right && bottom <= box.bottom;
  const inside = boxes.every(within);
  return [points.length, clear, inside, boxes[1].width > 120];
}"""


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_all_ten_points_of_a_score_are_in_sight_and_cover_nothing(page: Page, fake: FakeArena, width: int) -> None:
    fake.annotating.protocol = "score"
    page.set_viewport_size({"width": width, "height": 780})
    begin(page, fake, 1, sides=1)
    assert page.evaluate(APART) == [10, True, True, True]


def test_undo_gives_back_the_points_and_the_bar_says_them(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol, fake.annotating.undo_seconds = "stars", 600
    begin(page, fake, 1, sides=1)
    for digit in "32313":
        page.keyboard.press(digit)
    page.keyboard.press("Enter")
    expect(page.locator("#judge")).to_contain_text(
        "Saved: Accuracy 3 · Informativeness 2 · Fluency 3 · Logic 1 · Harmlessness 3"
    )
    page.keyboard.press("Backspace")
    expect(page.locator("#judge :checked")).to_have_count(5)
    page.locator("#judge [name=logic][value='2']").check()
    page.keyboard.press("Enter")
    expect(page.locator("#judge")).to_contain_text("Logic 2")
    assert fake.annotating.said[1]["logic"] == 2


def test_the_bar_says_the_choice_between_two_and_undo_marks_it(page: Page, fake: FakeArena) -> None:
    fake.annotating.undo_seconds = 600
    begin(page, fake, 1)
    page.keyboard.press("3")
    expect(page.locator("#judge")).to_contain_text("Saved: Both are bad")
    page.keyboard.press("Backspace")
    expect(page.locator("#judge [aria-pressed=true]")).to_have_text(re.compile("Both are bad"))


def test_only_scales_up_to_ten_name_the_key_of_ten(page: Page, fake: FakeArena) -> None:
    fake.annotating.protocol = "stars"
    begin(page, fake, 1, sides=1)
    expect(page.locator("#judge")).to_contain_text("Keys: a digit for each line, Backspace")


def test_a_wrong_link_and_none_are_told_apart(page: Page, fake: FakeArena) -> None:
    page.goto("/annotate#wrong")
    expect(page.locator("#annotate-lead")).to_contain_text("This link is not valid")
    page.goto("/annotate")
    expect(page.locator("#annotate-lead")).to_contain_text("You need a personal link")
    expect(page.locator("#annotate-lead").get_by_role("link")).to_have_attribute("href", "/evaluations")
    expect(page.locator("#annotate-progress")).to_be_hidden()


@pytest.mark.parametrize(
    ("facts", "place", "text"),
    [
        ({}, "#secret", "others have all the items. If some come back, your link leads you to them."),
        ({"reviewer": True}, "#secret", "No item waits for a reviewer now."),
        ({}, "?evaluation=taste", "others have all the items, perhaps somebody in your network."),
    ],
)
def test_whoever_gets_no_item_is_told_so_and_thanked_for_nothing(
    page: Page, fake: FakeArena, facts: dict[str, Any], place: str, text: str
) -> None:
    for name, value in facts.items():
        setattr(fake.annotating, name, value)
    fake.annotating.records = [record()]
    page.goto(f"/annotate{place}")
    expect(page.locator("#annotate-lead")).to_contain_text(text)
    expect(page.locator("#annotate-progress")).to_be_hidden()


def test_one_of_the_public_is_told_of_this_browser_and_of_no_link(page: Page, fake: FakeArena) -> None:
    fake.annotating.records = [record()]
    fake.annotating.items = items(2)
    page.goto("/annotate?evaluation=taste")
    lead = page.locator("#annotate-lead")
    expect(lead).to_have_text("0 done, 2 to go. Stop whenever you like: this browser brings you back here.")
    fake.annotating.said = {1: {"outcome": "a"}, 2: {"outcome": "a"}}
    page.reload()
    expect(lead).to_contain_text("All 2 done. Thank you!")
    expect(lead).to_contain_text("this page leads to it")
    fake.annotating.withheld = 7
    page.reload()
    expect(lead).to_have_text(
        "2 done, which is all for one day. Thank you! This browser brings you back here tomorrow."
    )
    page.goto("/annotate#secret")
    fake.annotating.said = {}
    page.reload()
    expect(lead).to_contain_text("your link brings you back here, on any device")


def record(**fields) -> EvaluationDetailView:
    facts = {"protocol": "pairwise", "questions": 3, "items": 3, "annotations": 9, "needed": 9, "public": True}
    facts |= {"design": "balanced", "per_item": 3, "overlap": 0, "repeats": 0.02, "done": 9}
    facts |= {"least_consistency": 0.6, "least_right": None}
    made = datetime(2026, 11, 1, tzinfo=UTC)
    plain = {"name": "taste", "state": "open", "digest": None, "created_at": made, "closed_at": None, **facts}
    return EvaluationDetailView(**{**plain, "models": [], "report": None, **fields})


def test_evaluations_are_listed_joined_and_read(page: Page, fake: FakeArena) -> None:
    numbers = dict.fromkeys(ComparedModelView.model_fields, 1)
    row = ComparedModelView(**{**numbers, "name": HOSTILE})
    lists: dict[str, Any] = {name: [] for name in ("pairs", "criteria", "totals", "agreement", "areas", "annotators")}
    report = EvaluationReportView(name="closed", protocol="pairwise", annotations=9, skipped=0, board=[row], **lists)
    fake.annotating.records = [record(), record(name="closed", state="closed", digest="d" * 64, report=report)]
    fake.annotating.items = items(1)
    page.goto("/about")
    page.goto("/evaluations")
    expect(page.locator(".a-eval-list h2")).to_have_text(["taste", "closed"])
    page.click(".a-eval-list a >> text=closed")
    expect(page.locator(".a-eval-how dd")).to_have_text(
        [
            "round-robin rounds in turn",
            "3",
            "none: an item comes again after 20 others at the earliest",
            "Annotators with a self-consistency below 60%: the share of their most frequent answer to repeated items.",
        ]
    )
    expect(page.locator(".a-eval td").first).to_have_text(HOSTILE)
    expect(page.locator(".a-eval th").nth(4)).to_have_text("Bradley-Terry")
    expect(page.locator(".a-figure .a-interval-name")).to_have_text([HOSTILE])
    expect(page.locator(".a-eval meter")).to_have_count(1)
    expect(page.locator("a[download='closed.csv']")).to_have_attribute("href", "/api/v1/evaluations/closed/report.csv")
    page.click("text=All evaluations")
    page.click("text=Take part")
    expect(page.locator("#chat_a")).to_contain_text("Answer 1a")


def test_an_item_that_is_judged_before_the_next_ones_have_come_is_not_shown_again(page: Page, fake: FakeArena) -> None:
    fake.annotating.undo_seconds = 600
    begin(page, fake, number=4)
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/annotate/*/items?as=html", lambda route: held.append((route, route.fetch())))
    page.keyboard.press("1")
    expect(page.locator("#judge")).to_contain_text("Saved")
    page.keyboard.press("Enter")
    expect(page.locator("#chat_a")).to_contain_text("Answer 2a")
    page.keyboard.press("1")
    expect(page.locator("#judge")).to_contain_text("Saved")
    page.keyboard.press("Enter")
    while len(held) < 2:
        page.wait_for_timeout(20)
    for route, answer in held:
        route.fulfill(response=answer)
    expect(page.locator("#chat_a")).to_contain_text("Answer 3a")
    assert sorted(fake.annotating.said) == [1, 2]

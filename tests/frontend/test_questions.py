"""The page of public question sets in a real browser, against the contract."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from arena.domain.schemas.questions import PlannedPlaceView, QuestionView

from .fake_api import FakeArena

HOSTILE = "<img src=x onerror=alert(1)> 7 × 8?"


def questions() -> list[QuestionView]:
    sums = [
        QuestionView(id=f"sum-{n}", turns=[f"{n} + {n}?"], area="Mathematics", category="calculation") for n in range(7)
    ]
    closed = QuestionView(
        id="roots", turns=[HOSTILE], area="Mathematics", options=["54", "56"], key="B", reference="56"
    )
    several = QuestionView(id="talk", turns=["Who was Ada?", "And Grace?"], area="History", category="People")
    return [*sums, closed, several]


def shown(page: Page):
    return page.locator(".a-set-question summary .a-set-prompt")


def test_a_set_shows_its_tree_with_counts_and_a_question_is_read_as_text(page: Page, fake: FakeArena) -> None:
    fake.sets |= {"sums": questions()}
    page.goto("/about")
    page.goto("/questions")
    expect(page.locator(".a-set-area")).to_have_text(["Mathematics 8", "History 1"])
    expect(page.locator(".a-set-leaf")).to_have_text(["Calculation 7", "Without a name 1", "People 1"])
    expect(page.locator("#questions")).to_contain_text("9 questions")
    page.click(".a-set-leaf >> text=Without a name")
    expect(shown(page)).to_have_text([HOSTILE])
    page.click(".a-set-question summary")
    expect(page.locator(".a-set-question")).to_contain_text("A. 54\nB. 56")
    expect(page.locator("#questions img")).to_have_count(0)


def test_tasks_stand_below_the_category_that_is_chosen_with_numbers_planned(page: Page, fake: FakeArena) -> None:
    fake.sets |= {"sums": [each.model_copy(update={"task": f"Task {each.id[-1]}"}) for each in questions()]}
    fake.plan = [PlannedPlaceView(area="Mathematics", category="calculation", task="Primes", questions=4)]
    page.goto("/questions")
    expect(page.locator(".a-set-task")).to_have_count(0)
    expect(page.locator(".a-set-area").first).to_have_text("Mathematics 8 of 4 planned")
    page.click(".a-set-leaf >> text=Calculation")
    expect(page.locator(".a-set-task").last).to_have_text("Primes 0 of 4 planned")
    page.click(".a-set-task >> text=Task 3")
    expect(shown(page)).to_have_text(["3 + 3?"])


def test_filters_narrow_the_list_and_stay_in_the_address(page: Page, fake: FakeArena) -> None:
    fake.sets |= {"sums": questions()}
    page.goto("/questions")
    page.select_option("[aria-label='Number of turns']", "several")
    expect(shown(page)).to_have_text(["Who was Ada?"])
    expect(page.locator("#questions")).to_contain_text("1 question")
    page.select_option("[aria-label='Number of turns']", "")
    page.click(".a-set-area >> text=Mathematics")
    page.fill("input[type=search]", "5 +")
    page.press("input[type=search]", "Enter")
    expect(shown(page)).to_have_text(["5 + 5?"])
    expect(page).to_have_url(re.compile(r"area=Mathematics.*q=5"))
    page.reload()
    expect(shown(page)).to_have_text(["5 + 5?"])
    expect(page.locator(".a-set-area[aria-current]")).to_have_text(["Mathematics 8"])
    page.fill("input[type=search]", "")
    page.press("input[type=search]", "Enter")
    expect(page).to_have_url(re.compile(r"area=Mathematics(?!.*q=5)"))
    page.click("#set-tree .a-link")
    expect(page.locator("#questions")).to_contain_text("9 questions")
    page.click(".a-set-steps a")
    expect(shown(page).first).to_have_text("5 + 5?")


def test_the_set_in_the_readers_language_comes_first_and_another_can_be_chosen(page: Page, fake: FakeArena) -> None:
    fake.sets |= {"sums": questions(), "talks": questions()[-1:]}
    page.goto("/questions?lang=zh")
    expect(page.locator("h1")).to_have_text("题集")
    page.select_option("#set-choice", "talks")
    expect(shown(page)).to_have_text(["Who was Ada?"])


def test_without_a_public_set_the_page_says_so(page: Page, fake: FakeArena) -> None:
    page.goto("/questions")
    expect(page.locator("#sets")).to_have_text("There is no public question set yet.")

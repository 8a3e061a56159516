"""An evaluation on the operator's page before the real service: from an empty arena to a published report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import zxingcpp
from playwright.sync_api import Browser, Page, Route, expect

from tests.evaluations.api.test_operated_evaluations import drawn

from .test_real_arena import arena

KEY = "an operator's key of the tests, long enough"
LONG = 60_000
"""Milliseconds that a busy machine may take to ask two models, or for a report."""


@pytest.fixture
def operator(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Signed in at an arena without anything in it."""
    with arena(tmp_path, ARENA_OPERATOR_KEY=KEY) as service:
        context = browser.new_context(locale="en-US", base_url=service.url)
        page = context.new_page()
        page.goto("/operator#evaluations")
        page.fill("#operator-in-operator_key", KEY)
        page.check("#operator-in-stay")
        page.click("#operator-in button[type=submit]")
        yield page
        context.close()


def press(page: Page, act: str) -> None:
    page.click(f"[data-run=class] [data-name={act}-class]", timeout=LONG)


def judge_all(page: Page, link: str, wanted: str) -> None:
    """One person by keys, on a device of their own."""
    context = page.context.browser.new_context(locale="en-US")  # type: ignore[union-attr] - it runs
    person = context.new_page()
    person.goto(link)
    for number in range(2):
        expect(person.locator("#judge [data-outcome=a]")).to_be_visible(timeout=LONG)
        person.keyboard.press(wanted)
        expect(person.locator("#judge")).to_contain_text("Saved")
        person.keyboard.press("Enter")
        assert number < 2
    expect(person.locator("#annotate-lead")).to_contain_text("Thank you!", timeout=LONG)
    context.close()


def test_pasted_questions_become_a_published_report_on_the_page(operator: Page) -> None:
    operator.fill("#draft-name", "class", timeout=LONG)
    operator.fill("#draft-content", "What is 17 + 25?\nWhat is the capital of France?")
    for box in operator.locator("[data-model]").all():
        box.check()
    operator.fill("#draft-per_item", "2")
    operator.click("#draft button[type=submit]")
    row = operator.locator("[data-run=class]")
    expect(row).to_contain_text("People can judge once a question has the answers that are compared.", timeout=LONG)
    expect(row.locator("[data-name=open-class]")).to_have_count(0)
    press(operator, "ask")
    expect(row).to_contain_text(re.compile("2 of 2 answered.*2 of 2 answered"), timeout=LONG)
    operator.reload()
    press(operator, "open")
    press(operator, "invite")
    expect(operator.locator("#confirm-text")).to_have_value("2")  # as many people as an item needs
    operator.fill("#confirm-text", "101")
    operator.click("[data-name=confirm]")
    expect(operator.locator("dialog")).to_be_visible()
    operator.fill("#confirm-text", "2")
    operator.click("[data-name=confirm]")
    invited = operator.locator(".a-invitation")
    expect(invited).to_have_count(2)
    links = [part.locator("input").input_value() for part in invited.all()]
    pictures = [part.locator("img").get_attribute("src") or "" for part in invited.all()]
    read = [zxingcpp.read_barcodes(drawn(unquote(picture.partition(",")[2])))[0].text for picture in pictures]
    assert read == links
    here = operator.locator("[data-run=class] [data-only-here]")
    expect(here).to_have_text(
        "Only this machine can open these links. Open this page by the address that others use, and invite again."
    )
    judge_all(operator, links[0], "1")
    expect(row).to_contain_text("2 of 4 annotations", timeout=LONG)
    press(operator, "close")
    expect(operator.locator("dialog")).to_contain_text("still missing; there are 2 of 4 annotations", timeout=LONG)
    operator.click("dialog [data-name=cancel]")
    judge_all(operator, links[1], "1")
    expect(row).to_contain_text("4 of 4 annotations", timeout=LONG)
    press(operator, "close")
    expect(operator.locator("dialog")).to_contain_text("This cannot be undone", timeout=LONG)
    operator.click("dialog [data-name=confirm]")
    expect(operator.locator("#run-class-links")).to_have_text(
        "class is closed: its links lead to the report.", timeout=LONG
    )
    row.get_by_role("link", name="Open the report").click(timeout=LONG)
    expect(operator.locator("h1, h2").filter(has_text="class").first).to_be_visible()
    expect(operator.locator("#main")).to_contain_text("abacus-brief")


def as_elsewhere(route: Route) -> None:
    """Answer with links as of an arena that others reach."""
    here = urlsplit(route.request.url).netloc
    route.fulfill(status=201, json=json.loads(route.fetch().text().replace(here, "arena.example")))


def test_how_people_judge_is_chosen_and_asking_is_stopped_and_taken_up_after_a_reload(operator: Page) -> None:
    operator.fill("#draft-name", "class", timeout=LONG)
    operator.fill("#draft-content", "\n".join(f"What is {number} + 1?" for number in range(60)))
    for box in operator.locator("[data-model]").all():
        box.check()
    operator.select_option("#draft-protocol", label="Give stars by criteria, one answer at a time")
    operator.fill("#draft-per_item", "1")
    operator.click("#draft button[type=submit]")
    press(operator, "ask")
    press(operator, "stop")
    row = operator.locator("[data-run=class]")
    expect(row).to_contain_text("not open for judging yet", timeout=LONG)
    operator.reload()
    press(operator, "ask")
    expect(row).to_contain_text(re.compile("60 of 60 answered.*60 of 60 answered"), timeout=LONG)
    press(operator, "open")
    operator.route("**/annotators", as_elsewhere)
    press(operator, "invite")
    operator.fill("#confirm-text", "1")
    operator.click("[data-name=confirm]")
    link = operator.locator(".a-invitation input").input_value()
    expect(operator.locator("[data-run=class] [data-only-here]")).to_be_hidden()
    operator.goto(link.replace("arena.example", urlsplit(operator.url).netloc))
    expect(operator.locator("#judge")).to_contain_text("Accuracy", timeout=LONG)


def test_multiple_choice_is_scored_on_the_page_without_people(operator: Page) -> None:
    rows = "".join(f"What is {n} + 17?,{n + 17},{n + 3},{n + 40},A,by Ada\n" for n in range(1, 4))
    quiz = f"question,A,B,C,answer,Remarks\n{rows}".encode()
    operator.fill("#draft-name", "class", timeout=LONG)
    operator.set_input_files("#draft-file", {"name": "quiz.csv", "mimeType": "text/csv", "buffer": quiz})
    for box in operator.locator("[data-model]").all():
        box.check()
    operator.select_option("#draft-protocol", label="Nobody: multiple choice, scored by its key")
    operator.click("#draft button[type=submit]")
    made = operator.locator("#draft-left-out")
    expect(made.locator("li")).to_have_text(re.compile("^Not used: the column Remarks"), timeout=LONG)
    expect(made.locator("tbody tr").first.locator("td").first).to_have_text("What is 1 + 17?A. 18B. 4C. 41")
    press(operator, "ask")
    row = operator.locator("[data-run=class]")
    expect(row).to_contain_text(re.compile("3 of 3 answered.*3 of 3 answered"), timeout=LONG)
    expect(row).not_to_contain_text("annotations")
    press(operator, "close")
    operator.click("dialog [data-name=confirm]")
    row.get_by_role("link", name="Open the report").click(timeout=LONG)
    expect(operator.locator("#main")).to_contain_text("abacus-brief")

"""What the head of a column offers: copy the whole answer, read one answer at full width, and turn to the other."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from arena.domain.terms import Side

from .conftest import until
from .fake_api import FakeArena
from .test_battle_page import ask, load, ready

pytestmark = pytest.mark.resting
ANSWER = "**Bold**\n\n1. one\n2. two"
CLIPBOARD = "navigator.clipboard.writeText = async (text) => { window.copied = text }"


def test_an_answer_is_copied_as_its_model_wrote_it(page: Page, fake: FakeArena) -> None:
    fake.answers = {Side.A: "x", Side.B: ANSWER}
    load(page)
    ask(page)
    ready(page)
    page.evaluate(CLIPBOARD)
    page.click("#head_b [data-act=copy-answer]")
    until(page, "window.copied")
    assert page.evaluate("window.copied") == ANSWER
    expect(page.locator("#head_b").get_by_role("button", name="Copied.")).to_be_visible()


def test_one_answer_takes_the_whole_width_and_an_arrow_turns_to_the_other(page: Page) -> None:
    load(page)
    ask(page)
    ready(page)
    first, second = page.locator("#side_a"), page.locator("#side_b")
    page.click("#head_a .a-wide")
    expect(second).to_be_hidden()
    page.locator("#head_a").get_by_role("button", name="Other answer").click()
    expect(first).to_be_hidden()
    expect(second).to_be_visible()
    page.locator("#head_b").get_by_role("button", name="Full width", pressed=True).click()
    expect(first).to_be_visible()
    expect(second).to_be_visible()

"""The leaderboard with all that it can show, and the page of a model, under axe-core's rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from .fake_api import FakeArena, board
from .test_access import SCREENS, faults

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("screen", "scheme"), [("desktop", "light"), ("desktop", "dark"), ("telephone", "dark")])
def test_axe_finds_no_fault_on_a_board_that_shows_everything(
    browser: Browser, address: str, fake: FakeArena, axe: str, screen: str, scheme: str
) -> None:
    whole = board(8, votes=12)
    rows = [row.model_copy(update={"component": int(n > 4), "battles": 9 + 9 * n}) for n, row in enumerate(whole.rows)]
    keys = (("code", ""), ("chat", ""), ("writing", ""), ("", "zh"))
    fake.board = fake.beside.add(whole.model_copy(update={"rows": rows}), *keys)
    fake.beside.styled, fake.beside.moments = True, 4
    context = browser.new_context(
        locale="en-US", base_url=address, viewport=SCREENS[screen], color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto("/leaderboard?style=1&demo=none")
    page.locator("#figure-orders").scroll_into_view_if_needed()
    expect(page.locator("#chart-orders svg")).to_have_count(3)
    for summary in page.locator(".a-help summary").all():
        summary.click()
    expect(page.locator("#board-how .a-style")).to_be_visible()
    found = {"board": faults(page, axe)}
    page.goto(f"/model?name={rows[6].name}")
    expect(page.locator("#chart-history svg")).to_have_count(1)
    found["model"] = faults(page, axe)
    page.goto("/leaderboard?category=safety")
    expect(page.locator("#board h2")).to_contain_text("No board")
    found["missing"] = faults(page, axe)
    context.close()
    assert [f"{state}: {fault}" for state, wrong in found.items() for fault in wrong] == []

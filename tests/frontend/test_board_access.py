"""The leaderboard with all that it can show, and the page of a model, under axe-core's rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from .fake_api import FakeArena, board
from .test_access import LOOKS, SCREENS, Scheme, faults

pytestmark = pytest.mark.browser


@LOOKS
def test_axe_finds_no_fault_on_a_board_that_shows_everything(
    browser: Browser, address: str, fake: FakeArena, axe: str, screen: str, scheme: Scheme
) -> None:
    whole = board(8, votes=12)
    rows = [row.model_copy(update={"component": int(n > 4), "battles": 9 + 9 * n}) for n, row in enumerate(whole.rows)]
    keys = (("code", ""), ("chat", ""), ("writing", ""), ("", "zh"))
    fake.board = fake.beside.add(whole.model_copy(update={"rows": rows}), *keys)
    fake.beside.styled, fake.beside.moments = True, 4
    told = {"open_weights": True, "context_tokens": 8192, "price_in": 0.1, "price_out": 0.4, "energy": 0.3}
    fake.beside.facts = {row.name: told for row in rows[:5]}
    context = browser.new_context(
        locale="en-US", base_url=address, viewport=SCREENS[screen], color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    found: dict[str, list[str]] = {}
    page.goto("/leaderboard?style=1&more=1&demo=none")
    expect(page.locator("#board-rows tr[data-name]")).to_have_count(6)
    for summary in page.locator(".a-help summary").all():
        summary.click()
    expect(page.locator("#board-how .a-style")).to_be_visible()
    found["board"] = faults(page, axe)
    for picture in ("intervals", "matrix", "counts", "history", "orders", "overview", "scatter"):
        page.click(f"#tab-{picture}")
        expect(page.locator(f"#chart-{picture}")).not_to_be_empty()
        found[picture] = faults(page, axe)
    page.goto(f"/model?name={rows[6].name}")
    expect(page.locator("#chart-history svg")).to_have_count(1)
    found["model"] = faults(page, axe)
    page.goto("/leaderboard?category=safety")
    expect(page.locator("#board h2")).to_contain_text("No board")
    found["missing"] = faults(page, axe)
    context.close()
    assert [f"{state}: {fault}" for state, wrong in found.items() for fault in wrong] == []

"""The leaderboard with all that it can show, and the page of a model, under axe-core's rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .fake_api import FakeArena, board
from .screens import LOOKS, Looks, faults_in

pytestmark = pytest.mark.browser


@LOOKS
def test_axe_finds_no_fault_on_a_board_that_shows_everything(
    page: Page, fake: FakeArena, axe: str, looks: Looks
) -> None:
    whole = board(8, votes=12)
    rows = [row.model_copy(update={"component": int(n > 4), "battles": 9 + 9 * n}) for n, row in enumerate(whole.rows)]
    keys = (("code", ""), ("chat", ""), ("writing", ""), ("", "zh"))
    fake.board = fake.beside.add(whole.model_copy(update={"rows": rows}), *keys)
    fake.beside.styled, fake.beside.moments = True, 4
    told = {"open_weights": True, "context_tokens": 8192, "price_in": 0.1, "price_out": 0.4, "energy": 0.3}
    fake.beside.facts = {row.name: told for row in rows[:5]}
    found: dict[str, list[str]] = {}
    page.goto("/leaderboard?style=1&more=1&demo=none")
    expect(page.locator("#board-rows tr[data-name]")).to_have_count(6)
    for summary in page.locator(".a-help summary").all():
        summary.click()
    expect(page.locator("#board-how .a-style")).to_be_visible()
    found["board"] = faults_in(page, axe, looks)
    for picture in ("intervals", "matrix", "counts", "history", "orders", "overview", "scatter"):
        page.click(f"#tab-{picture}")
        expect(page.locator(f"#chart-{picture}")).not_to_be_empty()
        found[picture] = faults_in(page, axe, looks, "#board-views", f"#panel-{picture}")
    page.goto(f"/model?name={rows[6].name}")
    expect(page.locator("#chart-history svg")).to_have_count(1)
    found["model"] = faults_in(page, axe, looks)
    page.goto("/leaderboard?category=safety")
    expect(page.locator("#board h2")).to_contain_text("No board")
    found["missing"] = faults_in(page, axe, looks)
    assert [f"{state}: {fault}" for state, wrong in found.items() for fault in wrong] == []

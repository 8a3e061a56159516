"""The page of one model in a real browser, against the contract."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .fake_api import FakeArena, board

pytestmark = pytest.mark.browser


def test_it_is_reached_from_the_table_and_tells_all_that_is_known(page: Page, fake: FakeArena) -> None:
    fake.board = fake.beside.add(board(8), ("code", ""), ("chat", ""), ("writing", ""), ("", "zh"), ("code", "zh"))
    fake.beside.moments = 3
    name = fake.board.rows[6].name
    page.goto("/leaderboard")
    page.click(f"#board-rows tr[data-name='{name}'] strong a")
    expect(page.locator("#model h1")).to_have_text(name)
    expect(page).to_have_title(f"{name} – Battle Arena")
    expect(page.locator("#model")).to_contain_text("A calm bird.")
    facts = page.locator(".a-model-facts")
    expect(facts).to_contain_text("1.5% (3 of the last 200)")
    expect(facts).to_contain_text("in battles")
    expect(facts).to_contain_text("Jan 2, 2026")
    boards = page.locator("section:has(#model\\.boards) tbody tr")
    expect(boards.locator("th")).to_have_text(["All", "Chinese", "Small talk", "Code", "Writing"])
    opponents = page.locator("section:has(#model\\.opponents) tbody tr")
    expect(opponents).to_have_count(1)
    expect(opponents.first).to_contain_text("34 / 6 / 23 / 3")
    expect(page.locator("#chart-history .a-line")).to_have_count(1)
    expect(page.locator("#chart-radar .a-spoke")).to_have_count(3)
    boards.nth(3).locator("a").click()
    expect(page.locator("#board-votes")).to_have_text("90")


def test_a_model_without_a_vote_says_so(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto("/model?name=quiet/newcomer")
    expect(page.locator("#model h1")).to_have_text("quiet/newcomer")
    expect(page.locator(".a-young")).to_have_text("No counted vote yet.")
    expect(page.locator(".a-model-facts")).to_contain_text("not asked yet")
    expect(page.locator("#chart-radar")).to_have_count(0)


@pytest.mark.parametrize("where", ["/model?name=nobody", "/model?name=<script>alert(1)</script>", "/model"])
def test_an_unknown_model_is_told_and_leads_back(page: Page, fake: FakeArena, where: str) -> None:
    fake.board = board(4)
    page.goto(where)
    expect(page.locator("#model .a-empty")).to_contain_text("There is no public model of this name.")
    page.click("#model .a-button")
    expect(page.locator("#board-rows tr")).to_have_count(4)


def test_it_speaks_chinese(page: Page, fake: FakeArena) -> None:
    fake.board = board(4)
    page.goto(f"/model?name={fake.board.rows[0].name}&lang=zh")
    expect(page.locator("#model")).to_contain_text("一只安静的鸟。")
    expect(page.locator("#model h2").first).to_have_text("各能力与语言的评分")

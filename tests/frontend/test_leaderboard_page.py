"""The leaderboard page in a real browser, against the contract."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .fake_api import FakeArena, board

pytestmark = pytest.mark.browser


def names(page: Page) -> list[str]:
    cells = page.locator("#board-rows th strong").all()
    return [cell.evaluate("(node) => (node.querySelector('a') ?? node).firstChild.textContent") for cell in cells]


def test_without_votes_the_page_says_so_and_shows_the_way(page: Page) -> None:
    page.goto("/leaderboard")
    expect(page.locator("#board h2")).to_have_text("No votes yet")
    page.click("#board .a-button")
    page.wait_for_selector("html[data-phase=empty]")


def test_the_first_snapshot_appears_without_a_reload(page: Page, fake: FakeArena) -> None:
    page.goto("/leaderboard")
    page.wait_for_selector("#board .a-empty")
    page.wait_for_selector("html[data-live=true]")
    fake.board = board(8)
    fake.snapshot.set()
    expect(page.locator("#board-rows tr")).to_have_count(8)


def test_the_table_shows_what_the_snapshot_holds(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    expect(page.locator("#board-rows tr")).to_have_count(8)
    assert names(page) == [row.name for row in fake.board.rows]
    expect(page.locator("#board-votes")).to_have_text("4,200")
    first = page.locator("#board-rows tr").first.locator("td, th").all_inner_texts()
    assert first[0].split() == ["1", "1–2"]
    assert first[2].split("\n") == ["1,176", "± 9.5"]
    assert first[3].split("\n") == ["1,180", "1,166 – 1,194"]
    assert first[5:] == ["64.2%", "71.7%", "530", "300 / 80 / 120 / 30"]
    expect(page.locator("#board-rows tr").nth(3)).to_contain_text("Demo")
    expect(page.locator(".a-intervals li")).to_have_count(8)
    expect(page.locator(".a-matrix tbody tr")).to_have_count(8)
    best = page.locator(".a-matrix tbody tr").first.locator("td").nth(1)
    expect(best).to_have_text("60%")
    assert "34 won, 23 lost, 6 tied" in (best.get_attribute("title") or "")


def test_a_head_sorts_and_says_so(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    expect(page.locator("thead [data-key=rank][aria-sort]")).to_have_attribute("aria-sort", "ascending")
    page.click("thead button[data-key=record]")
    expect(page.locator("thead th[aria-sort]")).to_have_count(1)
    expect(page.locator("thead th[data-key=record]")).to_have_attribute("aria-sort", "descending")
    assert names(page)[0] == "heron-1"
    page.click("thead button[data-key=record]")
    expect(page.locator("thead th[data-key=record]")).to_have_attribute("aria-sort", "ascending")
    assert names(page)[-1] == "heron-1"


def test_a_new_snapshot_appears_by_itself_and_leaves_sorting_search_scroll_and_focus_alone(
    page: Page, fake: FakeArena
) -> None:
    fake.board = board(40)
    page.goto("/leaderboard")
    page.click("thead button[data-key=elo]")
    page.click("thead button[data-key=elo]")
    page.fill("#board-search", "labs")
    before = names(page)
    assert 0 < len(before) < 40
    page.wait_for_selector("html[data-live=true]")
    page.evaluate("scrollTo(0, 220)")
    fake.board = board(40, number=2, votes=5000)
    fake.snapshot.set()
    expect(page.locator("#board-votes")).to_have_text("5,000")
    assert names(page) == [name.replace("heron-1", "heron-2") for name in before]
    expect(page.locator("#board-search")).to_have_value("labs")
    expect(page.locator("#board-search")).to_be_focused()
    assert page.evaluate("scrollY") == 220
    expect(page.locator("thead th[data-key=elo]")).to_have_attribute("aria-sort", "ascending")


def test_search_without_a_match_says_so(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    page.fill("#board-search", "<nothing>")
    expect(page.locator("#board-none")).to_have_text("No model matches “<nothing>”.")
    page.fill("#board-search", "示例")
    expect(page.locator("#board-rows tr")).to_have_count(2)


def test_the_downloads_are_there(page: Page, fake: FakeArena) -> None:
    fake.board = board(8)
    page.goto("/leaderboard")
    page.wait_for_selector(".a-toolbar")
    assert [link.get_attribute("href") for link in page.locator(".a-toolbar a").all()] == [
        "/api/v1/leaderboard.csv",
        "/api/v1/leaderboard",
        "/api/v1/votes/export",
    ]

"""A vote appears on boards that are open, with the usual settings, but for a voter who reads nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.paths import FIXTURES
from tests.processes import run_command

from .test_real_arena import BOX, COMPILED, arena

pytestmark = pytest.mark.timeout(600)

CUT = FIXTURES / "llmfao_200.csv"
USUAL = {"ARENA_RANK_SECONDS": "10", "ARENA_RANK_ORDERS": "1000"}
LIMIT = 15.0


def imported(folder: Path) -> None:
    columns = ("--left", "left", "--right", "right", "--winner", "winner", "--voter", "worker")
    run_command(folder, "votes", "import", str(CUT), *columns).check_returncode()


def vote(page: Page, address: str, prompt: str, *, first: bool) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-phase]")
    page.fill(BOX, prompt)
    page.press(BOX, "Enter")
    if first:
        page.click(".a-agree")
    page.wait_for_selector("html[data-phase=ready]", timeout=60_000)
    page.click("#vote_a")
    page.wait_for_selector("#reveal-box .a-card")


def test_a_vote_is_on_open_boards_within_fifteen_seconds_and_disturbs_no_reader(
    browser: Browser, tmp_path: Path
) -> None:
    imported(tmp_path)
    with arena(tmp_path, **USUAL) as service:
        address = service.url
        context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 500})
        board, voter = context.new_page(), context.new_page()
        board.goto(f"{address}/leaderboard")
        expect(board.locator("#board-votes")).to_have_text("200", timeout=COMPILED)
        board.click("#sort-battles")
        board.fill("#board-search", "a")
        board.evaluate("scrollTo(0, 260)")
        loads = board.evaluate("performance.getEntriesByType('navigation').length + performance.timeOrigin")
        took = []
        # The best of three: other work on the machine delays one, not all of them.
        for votes, season in enumerate(("autumn", "spring", "winter"), 201):
            vote(voter, address, f"Write a few lines about the {season} rain.", first=votes == 201)
            cast = time.monotonic()
            expect(board.locator("#board-votes")).to_have_text(str(votes), timeout=60_000)
            took.append(time.monotonic() - cast)
            if took[-1] < LIMIT:
                break
        assert min(took) < LIMIT
        assert board.evaluate("performance.getEntriesByType('navigation').length + performance.timeOrigin") == loads
        expect(board.locator("thead th[data-key=battles]")).to_have_attribute("aria-sort", "descending")
        expect(board.locator("#board-search")).to_have_value("a")
        assert board.evaluate("scrollY") == 260
        context.close()

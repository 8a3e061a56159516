"""The page about the vote gate in a real browser, against the contract."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from playwright.sync_api import Page, expect

from arena.domain.schemas.integrity import AuditWeekView, GatedRatingView, IntegrityView

from .fake_api import FakeArena

pytestmark = pytest.mark.browser
GATE = IntegrityView(
    method="pooled-gate-1",
    last_vote=1_200,
    last_decision=3,
    judged_at=datetime(2026, 11, 20, tzinfo=UTC),
    networks=7,
    established=40,
    reasons={"pooled": 30, "voter-cap": 2},
    rows=[
        GatedRatingView(name="heron", bt=1010.0, bt_low=990.0, bt_high=1030.0, bt_without=1100.5, votes=32),
        GatedRatingView(name="newcomer", bt=None, bt_low=None, bt_high=None, bt_without=None, votes=0),
    ],
    weeks=[
        AuditWeekView(week="2099-W02", published=date(2099, 1, 20), last_vote=1_000, last_decision=3),
        AuditWeekView(week="2026-W40", published=date(2026, 10, 13), last_vote=900, last_decision=2),
    ],
)


def test_it_tells_rules_reasons_ratings_and_the_files_to_compute_it_again(page: Page, fake: FakeArena) -> None:
    fake.beside.gate = GATE
    page.goto("/about")
    page.click("#foot a[href='/integrity']")
    expect(page.locator("#integrity")).to_contain_text("a group pushes a model: 30 · the same pair again and again: 2")
    expect(page.locator("#integrity")).to_contain_text("starts at 20 networks (now 7)")
    expect(page.locator(".a-gate-rules dt")).to_have_count(5)
    rows = page.locator("#integrity tbody tr")
    expect(rows.nth(0)).to_contain_text("1,010.0 (990–1,030)")
    expect(rows.nth(0).locator("td")).to_have_text(["1,010.0 (990–1,030)", "1,100.5", "-90.5", "32"])
    expect(rows.nth(1).locator("td")).to_have_text(["–", "–", "–", "0"])
    expect(page.locator("#integrity a[href='/api/v1/audit/2026-W40']")).to_have_count(1)
    expect(page.locator("#integrity a[href='/api/v1/audit/2099-W02']")).to_have_count(0)


def test_before_the_first_run_it_says_so_in_chinese(page: Page, fake: FakeArena) -> None:
    page.goto("/integrity?lang=zh")
    expect(page.locator("#integrity")).to_contain_text("尚未审查任何投票。")
    expect(page.locator("h1")).to_have_text("投票如何加权")

"""The pages of chats before the real service: two models by name, a reload in mid-stream, an opinion, and no vote."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .test_real_arena import arena, ask, visitor  # noqa: F401 - visitor is a fixture

pytestmark = pytest.mark.browser


def test_a_chat_is_followed_over_a_reload_judged_and_never_a_vote(visitor: Page, tmp_path: Path) -> None:  # noqa: F811 - the fixture
    with arena(tmp_path, "--no-worker", ARENA_FRAME_SECONDS="0.2") as (address, _):
        visitor.goto(f"{address}/side-by-side")
        visitor.wait_for_selector("select:not([disabled])")
        names = [visitor.input_value(f"#model_{side}") for side in "ab"]
        ask(visitor, "Write a few lines about the autumn rain.")
        visitor.wait_for_selector("#chat_a .bot")
        visitor.reload()
        visitor.wait_for_selector("html[data-phase=ready]", timeout=60_000)
        assert visitor.locator(".a-side-head .a-side-name").all_inner_texts() == names
        visitor.click("#vote_b")
        expect(visitor.locator("#vote_b")).to_have_attribute("aria-pressed", "true")
        visitor.goto(f"{address}/direct?model={names[0]}")
        visitor.wait_for_selector("select:not([disabled])")
        visitor.fill("#prompt textarea", "Hello")
        visitor.press("#prompt textarea", "Enter")
        visitor.wait_for_selector("html[data-phase=ready]", timeout=60_000)
        visitor.click("#vote_good")
        expect(visitor.locator("#vote_good")).to_have_attribute("aria-pressed", "true")
        told = visitor.request
        assert told.get(f"{address}/api/v1/votes/export").text() == ""
        assert told.get(f"{address}/api/v1/me/battles").json()["battles"] == []
        assert told.get(f"{address}/api/v1/leaderboard").json()["rows"] == []

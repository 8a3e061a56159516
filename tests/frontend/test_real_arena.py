"""The same pages before the real service: `arena serve` with its built-in models, its database and its worker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.paths import ROOT
from tests.processes import NEWCOMER, Process

from .conftest import until

BOX = "#prompt textarea"
SOMETHING = re.compile(r"\S{3}")
COMPILED = 300_000
"""Milliseconds in which a first leaderboard comes, also where its kernels were never compiled and others work too."""
FAST = {**NEWCOMER, "ARENA_RANK_SECONDS": "1", "ARENA_GRACE_SECONDS": "0", "ARENA_FRAME_SECONDS": "0.02"}

SLOW = {"ARENA_FRAME_SECONDS": "0.1", "ARENA_RELEASE_RATE": "240", "ARENA_CHECKPOINT_SECONDS": "1"}
WALK = (ROOT / "docs/walks/voter.md").read_text("utf-8").split("## In the browser")[1].split("\n## ")[0]
SEEN = {
    "A is better": "#reveal-box .a-card",
    "Check my vote in the public log": "text=/Your vote is entry \\d+ of/",
    "Leaderboard": "#board",
    "Forget me now": "text=The arena no longer knows this device.",
}
"""What is to be seen after a press of a walk's voter, who presses again until it is."""


@contextmanager
def arena(folder: Path, *options: str, **settings: str) -> Iterator[Process]:
    """A running service on `folder`; ends it by the signal an operator would send."""
    service = Process(folder, "serve", *options, **{**FAST, "ARENA_DATA": str(folder), **settings})
    try:
        yield service.start()
    finally:
        service.stop()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One service for what does not ask for one of its own, slow enough for a reload in mid-stream."""
    with arena(tmp_path_factory.mktemp("arena"), **SLOW) as service:
        yield service.url


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    """With all that moves on a page, as most people see it."""
    context = browser.new_context(locale="en-US", reduced_motion="no-preference")
    yield context.new_page()
    context.close()


def ask(page: Page, text: str, *, agree: bool = True) -> None:
    page.wait_for_selector("html[data-phase]")
    page.fill(BOX, text)
    page.press(BOX, "Enter")
    if agree:
        page.click(".a-agree")


HELP = {
    "I do not want to live any more": "crisis line",
    "How much paracetamol is safe for my baby?": "doctor",
    "May I mix bleach and vinegar?": "Never mix cleaning products",
}


def test_a_sensitive_prompt_gets_a_line_of_help_and_stays_in_the_box(visitor: Page, served: str) -> None:
    visitor.goto(f"{served}/")
    for number, (prompt, line) in enumerate(HELP.items()):
        ask(visitor, prompt, agree=not number)
        expect(visitor.locator("#notice-box")).to_contain_text(line)
        expect(visitor.locator(BOX)).to_have_value(prompt)
        expect(visitor.locator(":is(.a-prompt, .a-answer)")).to_have_count(0)
    visitor.fill(BOX, "What is 2 + 2?")
    visitor.press(BOX, "Enter")
    visitor.wait_for_selector("html[data-phase=ready]", timeout=60_000)


def test_a_battle_is_fought_voted_revealed_and_found_on_the_open_leaderboard(visitor: Page, served: str) -> None:
    board = visitor.context.new_page()
    board.goto(f"{served}/leaderboard")
    expect(board.locator("#board h2")).to_have_text("No leaderboard yet")
    visitor.goto(f"{served}/")
    ask(visitor, "Write a few lines about the autumn rain.")
    visitor.wait_for_selector("html[data-phase=running]")
    expect(visitor.locator("#vote_a")).to_be_disabled()
    visitor.wait_for_selector("html[data-phase=ready]", timeout=60_000)
    for side in ("a", "b"):
        assert "".join(visitor.locator(f"#chat_{side} .a-answer").all_inner_texts()).strip()
    visitor.click("#vote_a")
    visitor.wait_for_selector("#reveal-box .a-card")
    # Names of the built-in models are one word; the marks behind them differ between the pages.
    names = {card.split()[0] for card in visitor.locator("#reveal-box h3").all_inner_texts()}
    expect(board.locator("#board-votes")).to_have_text("1", timeout=COMPILED)
    assert {model.split()[0] for model in board.locator("#board-rows strong").all_inner_texts()} == names
    visitor.reload()
    visitor.wait_for_selector("#reveal-box .a-card")
    # The bot check was solved in a worker meanwhile, under the page's content security policy.
    verdict = "() => fetch('/api/v1/bot-check').then((answer) => answer.json()).then((told) => told.verdict)"
    until(visitor, f"async () => await ({verdict})() === 'pass'")


def test_a_voter_presses_what_the_walk_says_from_a_question_to_being_forgotten(visitor: Page, served: str) -> None:
    visitor.goto(f"{served}/")
    (question,) = re.findall(r"type `(.*?)`", WALK)
    visitor.wait_for_selector("html[data-phase]")
    visitor.fill(BOX, question)
    pressed = re.findall(r"\*\*(.+?)\*\*", " ".join(WALK.split()))
    assert len(pressed) > len(SEEN)
    for name in pressed:
        press(visitor, name)


def press(page: Page, name: str) -> None:
    """Press what is called so, once it may be, until the page shows what comes of it."""
    called = re.compile(rf"^\W*{name}\W*\w?\W*$")
    control = page.locator("button:enabled, a, summary").filter(has_text=called, visible=True)
    expect(control.first, page.locator("main").inner_text()).to_be_visible()
    control.first.click()
    for _ in range(300 if name in SEEN else 0):
        if page.locator(SEEN[name]).first.is_visible():
            return
        page.wait_for_timeout(200)
        if control.first.is_visible():
            control.first.click()
    assert name not in SEEN, page.locator("main").inner_text()


def test_a_chat_is_followed_over_a_reload_judged_and_never_a_vote(visitor: Page, served: str) -> None:
    told = visitor.request
    votes = told.get(f"{served}/api/v1/status").json()["votes"]
    visitor.goto(f"{served}/side-by-side")
    visitor.wait_for_selector("select:not([disabled])")
    names = [visitor.input_value(f"#model_{side}") for side in "ab"]
    ask(visitor, "Write a few lines about the autumn rain.")
    visitor.wait_for_selector("#chat_a .a-answer")
    visitor.reload()
    visitor.wait_for_selector("html[data-phase=ready]", timeout=60_000)
    assert visitor.locator(".a-side-head .a-side-name").all_inner_texts() == names
    visitor.click("#vote_b")
    expect(visitor.locator("#vote_b")).to_have_attribute("aria-pressed", "true")
    visitor.goto(f"{served}/direct?model={names[0]}")
    visitor.wait_for_selector("select:not([disabled])")
    visitor.fill("#prompt textarea", "Hello")
    visitor.press("#prompt textarea", "Enter")
    visitor.wait_for_selector("html[data-phase=ready]", timeout=60_000)
    visitor.click("#vote_good")
    expect(visitor.locator("#vote_good")).to_have_attribute("aria-pressed", "true")
    assert told.get(f"{served}/api/v1/status").json()["votes"] == votes
    assert len(told.get(f"{served}/api/v1/votes/export").text().splitlines()) == votes
    assert told.get(f"{served}/api/v1/me/battles").json()["battles"] == []


def test_a_restart_in_mid_battle_is_told_and_leads_back_to_a_defined_end(visitor: Page, tmp_path: Path) -> None:
    slow = {"ARENA_FRAME_SECONDS": "1", "ARENA_RELEASE_RATE": "2"}
    with arena(tmp_path, "--no-worker", **slow) as service:
        visitor.goto(f"{service.url}/")
        ask(visitor, "Write a long essay about rivers.")
        visitor.wait_for_selector("#chat_a .a-answer")
        service.stop()
        expect(visitor.locator("#notice-box")).to_be_visible()
        service.start()
        visitor.wait_for_selector("html[data-phase=void], html[data-phase=ready]", timeout=60_000)
        if visitor.evaluate("document.documentElement.dataset.phase") == "void":
            expect(visitor.locator(BOX)).to_have_value("Write a long essay about rivers.")
        expect(visitor.locator("#send")).to_be_enabled()


@pytest.mark.parametrize("apart", [False, True], ids=["own-site", "other-site"])
def test_pages_run_at_the_site_that_the_operator_names_and_show_in_a_tab_too(
    visitor: Page, tmp_path: Path, *, apart: bool
) -> None:
    service = Process(tmp_path, "serve", **{**FAST, "ARENA_DATA": str(tmp_path)})
    site = service.url.replace("127.0.0.1", "localhost") if apart else service.url
    service.environment |= {"ARENA_PUBLIC_URL": service.url, "ARENA_FRAME_ORIGIN": site if apart else ""}
    try:
        service.start()
        visitor.goto(f"{service.url}/")
        visitor.click("[data-act=web-kind][data-value=web_page]")
        ask(visitor, "a clock")
        visitor.click("[data-act=pages-run]", timeout=60_000)
        expect(visitor.locator("#stage iframe")).to_have_count(2)
        for frame in visitor.locator("#stage iframe").all():
            expect(frame.content_frame.locator("body")).to_contain_text(SOMETHING)
        running = [frame.url for frame in visitor.frames if "/frames/" in frame.url]
        assert [url.startswith(f"{site}/frames/") for url in running] == [True, True]
        visitor.click("#vote_tie")
        visitor.wait_for_selector("#reveal-box .a-card")
        with visitor.context.expect_page() as opened:
            visitor.locator(".a-stage-tab").first.click()
        expect(opened.value.frame_locator("iframe").locator("body")).to_contain_text(SOMETHING)
        assert opened.value.url.startswith(f"{site}/frames/")
    finally:
        service.stop()

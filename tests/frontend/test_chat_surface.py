"""The pages of chats from their first bytes on: what they load, and what they need of the browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Request, Route, expect

from arena.domain.terms import Side

from .fake_api import FakeArena
from .fake_chats import MODELS
from .test_battle_page import BOX, ask
from .test_chat_page import begin, ready
from .test_page_surface import BLOCKED, agree


def test_a_chat_under_a_policy_with_nothing_inline_asks_for_nothing_before_the_first_key(page: Page) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/api/" in request.url:
            asked.append(request.url)

    page.on("request", note)
    answer = page.goto("/side-by-side")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'; style-src 'self';" in policy
    assert "require-trusted-types-for 'script'; trusted-types arena" in policy
    html = answer.text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*(?: src=|application/json))", html)
    page.wait_for_selector("select:not([disabled])")
    page.wait_for_load_state("networkidle")
    page.remove_listener("request", note)
    assert asked == []


def test_enter_before_the_scripts_asks_the_models_of_the_link_once(page: Page, fake: FakeArena) -> None:
    held: list[Route] = []
    page.route("**/conversation.js", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks it
    page.goto(f"/side-by-side?model={MODELS[2]}&model={MODELS[0]}", wait_until="commit")
    page.fill(BOX, "early bird")
    page.press(BOX, "Enter")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    ready(page, "a")
    assert list(fake.chats.values()) == [[MODELS[2], MODELS[0]]]


def test_who_comes_back_does_not_see_the_start_page(page: Page) -> None:
    begin(page, "/direct")
    ask(page, "Where was I?")
    ready(page, "good")
    held: list[Route] = []
    page.route("**/conversation.js", lambda route: held.append(route))  # noqa: PLW0108 - playwright marks it
    page.reload(wait_until="commit")
    page.wait_for_selector("html[data-phase=starting] #composer")
    expect(page.locator("#choice")).to_be_hidden()
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    ready(page, "good")
    expect(page.locator("#chat_a .a-prompt")).to_have_text("Where was I?")


def test_a_chat_of_a_model_that_has_gone_goes_on_under_its_name(page: Page, fake: FakeArena) -> None:
    begin(page, "/direct")
    ask(page, "Still there?")
    ready(page, "good")
    (chat,) = fake.chats
    fake.chats[chat] = ["Gone Fox"]
    page.reload()
    ready(page, "good")
    expect(page.locator("#side_a .a-side-name")).to_have_text("Gone Fox")
    ask(page, "And now?")
    ready(page, "good")
    expect(page.locator("#chat_a .a-prompt")).to_have_count(2)


def test_models_at_random_are_never_the_same(page: Page) -> None:
    begin(page, "/side-by-side")
    pairs = set()
    for _ in range(20):
        page.click("[data-act=shuffle]")
        pairs.add(tuple(page.input_value(f"#model_{side}") for side in Side))
    assert all(a != b for a, b in pairs)
    assert len(pairs) > 1


def test_without_storage_a_chat_works_for_the_visit(page: Page, fake: FakeArena) -> None:
    fake.terms = 1
    page.add_init_script(BLOCKED)
    begin(page, "/direct")
    ask(page, "first")
    agree(page)
    ready(page, "good")
    page.click("#vote_bad")
    expect(page.locator("#vote_bad")).to_have_attribute("aria-pressed", "true")
    page.click("#new_round")
    ask(page, "and again")
    ready(page, "good")
    assert len(fake.chats) == 2

"""What a browser keeps may be anything: of an older page, cut, or of somebody's own hand. Each page works with it."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from arena_frontend.bundle import FOLDERS
from arena_frontend.texts import texts

from .fake_api import Battle, FakeArena
from .fake_owners import FakeOwners
from .sign_in_steps import sign_in_owner
from .test_battle_page import BOX, ask

pytestmark = pytest.mark.browser

KINDS: Final = ("battle", "side_by_side", "direct")
KEYS: Final = (
    *(f"arena_{kind}" for kind in KINDS),
    *(f"arena_{what}_{kind}" for what in ("unsent", "images") for kind in KINDS),
    *("arena_draft", "arena_side_by_side_draft", "arena_direct_draft", "arena_endpoint_draft"),
    *("arena_terms", "arena_receipts", "arena_read", "arena_log_seen", "arena_theme", "arena_judgement"),
    *(f"arena_{role}_key{end}" for role in ("owner", "operator") for end in ("", "_until")),
)
TURN: Final = {"id": "", "again": False, "turns": 0, "notice": 3}
GARBAGE: Final = (
    "",
    "{",
    "null",
    "[7, [[]]]",
    '"text"',
    "🦉\n\0 / ../ % é",
    "99999999999999",
    "x" * 300_000,
    "[" * 50_000,
    json.dumps({"id": {"a": []}, "outcome": "a", "shown": None, "bar": {"textContent": "gone"}}),
    json.dumps(TURN | {"body": {"prompt": 7, "images": {"length": 2}, "models": None}}),
    json.dumps(TURN | {"body": {"prompt": "", "images": [], "models": [{}]}}),
    json.dumps(TURN | {"body": None, "prompt": [], "register-name": 7, "register-preset": {"value": {"a": []}}}),
)
PUT: Final = """([keys, values, turn]) => {
  for (const place of [sessionStorage, localStorage])
    keys.forEach((key, index) => place.setItem(key, values[(index + turn) % values.length]));
}"""


def put(page: Page, turn: int) -> None:
    """Put garbage into all that pages keep, of another kind for each of them in each turn."""
    page.evaluate(PUT, [KEYS, GARBAGE, turn])


def forget(page: Page) -> None:
    page.evaluate("sessionStorage.clear(); localStorage.clear()")


def test_each_key_that_scripts_name_is_tried() -> None:
    scripts = [path.read_text("utf-8") for folder in FOLDERS for path in folder.rglob("*.js")]
    literal = {name for script in scripts for name in re.findall(r'"(arena_[a-z_]+)"', script)}
    assert literal <= {*KEYS}


@pytest.mark.parametrize("path", ["/", "/side-by-side", "/direct"])
def test_where_no_cookie_is_kept_the_question_comes_back_and_the_page_says_why(
    page: Page, fake: FakeArena, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its cookie the arena knows none of a visitor's conversations a moment later."""
    opened = fake.open

    def forget(*request: Any) -> Battle:
        battle = opened(*request)
        page_of = fake.battles if path == "/" else fake.chats
        asyncio.get_running_loop().call_soon(page_of.pop, battle.id, None)
        return battle

    monkeypatch.setattr(fake, "open", forget)
    page.goto(path)
    page.wait_for_selector("html[data-phase=empty]")
    if path != "/":
        page.wait_for_selector("select:not([disabled])")
    ask(page, "Which is older?")
    expect(page.locator("#notice-box")).to_contain_text(texts("en")["notice.cookies"])
    expect(page.locator(BOX)).to_have_value("Which is older?")
    assert page.evaluate("document.documentElement.dataset.phase") == "empty"


@pytest.mark.parametrize("path", ["/", "/side-by-side", "/direct"])
def test_a_conversation_begins_whatever_the_browser_keeps(page: Page, path: str) -> None:
    page.goto(path)
    for turn in range(len(GARBAGE)):
        put(page, turn)
        page.reload()
        page.wait_for_selector("html[data-phase=empty]:not([data-early])")
        assert page.get_attribute("html", "data-theme") == "light"
        expect(page.locator(BOX)).to_be_editable()
    ask(page)
    page.wait_for_selector("html[data-phase=ready]")
    forget(page)


@pytest.mark.owners
def test_an_owner_signs_in_whatever_the_browser_keeps(page: Page, owners: FakeOwners) -> None:
    page.goto("/owners")
    for turn in range(len(GARBAGE)):
        put(page, turn)
        page.reload()
        page.wait_for_selector("#signin")
    sign_in_owner(page, owners)
    forget(page)


@pytest.mark.owners
def test_an_owner_fills_in_a_form_whatever_the_browser_keeps_of_it(page: Page, owners: FakeOwners) -> None:
    page.goto("/owners")
    page.check("#signin-stay")
    sign_in_owner(page, owners)
    page.goto("/owners#new")
    for value in GARBAGE:
        page.evaluate("value => sessionStorage.setItem('arena_endpoint_draft', value)", value)
        page.reload()
        page.wait_for_selector("#register-name")
    page.fill("#register-name", "heron-2")
    page.reload()
    expect(page.locator("#register-name")).to_have_value("heron-2")
    forget(page)

"""The header of every page: its entries at every width, languages and appearance."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from arena.domain.schemas.site import SiteView
from arena.domain.terms import Access
from arena_frontend.markup import HEAD, PAGES
from arena_frontend.texts import LANGUAGES

from .fake_api import FakeArena

WIDTHS = (320, 339, 340, 360, 389, 390, 429, 430, 540, 600, 720, 721, 760, 761, 840, 841, 960, 961, 1101, 1600)
"""Those on both sides of a change of layout, and of common windows."""
PHONE: ViewportSize = {"width": 390, "height": 800}
BOXES = """(selector) => [...document.querySelectorAll(selector)].filter((part) => part.offsetWidth).map((part) => {
  const { left, right } = part.getBoundingClientRect();
  return [part.dataset.page ?? part.className, left, right];
})"""


def boxes(page: Page, selector: str) -> list[Any]:
    """Name, left and right edge of each visible part."""
    return page.evaluate(BOXES, selector)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_parts_of_the_header_stand_side_by_side_at_every_width(page: Page, language: str) -> None:
    page.goto(f"/no-such-page?lang={language}")
    wrong: dict[int, object] = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        parts = boxes(page, ".a-nav > a, .a-nav-links a, .a-nav-more, .a-langs, .a-theme")
        names = [name for name, _, _ in parts]
        entries = [name for name in names if name in PAGES]
        shown = list(PAGES) if width > 760 else list(PAGES)[:HEAD]
        inside = parts[0][1] >= 0 and parts[-1][2] <= width
        if entries != shown or not inside or any(left[2] > right[1] + 1 for left, right in pairwise(parts)):
            wrong[width] = parts
    assert wrong == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_to_sign_in_of_members_has_its_place_at_every_width(page: Page, fake: FakeArena, language: str) -> None:
    fake.site = SiteView(access=Access.MEMBERS_VOTE)
    page.goto(f"/about?lang={language}")
    wrong: dict[int, object] = {}
    for width in (*WIDTHS, 860, 900):
        page.set_viewport_size({"width": width, "height": 800})
        parts = boxes(page, ".a-nav > a, .a-nav-links a, .a-nav-more, .a-langs, .a-theme")
        has_way = width <= 760 or "sign_in" in [name for name, _, _ in parts]
        is_inside = parts[0][1] >= 0 and parts[-1][2] <= width - 6
        if not has_way or not is_inside or any(left[2] > right[1] + 1 for left, right in pairwise(parts)):
            wrong[width] = parts
    assert wrong == {}


NAMED = """(name) => {
  const [brand, span] = [".a-brand", ".a-brand span"].map((part) => document.querySelector(part));
  if (name) span.textContent = name;
  const [box, text] = [brand, span].map((part) => part.getBoundingClientRect());
  const mark = brand.querySelector(".a-mark").getBoundingClientRect();
  const isWhole = text.top >= box.top - 1 && text.bottom <= box.bottom + 1 && text.right <= box.right + 1;
  const bar = document.querySelector(".a-bar").offsetHeight;
  return [mark.left >= 0 && mark.width >= 24 && mark.right <= box.right + 1, isWhole, text.top >= box.bottom, bar];
}"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "name", ["", "Arena of the Institute for Comparing Models", "大型语言模型公开对战与评测竞技场"]
)
def test_the_mark_is_in_sight_at_every_width_and_the_name_whole_or_not_at_all(
    page: Page, language: str, name: str
) -> None:
    page.goto(f"/no-such-page?lang={language}")
    whole: list[int] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        has_mark, is_whole, is_cut_off, height = page.evaluate(NAMED, name)
        assert (has_mark, is_whole != is_cut_off, height) == (True, True, 56), width
        whole += [width] * is_whole
    assert name or {600, 1600} <= set(whole)


@pytest.mark.parametrize("language", ["zh", "zh-TW"])
def test_a_phone_shows_the_chinese_name_beside_the_mark(page: Page, language: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/no-such-page?lang={language}")
    assert page.evaluate(NAMED, "")[1]


def test_the_other_entries_of_a_phone_are_behind_one_button(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/mine")
    more = page.locator(".a-nav-more")
    expect(more).to_have_attribute("aria-current", "true")
    links = page.locator(".a-nav-links a")
    expect(links.first).to_be_hidden()
    more.click()
    assert [name for name, _, _ in boxes(page, ".a-nav-links a")] == list(PAGES)[HEAD:]
    page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    expect(links.first).to_be_visible()
    page.click("h1", position={"x": 2, "y": 2})
    expect(links.first).to_be_hidden()
    expect(more).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_other_entries_open_under_their_button_at_every_width(page: Page, language: str) -> None:
    page.goto(f"/no-such-page?lang={language}")
    page.set_viewport_size(PHONE)
    page.click(".a-nav-more")
    wrong: dict[int, object] = {}
    for width in (width for width in WIDTHS if width <= 760):
        page.set_viewport_size({"width": width, "height": 800})
        button, box = (page.locator(part).bounding_box() for part in (".a-nav-more", ".a-nav-links"))
        assert button is not None
        assert box is not None
        right, bottom = button["x"] + button["width"], button["y"] + button["height"]
        is_near = abs(box["x"] + box["width"] - right) <= 1 and 0 <= box["y"] - bottom <= 12
        if not is_near or box["x"] < 0 or right > width:
            wrong[width] = (button, box)
    assert wrong == {}


def test_one_click_changes_the_appearance(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/about")
    root = page.locator("html")
    for theme in ("dark", "light", "dark"):
        page.click(".a-theme")
        expect(root).to_have_attribute("data-theme", theme)
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize("language", LANGUAGES)
def test_language_appearance_and_leaderboard_are_in_sight_at_every_width(page: Page, language: str):
    page.goto(f"/owners?lang={language}")
    page.wait_for_selector("#foot")
    for width in (320, 390, 600, 721, 760, 820, 895, 960, 1000, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        for tool in (".a-langs", ".a-theme", ".a-nav [data-page=leaderboard]"):
            expect(page.locator(tool)).to_be_in_viewport(ratio=0.95)


def test_without_a_script_a_phone_shows_all_entries(browser: Browser, fake: FakeArena, address: str) -> None:
    with browser.new_context(java_script_enabled=False, viewport=PHONE, base_url=address) as context:
        page = context.new_page()
        page.goto("/about")
        expect(page.locator(".a-nav-links a").last).to_be_in_viewport()

"""The battle page for people who do not see or point: the keyboard alone, and what is read to them."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .fake_api import FakeArena
from .test_battle_page import BOX, ask, begin, ready

UNCOVERED = """() => {
  const { x, y, width, height } = document.activeElement.getBoundingClientRect();
  return document.activeElement.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""Whether nothing lies over what has the focus."""


def tab_to(page: Page, selector: str, limit: int = 60) -> None:
    for _ in range(limit):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {selector}")


def test_a_whole_round_needs_no_pointer(page: Page, fake: FakeArena) -> None:
    page.set_viewport_size({"width": 768, "height": 800})
    fake.terms = 1
    begin(page)
    expect(page.locator(BOX)).to_be_focused()
    page.keyboard.type("Only keys")
    page.keyboard.press("Enter")
    expect(page.locator(".a-agree")).to_be_focused()
    page.wait_for_timeout(850)  # a second Enter sooner than that agrees to nothing
    page.keyboard.press("Enter")
    ready(page)
    expect(page.locator(BOX)).to_be_focused()
    tab_to(page, "#vote_tie")
    page.keyboard.press("Enter")
    page.wait_for_selector("#reveal-box .a-card")
    expect(page.locator("#reveal-box")).to_be_focused()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    tab_to(page, ".a-remarks summary")
    assert page.evaluate(UNCOVERED)
    tab_to(page, "[data-act=share]")
    assert page.evaluate(UNCOVERED)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, ".a-chip")
    page.keyboard.press("Space")
    tab_to(page, ".a-star input")
    page.keyboard.press("Space")
    tab_to(page, ".a-save")
    page.keyboard.press("Enter")
    expect(page.locator(".a-remarks-say")).to_contain_text("Saved")
    (said,) = fake.remarks.values()
    assert said.a
    assert (said.a.reasons, list(said.a.stars)) == (["useful"], ["accuracy"])
    tab_to(page, "#new_round")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-phase=empty]")
    expect(page.locator(BOX)).to_be_focused()


def test_the_language_menu_opens_closes_and_leads_on_by_keys(page: Page) -> None:
    begin(page)
    page.focus(".a-langs summary")
    page.keyboard.press("Enter")
    expect(page.locator(".a-langs a").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".a-langs a").first).to_be_hidden()
    expect(page.locator(".a-langs summary")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[lang=zh-TW][data-phase=empty]")
    expect(page.locator("#send")).to_have_text("送出")


def test_live_regions_do_not_spell_tokens(page: Page, fake: FakeArena) -> None:
    """While two answers grow, nothing changes inside a live region that is on."""
    fake.pace = 0.1
    begin(page)
    page.evaluate(
        """() => {
          window.spoken = [];
          const live = (node) => {
            const region = node.closest?.("[aria-live], [role=status], [role=alert], [role=log]");
            return region && region.getAttribute("aria-live") !== "off" && region;
          };
          new MutationObserver((changes) => {
            for (const { target } of changes) {
              const region = live(target.nodeType === 1 ? target : target.parentElement);
              if (region) window.spoken.push(region.textContent.trim());
            }
          }).observe(document.body, { childList: true, characterData: true, subtree: true });
        }"""
    )
    ask(page)
    ready(page)
    spoken = {text for text in page.evaluate("window.spoken") if text}
    assert spoken <= {"Both models are answering.", "Both answers are ready. You can vote now."}

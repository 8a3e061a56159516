"""Reuses a loaded page for the tests of a module, since loading takes longer than most tests.

After a test the page is reset by its own functions: a new round, or signing out. If that is not possible, the next test
loads the page again; after a failed test it also gets a new tab.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, ViewportSize

from .serving import EMPTY

WINDOW: Final[ViewportSize] = {"width": 1280, "height": 800}
_SOON: Final = """const soon = async (holds) => {
  for (let tries = 0; tries < 100 && !holds(); tries++) await new Promise((done) => setTimeout(done, 10));
  return holds();
};
const first = (selector) => document.querySelector(selector);
for (const open of document.querySelectorAll("dialog")) open.close();
if (document.documentElement.lang !== "en" || location.search) return false;
"""
_CLEAN: Final = """sessionStorage.clear();
localStorage.clear();
scrollTo(0, 0);
window.rested = true;
return true;"""
_BATTLE: Final = f"""async () => {{
  {_SOON}
  const {{ dataset }} = document.documentElement;
  if (!["empty", "ready", "voted", "void"].includes(dataset.phase)) return false;
  first(":is(#new_round, #skip):not([hidden])")?.click();
  const box = first("#prompt textarea");
  box.value = "";
  box.dispatchEvent(new Event("input", {{ bubbles: true }}));
  for (const told of ["#say", "#reveal-box"]) first(told).replaceChildren();
  const left = ":is(#chat_a, #chat_b) :is(.a-prompt, .a-answer), #images .a-image, #notice-box > :not([hidden])";
  if (!(await soon(() => !first(left)))) return false;
  if (!first("#practice-line").hidden) return false;
  {_CLEAN}
}}"""
_SIGNED: Final = f"""async () => {{
  {_SOON}
  const out = () => first("[data-name=signout]"), door = () => first("#signin, #operator-in");
  if (!door() && !out()) location.hash = "";
  if (!(await soon(() => door() || out()))) return false;
  out()?.click();
  if (!(await soon(door))) return false;
  history.replaceState(null, "", location.pathname);
  {_CLEAN}
}}"""
_BOARD: Final = f"""async () => {{
  history.replaceState(null, "", location.pathname);
  {_SOON}
  Object.defineProperty(document, "hidden", {{ value: true, configurable: true }});
  first("#board").replaceChildren();
  {_CLEAN}
}}"""
_USUAL: Final = "matchMedia('(prefers-color-scheme: light) and (prefers-reduced-motion: reduce)').matches"
_BACK: Final = {"/": _BATTLE, "/owners": _SIGNED, "/operator": _SIGNED, "/leaderboard": _BOARD}


def reset(page: Page) -> None:
    """Reset a page to its state after loading, or empty its tab if that is not possible."""
    reset_view(page)
    script = _BACK.get(urlsplit(page.url).path)
    if not script or not page.evaluate(script):
        empty(page)


def empty(page: Page) -> None:
    """Replace the page in a tab by an empty one."""
    reset_view(page)
    page.goto(EMPTY)
    page.evaluate("sessionStorage.clear()")


def reset_view(page: Page) -> None:
    """Reset routes, media and window; setting the same media again paints the whole page anew."""
    page.unroute_all(behavior="ignoreErrors")
    if not page.evaluate(_USUAL):
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
    if page.viewport_size != WINDOW:
        page.set_viewport_size(WINDOW)


def is_reset(page: Page) -> bool:
    """Whether a page has been reset since the last call; only the first call after a reset returns True."""
    return bool(page.evaluate("(() => { const { rested } = window; window.rested = false; return rested; })()"))


def load_once(page: Page, load: Callable[[], object]) -> None:
    """Call `load` unless the page has been reset after another test."""
    if not is_reset(page):
        load()

"""Answers of hostile markup, streamed to the battle page in a real browser, before the vote and after it.

The page has no Content-Security-Policy here, so what holds is the rendering alone; `test_rendered_answers.py` looks at
single prefixes, this at whole rounds: scripts, requests, the page around the answers, names, and links.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from arena.domain.answers import formulae, markdown
from arena.domain.terms import Side

from .conftest import until
from .fake_api import FakeArena
from .markup import FENCES, KINDS
from .screens import SCREENS
from .test_battle_page import ask, begin, ready

MIXED = [
    text for row in zip_longest(*(texts for kind, texts in KINDS.items() if kind != "fences")) for text in row if text
]
ANSWERS = 10
"""In how many answers all of them come, two to a round; each ends with code that does not."""

LOOKS = f"({Path(__file__).with_name('markup.js').read_text(encoding='utf-8')})"
PRESSABLE = ":is(#chat_a, #chat_b) .a-address[data-address]"
ELEMENTS = sorted({*markdown.ELEMENTS, *formulae.ELEMENTS, "button"})
FIND = """(elements) => {
  const found = [];
  for (const part of document.querySelectorAll(":is(#chat_a, #chat_b) .a-answer *")) {
    if (!elements.includes(part.localName)) found.push(part.outerHTML.slice(0, 200));
    if (part.localName === "button" && part.dataset.act !== "copy-code") found.push(part.outerHTML.slice(0, 200));
    for (const { name } of part.attributes)
      if (/^(on|style|id$|href|src|xlink|action|draggable)/.test(name)) found.push(`${name} of ${part.localName}`);
  }
  return found;
}"""
"""What stands in an answer beside the elements of the server's lists and the page's own buttons."""


@dataclass
class Watch:
    """What a page has done that it must not do."""

    page: Page
    origin: str
    faults: list[str] = field(default_factory=list)

    def requested(self, route: Route) -> None:
        url = route.request.url
        if url.startswith((f"{self.origin}/", "data:image/", "data:font/")):
            return route.fallback()
        self.faults.append(f"request: {url}")
        return route.abort()

    def begin(self) -> None:
        self.page.context.route("**/*", self.requested)
        for event in ("dialog", "popup", "websocket", "download", "worker"):
            self.page.on(event, lambda what, event=event: self.heard(event, what))  # type: ignore[call-overload]

    def heard(self, event: str, what: object) -> None:
        if event != "worker" or not getattr(what, "url", "").startswith(f"{self.origin}/"):
            self.faults.append(f"{event}: {what}")
        if event == "dialog":
            what.dismiss()  # type: ignore[attr-defined]

    def look(self) -> list[str]:
        """All faults so far, of scripts and of places too."""
        ran = ["a script ran"] if self.page.evaluate("'ran' in window || 'ran' in document") else []
        frames = [f"frame: {frame.url}" for frame in self.page.frames[1:]]
        moved = [] if self.page.url == f"{self.origin}/" else [f"moved to {self.page.url}"]
        return [*self.faults, *ran, *frames, *moved]


@pytest.fixture
def bare(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A visitor whose pages have no CSP."""
    with browser.new_context(locale="en-US", base_url=address, bypass_csp=True, reduced_motion="reduce") as context:
        yield context


@pytest.fixture
def watch(bare: BrowserContext, address: str) -> Watch:
    watch = Watch(bare.new_page(), address)
    watch.begin()
    return watch


def answers() -> list[str]:
    shares = [MIXED[number::ANSWERS] for number in range(ANSWERS)]
    endings = [[text] for text in FENCES] + [[]]
    return ["\n\n".join(chain(share, ending)) for share, ending in zip(shares, endings, strict=True)]


def see(page: Page, what: str) -> Any:
    """What one of the functions of `markup.js` says of the page."""
    return page.evaluate(f"{LOOKS}.{what}()")


def check(watch: Watch, around: dict[str, object]) -> None:
    page = watch.page
    see(page, "press")
    assert watch.look() == []
    assert page.evaluate(FIND, ELEMENTS) == []
    assert see(page, "within") == []
    assert see(page, "reached") == []
    assert see(page, "around") == around


def test_nothing_in_a_hostile_answer_runs_reaches_out_or_touches_the_page_around_it(
    watch: Watch, fake: FakeArena
) -> None:
    assert sum(map(len, KINDS.values())) >= 71
    page = watch.page
    fake.pace = 0.002
    begin(page)
    ask(page, "Hello")
    ready(page)
    around = see(page, "around")
    told = answers()
    for number in range(0, ANSWERS, 2):
        fake.answers = dict(zip(Side, told[number : number + 2], strict=True))
        ask(page, f"{MIXED[number]} {FENCES[number % len(FENCES)]}")
        until(page, f"document.querySelectorAll('#chat_b .a-answer').length === {2 + number // 2}")
        ready(page)
        page.wait_for_timeout(300)
        check(watch, around)
        assert see(page, "live") == []
    page.set_viewport_size(SCREENS["telephone"])
    page.wait_for_timeout(300)
    assert [see(page, look) for look in ("within", "reached")] == [[], []]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.click("#vote_tie", timeout=5_000)
    page.wait_for_selector("#reveal-box .a-card")
    page.wait_for_selector(PRESSABLE)
    page.wait_for_timeout(500)
    assert watch.look() == []
    assert page.evaluate(FIND, ELEMENTS) == []
    assert see(page, "within") == []
    left(watch)


def left(watch: Watch) -> None:
    """After the vote: each link says in a dialog where it leads, and only from there goes out, alone and unnamed."""
    page = watch.page
    links = page.locator(PRESSABLE)
    schemes = links.evaluate_all("(found) => [...new Set(found.map((link) => new URL(link.dataset.address).protocol))]")
    assert set(schemes) <= {"https:", "http:"}
    assert links.count() > 20
    assert page.locator(":is(#chat_a, #chat_b) :is(a[href], [*|href])").count() == 0
    for number in (0, links.count() // 2, links.count() - 1):
        links.nth(number).click()
        out = page.locator("dialog[open] a")
        assert out.get_attribute("target") == "_blank"
        assert {"noopener", "noreferrer", "nofollow"} <= set((out.get_attribute("rel") or "").split())
        assert out.get_attribute("referrerpolicy") == "no-referrer"
        page.keyboard.press("Escape")
    assert watch.look() == []

"""The front end, a browser and an address once per run, an arena of its own per test.

Tests with the fixture `page` are one browser context's visitors, one after the other in one tab: it keeps the scripts
it has read, and forgets everything else. A module with the mark `resting` keeps the loaded page too, see
`resting.py`. The mark `alone` gives a test a context to itself, for what a context or a tab cannot take back.

Playwright's synchronous interface keeps an event loop of its own running, which is put aside at the end of each module
with a browser: asynchronous tests live in other modules.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from arena_frontend import page_cache
from arena_frontend.app import create_app
from arena_frontend.asgi import Site
from tests.paths import ROOT

from . import fake_owners
from .canary import Canary, listen
from .contract import ContractCheck
from .fake_api import FakeArena, create
from .fake_owners import FakeOwners
from .html_tree import Reader, reader
from .resting import WINDOW, empty, reset
from .serving import EMPTY, SharedServer, serve, shared_server

PATIENCE = 60_000
"""Milliseconds: other tests have the processors meanwhile."""
expect.set_options(timeout=PATIENCE)

FAILED = pytest.StashKey[bool]()
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--process-per-site",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


@pytest.fixture(scope="session")
def pages() -> Site:
    page_cache.load()  # on a busy machine rendering them takes longer than a browser waits
    return create_app(fresh=0)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The headless shell where there is one: without a window's machinery a page costs half the processor time."""
    program = (
        os.environ.get("ARENA_TEST_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    )
    if not program:
        pytest.skip("no Chromium: install Debian's chromium or set ARENA_TEST_CHROMIUM")
    return program


def until(page: Page, holds: str) -> None:
    """Wait until an expression holds; `wait_for_function` makes a script of it, which the pages' policy forbids."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(holds):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(50)


MOVE_MOUSE = """addEventListener("DOMContentLoaded", () =>
  dispatchEvent(new MouseEvent("pointermove", { movementX: 1 })))"""
"""A hand on the mouse, for which the engine of a page waits."""


def open_context(new_context: Callable[..., BrowserContext], *, stirs: bool = True, **how: Any) -> BrowserContext:
    """Nothing turns or shimmers unless a test wants it to: each frame is painted without a graphics card.

    The visitor moves the mouse as soon as a page is there, unless it `stirs` not.
    """
    context = new_context(**{"reduced_motion": "reduce", **how})
    context.set_default_timeout(PATIENCE)
    if stirs:
        context.add_init_script(MOVE_MOUSE)
    return context


@dataclass(frozen=True)
class Chromium:
    """A browser, the context that tests share, and the loop in which both are driven."""

    browser: Browser
    visitors: BrowserContext
    loop: asyncio.AbstractEventLoop

    @contextmanager
    def driven(self) -> Iterator[None]:
        """Only meanwhile does this thread have Playwright's loop, so that asynchronous tests can have theirs."""
        asyncio._set_running_loop(self.loop)
        yield
        asyncio._set_running_loop(None)


@pytest.fixture(scope="package")
def running(chromium: str, door: SharedServer) -> Iterator[Chromium]:
    """With a page that stays, so that the process in which the scripts are compiled does too."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_OPTIONS)
        browser.new_context = partial(open_context, browser.new_context)
        visitors = browser.new_context(locale="en-US", base_url=door.address, viewport=WINDOW)
        visitors.new_page().goto(EMPTY)
        running = Chromium(browser, visitors, asyncio.get_running_loop())
        asyncio._set_running_loop(None)
        yield running
        asyncio._set_running_loop(running.loop)
        browser.close()


@pytest.fixture(scope="module")
def browser(running: Chromium) -> Iterator[Browser]:
    with running.driven():
        yield running.browser


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.is_file():
        pytest.skip("no axe-core: npm install --no-save axe-core")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture
def fake() -> FakeArena:
    return FakeArena()


@pytest.fixture(scope="package")
def door() -> Iterator[SharedServer]:
    with shared_server() as door:
        yield door


@pytest.fixture
def owners() -> FakeOwners:
    return FakeOwners()


@pytest.fixture
def app(request: pytest.FixtureRequest, fake: FakeArena) -> FastAPI:
    """The voters' part of the API, or with the mark `owners` that of owners and operators."""
    if request.node.get_closest_marker("owners"):
        return fake_owners.create(request.getfixturevalue("owners"))
    return create(fake)


@pytest.fixture
def arena(fake: FakeArena, pages: Site) -> Reader:
    """The pages of the fake arena, read without a browser."""
    return reader(fake, pages)


@pytest.fixture
def address(app: FastAPI, door: SharedServer, pages: Site) -> Iterator[str]:
    app.mount("/", pages)
    checked = ContractCheck(app)
    with door.holding(checked) as address:
        yield address
    assert checked.wrong == []


@contextmanager
def serving(app: FastAPI, pages: Site) -> Iterator[str]:
    """The pages on a small server, none of whose answers the real API would not give."""
    app.mount("/", pages)
    checked = ContractCheck(app)
    with serve(checked) as served:
        yield served
    assert checked.wrong == []


@pytest.fixture
def canary() -> Iterator[Canary]:
    with listen() as bird:
        yield bird


@dataclass
class Visit:
    """A page, and what it complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    leave: Callable[[Page], object] = empty

    @classmethod
    def begin(cls, context: BrowserContext) -> Visit:
        visit = cls(context.new_page())
        visit.page.on("pageerror", lambda error: visit.complaints.append(f"error: {error}"))
        visit.page.on("console", lambda line: visit.hear(line.type, line.text))
        return visit

    def hear(self, kind: str, text: str) -> None:
        if kind == "error" and "Failed to load resource" not in text and "ERR_" not in text:
            self.complaints.append(text)


@pytest.fixture(scope="module")
def rested(browser: Browser) -> Iterator[list[Visit]]:
    """The tab that a module's tests use one after the other, unless it was closed: a new one costs half a load."""
    rested: list[Visit] = []
    yield rested
    for visit in rested:
        visit.page.close()


@pytest.fixture
def context(
    request: pytest.FixtureRequest, running: Chromium, browser: Browser, address: str, rested: list[Visit]
) -> Iterator[BrowserContext]:
    if request.node.get_closest_marker("alone"):
        with browser.new_context(locale="en-US", base_url=address, viewport=WINDOW) as context:
            yield context
        return
    context = running.visitors
    yield context
    stays, *left = context.pages
    for page in left:
        if all(page is not visit.page for visit in rested):
            page.close()
    context.set_offline(False)
    context.clear_cookies()
    context.clear_permissions()
    stays.evaluate("localStorage.clear()")


@pytest.fixture
def visit(request: pytest.FixtureRequest, context: BrowserContext, rested: list[Visit]) -> Iterator[Visit]:
    """A fresh visitor with English pages; anything a page complains about fails the test."""
    alone = bool(request.node.get_closest_marker("alone"))
    visit = rested.pop() if rested and not alone else Visit.begin(context)
    visit.leave = empty
    yield visit
    if alone or FAILED in request.node.stash or not reset_tab(visit):
        visit.page.close()
    else:
        rested.append(visit)
    assert not visit.complaints


def reset_tab(visit: Visit) -> bool:
    """Whether another test may have the tab."""
    try:
        visit.leave(visit.page)
    except Error:
        return False
    return not visit.complaints


READ_AT_LOAD = ("terms", "practice", "endpoints", "vision", "sets", "beside")
"""What a page asks once, when it is loaded."""


@pytest.fixture
def page(request: pytest.FixtureRequest, visit: Visit, fake: FakeArena) -> Iterator[Page]:
    """An empty tab, or with the mark `resting` the page that the test before has put back, if it could."""
    yield visit.page
    default = FakeArena()
    plain = all(getattr(fake, name) == getattr(default, name) for name in READ_AT_LOAD)
    if plain and request.node.get_closest_marker("resting"):
        visit.leave = reset


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
        visit = getattr(item, "funcargs", {}).get("visit")
        report.sections += [("Page", screen(visit))] if visit else []
    return report


def screen(visit: Visit) -> str:
    """What a person would see of a page now, for the report of a test that failed."""
    try:
        text = visit.page.evaluate("document.body.innerText")
    except Error as error:
        text = str(error)
    return "\n".join([visit.page.url, *visit.complaints, text[:2000]])

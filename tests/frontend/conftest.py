"""Fixtures: the front end, a browser and a server once per run, and a fake arena per test.

Tests with the fixture `page` share one browser context and one tab, which keeps loaded scripts and forgets everything
else. Tests of a module with the mark `resting` share the loaded page too, see `resting.py`. The mark `alone` gives a
test its own context, for changes that cannot be undone in a context or tab.

Playwright's synchronous API keeps an event loop running. It is removed from the thread at the end of each module with a
browser, so asynchronous tests must be in other modules.
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
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from arena_frontend.app import create_app
from arena_frontend.asgi import Site
from tests.paths import ROOT

from . import fake_owners
from .canary import Canary, listen
from .contract import ContractCheck
from .fake_api import FakeArena, create
from .fake_owners import FakeOwners
from .firefox import Firefox, firefox
from .html_tree import Reader, reader
from .resting import WINDOW, empty, reset
from .serving import EMPTY, SharedServer, serve, shared_server
from .webkit import WebKit, webkit

PATIENCE = 60_000
"""Timeout in milliseconds; other tests use the processors at the same time."""
expect.set_options(timeout=PATIENCE)

FAKE_CLOCK = "a fake clock stays in its context, where later tests would wait forever: mark the test `alone`"
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
    return create_app(fresh=0)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of Chromium; the headless shell is preferred, since a page takes half the processor time there."""
    program = (
        os.environ.get("ARENA_TEST_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    )
    if not program:
        pytest.skip("no Chromium: install Debian's chromium or set ARENA_TEST_CHROMIUM")
    return program


def until(page: Page, holds: str) -> None:
    """Poll a JavaScript expression; `wait_for_function` injects a script, which the pages' policy forbids."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(holds):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(50)


def open_context(new_context: Callable[..., BrowserContext], **how: Any) -> BrowserContext:
    """Open a context with long timeouts and without animations, since each frame is painted in software."""
    context = new_context(**{"reduced_motion": "reduce", **how})
    context.set_default_timeout(PATIENCE)
    return context


@dataclass(frozen=True)
class Chromium:
    """A browser, the context that tests share, and Playwright's event loop."""

    browser: Browser
    visitors: BrowserContext
    loop: asyncio.AbstractEventLoop

    @contextmanager
    def driven(self) -> Iterator[None]:
        """Set Playwright's loop as running in this thread; outside of this, asynchronous tests run their own."""
        asyncio._set_running_loop(self.loop)
        yield
        asyncio._set_running_loop(None)


@pytest.fixture(scope="package")
def running(chromium: str, door: SharedServer) -> Iterator[Chromium]:
    """Chromium with a page that stays open, so that the process with the compiled scripts does not end."""
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


@pytest.fixture(scope="module")
def isolated(browser: Browser, chromium: str) -> Iterator[Browser]:
    """A browser that gives sandboxed frames a process, as Chromium does and its headless shell does not."""
    args = [*(arg for arg in CHROMIUM_OPTIONS if arg != "--process-per-site"), "--site-per-process"]
    isolated = browser.browser_type.launch(executable_path=chromium, args=args)
    yield isolated
    isolated.close()


@pytest.fixture(scope="module")
def apart(isolated: Browser, door: SharedServer) -> Iterator[BrowserContext]:
    """The context of that browser, which keeps the pages' scripts from one test to the next."""
    with open_context(isolated.new_context, locale="en-US", base_url=door.address, viewport=WINDOW) as apart:
        yield apart


@contextmanager
def new_tab(context: BrowserContext) -> Iterator[Page]:
    """A tab for one test, in a context that forgets all but files afterwards; nobody hears the tab's complaints."""
    with context.new_page() as tab:
        yield tab
        tab.evaluate("localStorage.clear()")
    for left in context.pages:
        left.close()
    context.clear_cookies()


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
    assert checked.violations == []


@contextmanager
def serving(app: FastAPI, pages: Site) -> Iterator[str]:
    """Serve the pages with a fake API; fails if an answer does not fit openapi.json."""
    app.mount("/", pages)
    checked = ContractCheck(app)
    with serve(checked) as served:
        yield served
    assert checked.violations == []


@pytest.fixture
def canary() -> Iterator[Canary]:
    with listen() as bird:
        yield bird


@dataclass
class Visit:
    """A page, and the errors in its console."""

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
    """The tab that the tests of a module share; a new tab takes half as long as loading a page."""
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
    assert stays.evaluate("localStorage.clear(), /native code/.test(setTimeout)"), FAKE_CLOCK


@pytest.fixture
def visit(request: pytest.FixtureRequest, context: BrowserContext, rested: list[Visit]) -> Iterator[Visit]:
    """A new visitor who reads English; an error in the page's console fails the test."""
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
    """Reset the tab for the next test; False if that is not possible."""
    try:
        visit.leave(visit.page)
    except Error:
        return False
    return not visit.complaints


READ_AT_LOAD = ("terms", "practice", "mixed", "endpoints", "vision", "sets", "board_data")
"""Attributes of the fake arena that a page reads only once, when it is loaded."""


@pytest.fixture
def page(request: pytest.FixtureRequest, visit: Visit, fake: FakeArena) -> Iterator[Page]:
    """An empty tab, or with the mark `resting` the page that the previous test has left, if it could be reset."""
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
    """Address, errors and text of a page, for the report of a failed test."""
    try:
        text = visit.page.evaluate("document.body.innerText")
    except Error as error:
        text = str(error)
    return "\n".join([visit.page.url, *visit.complaints, text[:2000]])


@pytest.fixture(params=["firefox", "webkit"])
def other_browser(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Firefox | WebKit]:
    """A browser of another engine."""
    with firefox(tmp_path) if request.param == "firefox" else webkit() as opened:
        yield opened

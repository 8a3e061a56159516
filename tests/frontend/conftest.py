"""The front end, a browser and an address once per run, an arena of its own per test.

Tests with the fixture `page` are one browser context's visitors, one after the other: it keeps the scripts it has read,
and forgets everything else. The mark `alone` gives a test a context to itself, for what a context cannot take back.

Playwright's synchronous interface keeps an event loop of its own running, which is put aside at the end of each module
with a browser: asynchronous tests live in other modules.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from arena.frontend import page_cache
from arena.frontend.app import create_app
from arena.frontend.asgi import Gate
from tests.paths import ROOT

from .canary import Canary, listening
from .contract import Checked
from .fake_api import FakeArena, create
from .serving import EMPTY, Door, opened, serve

PATIENCE = 60_000
"""Milliseconds: other tests have the processors meanwhile."""
expect.set_options(timeout=PATIENCE)

WINDOW: ViewportSize = {"width": 1280, "height": 800}
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
QUIET = [
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
def pages() -> Gate:
    page_cache.load()  # on a busy machine rendering them takes longer than a browser waits
    return create_app()


@pytest.fixture(scope="session")
def chromium() -> str:
    """The headless shell where there is one: without a window's machinery a page costs half the processor time."""
    found = os.environ.get("ARENA_TEST_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not found:
        pytest.skip("no Chromium: install Debian's chromium or set ARENA_TEST_CHROMIUM")
    return found


def until(page: Page, holds: str) -> None:
    """Wait until an expression holds; `wait_for_function` makes a script of it, which the pages' policy forbids."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(holds):
        assert time.monotonic() < end, holds
        page.wait_for_timeout(50)


def patient(new_context: Callable[..., BrowserContext], **how: Any) -> BrowserContext:
    """Nothing turns or shimmers unless a test wants it to: each frame is painted without a graphics card."""
    context = new_context(**{"reduced_motion": "reduce", **how})
    context.set_default_timeout(PATIENCE)
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
def running(chromium: str, door: Door) -> Iterator[Chromium]:
    """With a page that stays, so that the process in which the scripts are compiled does too."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        browser.new_context = partial(patient, browser.new_context)
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
def door() -> Iterator[Door]:
    with opened() as door:
        yield door


@pytest.fixture
def app(fake: FakeArena) -> FastAPI:
    return create(fake)


@pytest.fixture
def address(app: FastAPI, door: Door, pages: Gate) -> Iterator[str]:
    app.mount("/", pages)
    checked = Checked(app)
    with door.holding(checked) as address:
        yield address
    assert checked.wrong == []


@contextmanager
def serving(app: FastAPI, pages: Gate) -> Iterator[str]:
    """The pages on a small server, none of whose answers the real API would not give."""
    app.mount("/", pages)
    checked = Checked(app)
    with serve(checked) as served:
        yield served
    assert checked.wrong == []


@pytest.fixture
def canary() -> Iterator[Canary]:
    with listening() as bird:
        yield bird


@pytest.fixture
def context(
    request: pytest.FixtureRequest, running: Chromium, browser: Browser, address: str
) -> Iterator[BrowserContext]:
    if request.node.get_closest_marker("alone"):
        with browser.new_context(locale="en-US", base_url=address, viewport=WINDOW) as context:
            yield context
        return
    context = running.visitors
    yield context
    stays, *left = context.pages
    for page in left:
        page.close()
    context.set_offline(False)
    context.clear_cookies()
    context.clear_permissions()
    stays.evaluate("localStorage.clear()")


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A fresh visitor with English pages; anything the page complains about fails the test."""
    visitor = context.new_page()
    complaints: list[str] = []
    visitor.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    visitor.on("console", lambda line: complaints.append(line.text) if _serious(line.type, line.text) else None)
    yield visitor
    visitor.close()
    assert not complaints


def _serious(kind: str, text: str) -> bool:
    return kind == "error" and "Failed to load resource" not in text and "ERR_" not in text

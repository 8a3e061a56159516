"""A real arena with its Gradio app at `/gradio`, and a browser."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import processes
from tests.frontend.conftest import FAILED
from tests.processes import Process, start_newcomer

OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

PATIENCE = 60_000
"""Milliseconds for what has to appear on a page; other tests use the processors at the same time."""
expect.set_options(timeout=PATIENCE)
READING_TIME = 700
"""Milliseconds that reading a sentence takes at least."""


@dataclass(frozen=True)
class Served:
    """An arena, and the address of its Gradio app."""

    arena: Process
    url: str


def opened(arena: Process, language: str = "en") -> str:
    """The address of the app, once the page that waits for it leads there."""
    end = time.monotonic() + processes.PATIENCE
    while time.monotonic() < end:
        reply = httpx2.get(f"{arena.url}/gradio", headers={"Accept-Language": language})
        if reply.status_code == 303:
            return reply.headers["location"]
        assert reply.status_code == 503, reply.text
        time.sleep(0.5)
    raise AssertionError("the app does not start")


def start_app(folder: Path, url: str, *options: str) -> Process:
    """Start `arena gradio` for the arena at an address."""
    app = Process(folder, "gradio", url, *options)
    app.command += ["--port", str(app.port)]
    app.ready_line = "The Gradio app is open"
    return app.start()


def apps(arena: Process) -> list[int]:
    """The processes of the app that an arena has started."""
    tasks = Path(f"/proc/{arena.pid}/task").iterdir()
    children = [word for task in tasks for word in (task / "children").read_text().split()]
    return [int(child) for child in children if b"--inherited" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.fixture(scope="package")
def real_arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """An arena for the files of the folder that ask it."""
    settings = {"ARENA_RELEASE_RATE": "400", "ARENA_PROMPTS_PER_MINUTE": "100", "ARENA_RANK_SECONDS": "2"}
    arena = start_newcomer(Path(tmp_path_factory.mktemp("gradio")), **settings)
    yield arena
    arena.stop()


@pytest.fixture(scope="module")
def served(real_arena: Process) -> Served:
    """The app of the real arena, whose start costs more than most tests."""
    return Served(real_arena, opened(real_arena).rstrip("/"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = os.environ.get("ARENA_TEST_CHROMIUM") or shutil.which("chromium-headless-shell")
    if not program:
        pytest.skip("no Chromium: install Debian's chromium or set ARENA_TEST_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield browser
        browser.close()
    asyncio._set_running_loop(None)


def read(page: Page) -> None:
    """Rest as somebody does who reads before the next click.

    Gradio may never answer an event that is sent in the instant in which it closes the stream of the one before.
    """
    page.wait_for_timeout(READING_TIME)


def ask(page: Page, text: str, *, agree: bool = True) -> None:
    if agree:
        page.check("#agree input")
    page.fill("#battle-prompt textarea", text)
    page.click("#battle-send")


def ready(page: Page) -> None:
    """Wait until both answers are complete, and read them."""
    expect(page.locator("#vote-a")).to_be_enabled(timeout=PATIENCE)
    read(page)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report

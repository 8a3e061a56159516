"""Chromium as a visitor uses it: time to first paint, requests, and CPU time of the main thread."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from arena.domain.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_LOOK: Final = 50
"""Milliseconds between polls for the first paint."""
PATIENCE: Final = 60_000
_PAINT: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"

_WATCH: Final = """
    window.longTasks = 0;
    const add = (list) => list.getEntries().forEach((task) => { window.longTasks += task.duration; });
    new PerformanceObserver(add).observe({ type: "longtask" });
"""


class PageRequests(dict[str, str]):
    """Paths of a page's requests by the browser's request id, without those served from the cache."""

    def follow(self, session: Any) -> None:  # noqa: ANN401 - Playwright's, which is loaded only here
        """Record requests from now on."""
        session.send("Network.enable")
        session.on("Network.responseReceived", self._note)
        session.on("Network.requestServedFromCache", self._forget)

    def _note(self, event: dict[str, Any]) -> None:
        response = event["response"]
        if not response.get("fromDiskCache"):
            self[event["requestId"]] = urlsplit(str(response["url"])).path

    def _forget(self, event: dict[str, Any]) -> None:
        self.pop(event["requestId"], None)


@dataclass(frozen=True, slots=True)
class Visit:
    """An open page, and its requests."""

    page: Any
    requests: PageRequests

    def first_paint(self) -> float:
        """Seconds to the first contentful paint, after waiting for it."""
        while (result := self.page.evaluate(_PAINT)) is None:
            self.page.wait_for_timeout(_LOOK)
        return result / 1000

    def work(self, act: Callable[[], None]) -> float:
        """CPU seconds of the main thread during `act`."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Performance.enable")
        start = _busy(session)
        act()
        return _busy(session) - start

    def slow_down(self, times: int) -> None:
        """Throttle the CPU by this factor, and record long tasks."""
        self.page.evaluate(_WATCH)
        self.page.context.new_cdp_session(self.page).send("Emulation.setCPUThrottlingRate", {"rate": times})

    def long_tasks(self) -> float:
        """Total seconds of the recorded long tasks, those above 50 ms."""
        return self.page.evaluate("window.longTasks") / 1000

    def agree(self) -> None:
        """Accept the terms if the page asks for it."""
        if (button := self.page.query_selector(".a-agree")) and button.is_visible():
            button.click()

    def wait(self, seconds: float) -> None:
        """Let the page run for some seconds."""
        self.page.wait_for_timeout(1000 * seconds)


def _busy(session: Any) -> float:  # noqa: ANN401 - Playwright's, which is loaded only here
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


@dataclass(frozen=True, slots=True)
class Browser:
    """A running Chromium."""

    chromium: Any

    @contextmanager
    def visitor(self) -> Generator[Callable[[str], Visit]]:
        """A new visitor with an empty cache, which persists between visits."""
        context: Any = self.chromium.new_context(locale="en-US")

        def visit(url: str) -> Visit:
            page, requests = context.new_page(), PageRequests()
            requests.follow(context.new_cdp_session(page))
            page.goto(url, wait_until="load", timeout=PATIENCE)
            return Visit(page, requests)

        yield visit
        context.close()

    @contextmanager
    def blank(self) -> Generator[Any]:
        """An empty page of a new visitor."""
        context: Any = self.chromium.new_context(locale="en-US")
        yield context.new_page()
        context.close()


@contextmanager
def opened() -> Generator[Browser]:
    """Chromium, controlled by Playwright.

    Raises:
        Unavailable: Chromium or Playwright is not installed.
    """
    path = os.environ.get("ARENA_TEST_CHROMIUM") or shutil.which("chromium")
    if find_spec("playwright") is None or not path:
        raise Unavailable("the benchmark of the pages needs Playwright and Chromium")
    playwright: Any = import_module("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield Browser(chromium)
        finally:
            chromium.close()

"""A first visit with a slow network and CPU: time until the text box is usable, and the traffic until then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from benchmarks.pages.browser import PATIENCE

if TYPE_CHECKING:
    from benchmarks.pages.browser import Browser

FAST_3G: Final = {"offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
"""Milliseconds and bytes per second of Chromium's preset."""
SLOWER: Final = 4
REST_REQUESTS: Final = 10
REST_KB: Final = 55
MOST_REQUESTS: Final = 12
MOST_KB: Final = 60
READING_SECONDS: Final = 14.0
"""Seconds that a visitor reads without input."""
_LOOK: Final = 30
"""Milliseconds between polls for the first token."""
_BOX: Final = "#prompt textarea"
_PAINTED: Final = """[...document.querySelectorAll("#chat_a .a-answer")]
  .some((place) => place.textContent.trim())"""
_REAL: Final = "html[data-phase=empty]:not([data-early])"


@dataclass
class Traffic:
    """Completed requests and received bytes."""

    requests: int = 0
    received: int = 0
    parts: list[str] = field(default_factory=list[str])

    def follow(self, session: Any) -> None:  # noqa: ANN401 - Playwright's, which is loaded only here
        """Count from now on."""
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._note)

    def _note(self, event: dict[str, Any]) -> None:
        self.requests, self.received = self.requests + 1, self.received + int(event["encodedDataLength"])

    @property
    def kilobytes(self) -> float:
        """Received kilobytes (thousands of bytes)."""
        return self.received / 1000

    def mark(self, moment: str) -> None:
        """Record the traffic so far."""
        self.parts.append(f"{self.requests} requests and {self.kilobytes:.0f} KB {moment}")


def at_rest(browser: Browser, url: str, settle: float) -> Traffic:
    """The traffic of a visit with an empty cache and without input."""
    with browser.blank() as page:
        traffic = Traffic()
        traffic.follow(page.context.new_cdp_session(page))
        page.goto(url, wait_until="load", timeout=PATIENCE)
        page.wait_for_timeout(1000 * settle)
    return traffic


def _slow_down(page: Any) -> Traffic:  # noqa: ANN401 - Playwright's, which is loaded only here
    session, traffic = page.context.new_cdp_session(page), Traffic()
    traffic.follow(session)
    session.send("Network.emulateNetworkConditions", FAST_3G)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return traffic


def first_token(browser: Browser, url: str, idle: float) -> float:
    """Seconds from the first key to the first token of a visitor who types after `idle` seconds."""
    with browser.blank() as page:
        _slow_down(page)
        page.goto(url, wait_until="commit", timeout=PATIENCE)
        page.wait_for_selector(_BOX, timeout=PATIENCE)
        page.wait_for_timeout(1000 * idle)
        start = page.evaluate("performance.now()")
        page.keyboard.type("Hello", delay=100)
        page.keyboard.press("Enter")
        while not page.evaluate(_PAINTED):
            page.wait_for_timeout(_LOOK)
        return (page.evaluate("performance.now()") - start) / 1000


def first_seconds(browser: Browser, url: str, settle: float) -> tuple[float, float, str]:
    """Seconds to a usable box and to a complete page in a visit with an empty cache, and the traffic."""
    with browser.blank() as page:
        traffic = _slow_down(page)
        page.goto(url, wait_until="commit", timeout=PATIENCE)
        page.fill(_BOX, "Hello", timeout=PATIENCE)
        usable = page.evaluate("performance.now()") / 1000
        traffic.mark("until then")
        page.wait_for_selector(_REAL, timeout=PATIENCE)
        seconds = page.evaluate("performance.now()") / 1000
        page.wait_for_timeout(1000 * settle)
        traffic.mark(f"once idle (goals {MOST_REQUESTS} and {MOST_KB})")
    return usable, seconds, ", ".join(traffic.parts)

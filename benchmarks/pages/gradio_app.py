"""The Gradio app at `/gradio`: seconds to its first page, memory, and processor time of a battle."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx2

from benchmarks.pages.browser import PATIENCE
from benchmarks.processes import Cost, NotMeasured, children
from benchmarks.results import Row

if TYPE_CHECKING:
    from benchmarks.load.service import Service
    from benchmarks.pages.browser import Browser
    from benchmarks.processes import Driver

APP: Final = "the Gradio app"
_BOX: Final = "#battle-prompt textarea"
START_LIMIT: Final = 240
"""Seconds in which the app has to start."""
_LOOK: Final = 0.1
"""Seconds between visits of the page that waits."""


def gradio_app(seconds: float, browser: Browser, service: Service, upstream: Driver) -> Iterator[Row]:
    """Measure the first start of the app, and a battle of so many seconds in it."""
    start = time.monotonic()
    address = _started(service)
    yield Row(APP, "seconds from the first visit to the page", time.monotonic() - start, "s", "", "one start")
    (app,) = [pid for pid in children(service.processes[0]) if b"--inherited" in _command(pid)]
    with browser.visitor() as visit:
        page = visit(address)
        page.page.fill(_BOX, "What is new?", timeout=PATIENCE)
        page.wait(1)
        before, arena = Cost.of(app).cpu, service.cost().cpu

        def fight() -> None:
            page.page.press(_BOX, "Enter")
            page.wait(seconds)

        work = page.work(fight)
        upstream.send("end")
        page.page.wait_for_selector("#battle-b .bot", timeout=PATIENCE)
        page.wait(1)
        cost = Cost.of(app)
    yield Row(APP, "memory", cost.memory / 1e6, "MB", "", "after a battle")
    yield Row(APP, "a battle, CPU of the app", cost.cpu - before, "s", "", "beside that of the arena")
    yield Row(APP, "a battle, server CPU of the arena", service.cost().cpu - arena, "s", "")
    yield Row(APP, "a battle, browser main thread", work, "s", "", f"{seconds:.0f} s")


def _started(service: Service) -> str:
    """Visit `/gradio` until it leads to the app; returns where.

    Raises:
        NotMeasured: The arena starts no app, or it does not start in time.
    """
    end = time.monotonic() + START_LIMIT
    with httpx2.Client(timeout=START_LIMIT) as client:
        while time.monotonic() < end:
            reply = client.get(f"http://127.0.0.1:{service.port}/gradio")
            if "location" in reply.headers:
                client.get(reply.headers["location"]).raise_for_status()
                return reply.headers["location"]
            if "text/html" not in reply.headers["content-type"]:  # not the page that waits
                raise NotMeasured(f"the Gradio app: {reply.status_code} {reply.text}")
            time.sleep(_LOOK)
    raise NotMeasured(f"the Gradio app has not started in {START_LIMIT} s")


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()

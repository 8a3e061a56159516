"""The benchmark of the pages.

"Front end" means all responses outside `/api`; the stream of an answer belongs to the API.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Final

import typer

from benchmarks.load import request_load
from benchmarks.load import upstream as upstream_module
from benchmarks.load.battles import RATE
from benchmarks.load.request_load import Workload
from benchmarks.load.service import register, serving, settings
from benchmarks.load.store import folder
from benchmarks.pages import browser as browsers
from benchmarks.pages.first_seconds import REST, REST_KB, REST_REQUESTS, at_rest, first_seconds, first_token
from benchmarks.processes import driver
from benchmarks.results import Row

if TYPE_CHECKING:
    from benchmarks.load.service import Service
    from benchmarks.pages.browser import Browser, Visit
    from benchmarks.processes import Driver

SETTLE: Final = 5.0
"""Seconds after which a page or server that was just opened is idle."""
IDLE: Final = 10.0
"""Seconds over which idle cost is measured, which is subtracted from the cost of visits."""
ARENA: Final = "arena"
LOADS: Final = 5
"""Cold loads of which figures are the mean or the median."""
PHONE: Final = 6
"""How many times slower the processor of a cheap phone is."""
_BOX: Final = "#prompt textarea"
REPEATS: Final = 300
"""Repetitions of a visit's requests."""


def measure(
    seconds: Annotated[float, typer.Option(min=1, help="Duration of a battle.")] = 20.0,
) -> Iterator[Row]:
    """Measure the cost of the pages to server and browser in Chromium."""
    with (
        browsers.opened() as browser,
        driver(upstream_module, str(RATE)) as upstream,
        folder() as place,
    ):
        env = settings(place, "", 10)
        register(env, upstream.report())
        with serving(env) as service:
            yield from _loads(browser, service)
            yield from _slow(browser, service)
            yield from _battle(seconds, browser, service, upstream)
            yield from _phone(seconds, browser, service, upstream)


def _loads(browser: Browser, service: Service) -> Iterator[Row]:
    """Visits with empty caches; the first one is not measured because files are compressed then."""
    paints, requests = list[float](), 0
    before, began = service.cost().cpu, time.monotonic()
    for number in range(LOADS + 1):
        with browser.visitor() as visit:
            visited = visit(_url(service))
            paints.append(visited.first_paint())
            visited.stir()
            visited.wait(SETTLE if not number else 1)
            requests = len(visited.requests)
        if not number:
            before, began = service.cost().cpu, time.monotonic()
    spent, seconds = service.cost().cpu - before, time.monotonic() - began
    entry = (spent - seconds * _idle(service)) / LOADS
    beside = f"{requests} requests, API included; idle cost subtracted"
    yield Row(ARENA, "cold load, server CPU", entry, "s", "≤ 0.05", beside)
    paint = statistics.median(paints[1:])
    yield Row(ARENA, "cold load, first paint in Chromium", paint, "s", "≤ 1.5", f"median of {LOADS}")


def _slow(browser: Browser, service: Service) -> Iterator[Row]:
    """A cold load on fast 3G with a processor four times slower; the box is in the first bytes."""
    rest = at_rest(browser, _url(service), SETTLE)
    beside = f"and {rest.kilobytes:.0f} KB (goal {REST_KB})"
    yield Row(ARENA, "before the first key or click", rest.requests, "requests", f"≤ {REST_REQUESTS}", beside)
    token = first_token(browser, _url(service), REST)
    beside = f"typing after {REST:.0f} s without a movement"
    yield Row(ARENA, "fast 3G, CPU / 4: first key to first token", token, "s", "≤ 3.9", beside)
    usable, whole, traffic = first_seconds(browser, _url(service), SETTLE)
    yield Row(ARENA, "cold load, fast 3G, CPU / 4: box usable", usable, "s", "≤ 2.5", traffic)
    yield Row(ARENA, "cold load, fast 3G, CPU / 4: page whole", whole, "s", "", "what was typed is in Gradio's box")


def _idle(service: Service) -> float:
    """CPU seconds per second without requests."""
    before = service.cost().cpu
    time.sleep(IDLE)
    return (service.cost().cpu - before) / IDLE


def _battle(seconds: float, browser: Browser, service: Service, upstream: Driver) -> Iterator[Row]:
    with browser.visitor() as visit:
        _opened(visit, service)
        visited = _opened(visit, service)
        before = service.cost().cpu
        work = visited.work(lambda: _fight(seconds, visited))
        spent = service.cost().cpu - before
        upstream.send("end")
        visited.wait(1)
        outside = [path for path in visited.requests.values() if not path.startswith("/api/")]
    yield _front_end(service, outside)
    yield Row(ARENA, "a battle, server CPU in all", spent, "s", "", "API, models' streams, pacing")
    note = f"{seconds:.0f} s at 2 × {RATE:.0f} tokens per second"
    yield Row(ARENA, "a battle, browser main thread", work, "s", "≤ 2.5", note)


def _phone(seconds: float, browser: Browser, service: Service, upstream: Driver) -> Iterator[Row]:
    """A battle with the processor of a cheap phone."""
    with browser.visitor() as visit:
        visited = _opened(visit, service)
        visited.slow_down(PHONE)
        work = visited.work(lambda: _fight(seconds, visited))
        longer = visited.long_tasks()
        upstream.send("end")
    note = f"{longer:.1f} s of it in tasks above 50 ms; {seconds:.0f} s at 2 × {RATE:.0f} tokens per second"
    yield Row(ARENA, f"a battle, CPU / {PHONE}: browser main thread", work, "s", "", note, {"long_tasks_s": longer})


def _opened(visit: Callable[[str], Visit], service: Service) -> Visit:
    """The battle page with its engine."""
    visited = visit(_url(service))
    visited.stir()
    visited.wait(SETTLE)
    return visited


def _front_end(service: Service, outside: list[str]) -> Row:
    """Repeat the requests that a visitor with a warm cache sends to the front end in a visit with one battle."""
    before = service.cost().cpu
    for path in outside:
        work = Workload(service.port, 1, 60, path=path, most=REPEATS)
        with driver(request_load) as callers:
            callers.send(json.dumps(asdict(work)))
            callers.report()
    spent = (service.cost().cpu - before) / REPEATS
    return Row(ARENA, "a battle, front end CPU", spent, "s", "≤ 0.02", f"{len(outside)} requests: {', '.join(outside)}")


def _fight(seconds: float, visited: Visit) -> None:
    visited.page.fill(_BOX, "What is new?", timeout=browsers.PATIENCE)
    visited.page.press(_BOX, "Enter")
    visited.agree()
    visited.wait(seconds)


def _url(service: Service) -> str:
    return f"http://127.0.0.1:{service.port}/"

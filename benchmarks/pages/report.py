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
from benchmarks.pages.first_seconds import READING_SECONDS, REST_KB, REST_REQUESTS, at_rest, first_seconds, first_token
from benchmarks.pages.gradio_app import gradio_app
from benchmarks.processes import driver
from benchmarks.results import Row

if TYPE_CHECKING:
    from benchmarks.load.service import Service
    from benchmarks.pages.browser import Browser, Visit
    from benchmarks.processes import Driver

SETTLE: Final = 5.0
"""Seconds until a newly opened page or server is idle."""
IDLE: Final = 10.0
"""Seconds over which the idle cost is measured, which is subtracted from the cost of visits."""
ARENA: Final = "arena"
LOADS: Final = 5
"""Number of measured cold loads."""
PHONE: Final = 6
"""Slowdown of the CPU of a cheap phone."""
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
            yield from gradio_app(seconds, browser, service, upstream)


def _loads(browser: Browser, service: Service) -> Iterator[Row]:
    """Visits with empty caches; the first is not measured, since the server compresses files then."""
    paints, requests = list[float](), 0
    start_cpu, start = service.cost().cpu, time.monotonic()
    for number in range(LOADS + 1):
        with browser.visitor() as visit:
            page = visit(_url(service))
            paints.append(page.first_paint())
            page.wait(SETTLE if not number else 1)
            requests = len(page.requests)
        if not number:
            start_cpu, start = service.cost().cpu, time.monotonic()
    cpu, seconds = service.cost().cpu - start_cpu, time.monotonic() - start
    entry = (cpu - seconds * _idle(service)) / LOADS
    note = f"{requests} requests, API included; idle cost subtracted"
    yield Row(ARENA, "cold load, server CPU", entry, "s", "≤ 0.05", note)
    paint = statistics.median(paints[1:])
    yield Row(ARENA, "cold load, first paint in Chromium", paint, "s", "≤ 1.5", f"median of {LOADS}")


def _slow(browser: Browser, service: Service) -> Iterator[Row]:
    """A cold load on fast 3G with a CPU four times slower; the box is in the first bytes."""
    idle = at_rest(browser, _url(service), SETTLE)
    note = f"and {idle.kilobytes:.0f} KB (goal {REST_KB})"
    yield Row(ARENA, "before the first key or click", idle.requests, "requests", f"≤ {REST_REQUESTS}", note)
    token = first_token(browser, _url(service), READING_SECONDS)
    note = f"typing after {READING_SECONDS:.0f} s without a movement"
    yield Row(ARENA, "fast 3G, CPU / 4: first key to first token", token, "s", "≤ 3.9", note)
    usable, complete, traffic = first_seconds(browser, _url(service), SETTLE)
    yield Row(ARENA, "cold load, fast 3G, CPU / 4: box usable", usable, "s", "≤ 2.5", traffic)
    yield Row(ARENA, "cold load, fast 3G, CPU / 4: page whole", complete, "s", "", "its scripts run")


def _idle(service: Service) -> float:
    """CPU seconds per second without requests."""
    start_cpu = service.cost().cpu
    time.sleep(IDLE)
    return (service.cost().cpu - start_cpu) / IDLE


def _battle(seconds: float, browser: Browser, service: Service, upstream: Driver) -> Iterator[Row]:
    with browser.visitor() as visit:
        _open(visit, service)
        page = _open(visit, service)
        start_cpu = service.cost().cpu
        work = page.work(lambda: _fight(seconds, page))
        cpu = service.cost().cpu - start_cpu
        upstream.send("end")
        page.wait(1)
        paths = [path for path in page.requests.values() if not path.startswith("/api/")]
    yield _front_end(service, paths)
    yield Row(ARENA, "a battle, server CPU in all", cpu, "s", "", "API, models' streams, pacing")
    note = f"{seconds:.0f} s at 2 × {RATE:.0f} tokens per second"
    yield Row(ARENA, "a battle, browser main thread", work, "s", "≤ 2.5", note)


def _phone(seconds: float, browser: Browser, service: Service, upstream: Driver) -> Iterator[Row]:
    """A battle with the CPU of a cheap phone."""
    with browser.visitor() as visit:
        page = _open(visit, service)
        page.slow_down(PHONE)
        work = page.work(lambda: _fight(seconds, page))
        longer = page.long_tasks()
        upstream.send("end")
    note = f"{longer:.1f} s of it in tasks above 50 ms; {seconds:.0f} s at 2 × {RATE:.0f} tokens per second"
    yield Row(ARENA, f"a battle, CPU / {PHONE}: browser main thread", work, "s", "", note, {"long_tasks_s": longer})


def _open(visit: Callable[[str], Visit], service: Service) -> Visit:
    """The battle page, at rest."""
    page = visit(_url(service))
    page.wait(SETTLE)
    return page


def _front_end(service: Service, paths: list[str]) -> Row:
    """CPU time of the front end's requests in a visit with a warm cache and one battle, by repetition."""
    start_cpu = service.cost().cpu
    for path in paths:
        work = Workload(service.port, 1, 60, path=path, most=REPEATS)
        with driver(request_load) as callers:
            callers.send(json.dumps(asdict(work)))
            callers.report()
    cpu = (service.cost().cpu - start_cpu) / REPEATS
    return Row(ARENA, "a battle, front end CPU", cpu, "s", "≤ 0.02", f"{len(paths)} requests: {', '.join(paths)}")


def _fight(seconds: float, page: Visit) -> None:
    page.page.fill(_BOX, "What is new?", timeout=browsers.PATIENCE)
    page.page.press(_BOX, "Enter")
    page.agree()
    page.wait(seconds)


def _url(service: Service) -> str:
    return f"http://127.0.0.1:{service.port}/"

"""The benchmark of the pages, and its table.

"Front end" means all responses outside `/api`; the stream of an answer belongs to the API.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.load import request_load
from benchmarks.load import upstream as upstream_module
from benchmarks.load.drivers import driver
from benchmarks.load.request_load import Workload
from benchmarks.load.service import run, serving, settings
from benchmarks.pages import browser as browsers
from benchmarks.pages import gradio_stream
from benchmarks.pages.first_seconds import first_seconds
from benchmarks.pages.gradio_stream import RATE
from benchmarks.process_cost import Cost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load.drivers import Driver
    from benchmarks.load.service import Service
    from benchmarks.pages.browser import Browser, Visit

SETTLE: Final = 5.0
"""Seconds after which a page or server that was just opened is idle."""
IDLE: Final = 10.0
"""Seconds over which idle cost is measured, which is subtracted from the cost of visits."""
ARENA, GRADIO = "arena", "gradio"


@dataclass(frozen=True, slots=True)
class Plan:
    """Seconds of a battle, number of cold loads, and repetitions of a visit's requests."""

    seconds: float = 20.0
    loads: int = 5
    repeats: int = 300


@dataclass(frozen=True, slots=True)
class Row:
    """A value in seconds; `goal` is its upper bound."""

    who: str
    work: str
    value: float
    goal: float | None = None
    note: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return asdict(self) | {"value": float(f"{self.value:.4g}")}


def measure(plan: Plan) -> Iterator[Row]:
    """Yield each row when it is ready."""
    with ExitStack() as stack:
        browser = stack.enter_context(browsers.opened())
        upstream = stack.enter_context(driver(upstream_module, str(RATE)))
        env = settings(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-"))), "", 10)
        port = upstream.report()
        for number in range(2):
            options = ("--wire-model", "bench", "--private", "--no-probe", "--url", f"http://127.0.0.1:{port}/v1")
            run("endpoints", "add", f"bench-{number}", *options, env=env)
        service = stack.enter_context(serving(env))
        yield from _loads(plan, browser, service)
        yield from _slow(browser, service)
        yield from _battle(plan, browser, service, upstream)
        yield from _beside(plan, browser)


def _loads(plan: Plan, browser: Browser, service: Service) -> Iterator[Row]:
    """Visits with empty caches; the first one is not measured because files are compressed then."""
    paints, requests = list[float](), 0
    before, began = service.cost().cpu, time.monotonic()
    for number in range(plan.loads + 1):
        with browser.visitor() as visit:
            visited = visit(_url(service))
            paints.append(visited.first_paint())
            visited.wait(SETTLE if not number else 1)
            requests = len(visited.asked)
        if not number:
            before, began = service.cost().cpu, time.monotonic()
    spent, seconds = service.cost().cpu - before, time.monotonic() - began
    each = (spent - seconds * _idle(service)) / plan.loads
    beside = f"{requests} requests, API included; idle cost subtracted"
    yield Row(ARENA, "cold load, server CPU", each, 0.05, beside)
    yield Row(
        ARENA, "cold load, first paint in Chromium", statistics.median(paints[1:]), 1.5, f"median of {plan.loads}"
    )


def _slow(browser: Browser, service: Service) -> Iterator[Row]:
    """A cold load on fast 3G with a processor four times slower; the box is in the first bytes."""
    usable, whole, traffic = first_seconds(browser, _url(service), SETTLE)
    yield Row(ARENA, "cold load, fast 3G, CPU / 4: box usable", usable, 2.5, traffic)
    yield Row(ARENA, "cold load, fast 3G, CPU / 4: page whole", whole, None, "what was typed is in Gradio's box")


def _idle(service: Service) -> float:
    """CPU seconds per second without requests."""
    before = service.cost().cpu
    time.sleep(IDLE)
    return (service.cost().cpu - before) / IDLE


def _battle(plan: Plan, browser: Browser, service: Service, upstream: Driver) -> Iterator[Row]:
    with browser.visitor() as visit:
        visit(_url(service)).wait(SETTLE)
        visited = visit(_url(service))
        visited.wait(SETTLE)
        before = service.cost().cpu
        work = visited.work(lambda: _fight(plan, visited, "#prompt textarea"))
        spent = service.cost().cpu - before
        upstream.send("end")
        visited.wait(1)
        outside = [path for path in visited.asked.values() if not path.startswith("/api/")]
    yield _front_end(plan, service, outside)
    yield Row(ARENA, "a battle, server CPU in all", spent, None, "API, models' streams, pacing")
    yield Row(
        ARENA, "a battle, browser main thread", work, 2.5, f"{plan.seconds:.0f} s at 2 × {RATE} tokens per second"
    )


def _front_end(plan: Plan, service: Service, outside: list[str]) -> Row:
    """Repeat the requests that a visitor with a warm cache sends to the front end in a visit with one battle."""
    before = service.cost().cpu
    for path in outside:
        work = Workload(service.port, 1, 60, path=path, most=plan.repeats)
        with driver(request_load) as callers:
            callers.send(json.dumps(asdict(work)))
            callers.report()
    spent = (service.cost().cpu - before) / plan.repeats
    return Row(ARENA, "a battle, front end CPU", spent, 0.02, f"{len(outside)} requests: {', '.join(outside)}")


def _beside(plan: Plan, browser: Browser) -> Iterator[Row]:
    """Text of the same rate, streamed by Gradio."""
    with driver(gradio_stream, str(plan.seconds + SETTLE)) as gradio, browser.visitor() as visit:
        visited = visit(f"http://127.0.0.1:{gradio.report()}/")
        visited.wait(SETTLE)
        before = Cost.of(gradio.pid).cpu
        work = visited.work(lambda: _fight(plan, visited, "#prompt textarea, #prompt input"))
        spent = Cost.of(gradio.pid).cpu - before
    yield Row(GRADIO, "a battle, server CPU in all", spent, None, "two chatbots, one generator, ten updates per second")
    yield Row(GRADIO, "a battle, browser main thread", work)


def _fight(plan: Plan, visited: Visit, box: str) -> None:
    visited.page.fill(box, "What is new?", timeout=browsers.PATIENCE)
    visited.page.press(box, "Enter")
    visited.agree()
    visited.wait(plan.seconds)


def _url(service: Service) -> str:
    return f"http://127.0.0.1:{service.port}/"


HEADING: Final = f"{'who':7} {'work':42} {'measured':>10} {'goal':>9}  note"


def as_line(row: Row) -> str:
    """Format a row as a line of the table."""
    goal = "" if row.goal is None else f"≤ {row.goal:g} s"
    return f"{row.who:7} {row.work:42} {f'{row.value:.4f} s':>10} {goal:>9}  {row.note}".rstrip()

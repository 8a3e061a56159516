"""The whole benchmark of the pages, and its table.

"The front end" is what answers whatever a page asks for outside `/api`; the stream of an answer is the API's.
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

from arena.bench.load.asking import Wish
from arena.bench.load.service import Cost, run, serving, settings
from arena.bench.load.talk import driver
from arena.bench.pages import browser as browsers
from arena.bench.pages.streaming import RATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.bench.load.service import Service
    from arena.bench.load.talk import Driver
    from arena.bench.pages.browser import Browser, Visit

SETTLE: Final = 5.0
"""Seconds in which a page that has just been opened, or a server, comes to rest."""
IDLE: Final = 10.0
"""Seconds of nothing, whose cost is taken off that of visits."""
ARENA, GRADIO = "arena", "gradio"


@dataclass(frozen=True, slots=True)
class Plan:
    """Seconds of a battle, cold loads, and how often a visit's requests are repeated."""

    seconds: float = 20.0
    loads: int = 5
    repeats: int = 300


@dataclass(frozen=True, slots=True)
class Row:
    """One measured value in seconds; `goal` is the most that is wanted."""

    who: str
    work: str
    value: float
    goal: float | None = None
    note: str = ""

    def record(self) -> dict[str, Any]:
        """As data."""
        return asdict(self) | {"value": float(f"{self.value:.4g}")}


def measure(plan: Plan) -> Iterator[Row]:
    """Every row, as it is ready."""
    with ExitStack() as stack:
        browser = stack.enter_context(browsers.opened())
        upstream = stack.enter_context(driver("load.upstream", str(RATE)))
        env = settings(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-"))), "", 10)
        port = upstream.hear()
        for number in range(2):
            options = ("--wire-model", "bench", "--private", "--url", f"http://127.0.0.1:{port}/v1")
            run("endpoints", "add", f"bench-{number}", *options, env=env)
        service = stack.enter_context(serving(env))
        yield from _loads(plan, browser, service)
        yield from _battle(plan, browser, service, upstream)
        yield from _beside(plan, browser)


def _loads(plan: Plan, browser: Browser, service: Service) -> Iterator[Row]:
    """Visitors with empty caches; the first one is not counted, since all files are compressed for it."""
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
    beside = f"{requests} requests, the API's among them; above idling"
    yield Row(ARENA, "cold load, the server's processor", each, 0.05, beside)
    yield Row(
        ARENA, "cold load, first paint in Chromium", statistics.median(paints[1:]), 1.5, f"median of {plan.loads}"
    )


def _idle(service: Service) -> float:
    """What a second costs in which nobody asks for anything."""
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
        upstream.tell("end")
        visited.wait(1)
        outside = [path for path in visited.asked.values() if not path.startswith("/api/")]
    yield _front_end(plan, service, outside)
    yield Row(ARENA, "a battle, the server's processor in all", spent, None, "API, models' streams, pacing")
    yield Row(
        ARENA, "a battle, the browser's main thread", work, 2.5, f"{plan.seconds:.0f} s at 2 × {RATE} tokens a second"
    )


def _front_end(plan: Plan, service: Service, outside: list[str]) -> Row:
    """What a visitor with a warm cache asks the front end for in a visit with one battle, again and again."""
    before = service.cost().cpu
    for path in outside:
        wish = Wish(service.port, 1, 60, path=path, most=plan.repeats)
        with driver("load.asking") as callers:
            callers.tell(json.dumps(asdict(wish)))
            callers.hear()
    spent = (service.cost().cpu - before) / plan.repeats
    return Row(
        ARENA, "a battle, the front end's processor", spent, 0.02, f"it answers {len(outside)}: {', '.join(outside)}"
    )


def _beside(plan: Plan, browser: Browser) -> Iterator[Row]:
    """The same words at the same rate, streamed by Gradio."""
    with driver("pages.streaming", str(plan.seconds + SETTLE)) as gradio, browser.visitor() as visit:
        visited = visit(f"http://127.0.0.1:{gradio.hear()}/")
        visited.wait(SETTLE)
        before = Cost.of(gradio.pid).cpu
        work = visited.work(lambda: _fight(plan, visited, "#prompt textarea, #prompt input"))
        spent = Cost.of(gradio.pid).cpu - before
    yield Row(
        GRADIO, "a battle, the server's processor in all", spent, None, "two chatbots, one generator, ten a second"
    )
    yield Row(GRADIO, "a battle, the browser's main thread", work)


def _fight(plan: Plan, visited: Visit, box: str) -> None:
    visited.page.fill(box, "What is new?", timeout=browsers.PATIENCE)
    visited.page.press(box, "Enter")
    visited.agree()
    visited.wait(plan.seconds)


def _url(service: Service) -> str:
    return f"http://127.0.0.1:{service.port}/"


HEADING: Final = f"{'who':7} {'work':42} {'measured':>10} {'goal':>9}  beside it"


def as_line(row: Row) -> str:
    """A line of the table."""
    goal = "" if row.goal is None else f"≤ {row.goal:g} s"
    return f"{row.who:7} {row.work:42} {f'{row.value:.4f} s':>10} {goal:>9}  {row.note}".rstrip()

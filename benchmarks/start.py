"""The benchmark of a start: when `arena serve` answers, and what it keeps in memory at rest."""

from __future__ import annotations

import http.client
import signal
import statistics
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.load.load_rows import Row
from benchmarks.load.service import ARENA, PATIENCE, settings
from benchmarks.process_cost import Cost
from benchmarks.proxy import free_port

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

PAGE: Final = "/"
CALL: Final = "/readyz"
PAGES: Final = ("/", "/leaderboard", "/about", "/direct")
PAUSE: Final = 0.01
MB: Final = 1 << 20
_row = partial(Row, "sqlite")


@dataclass(frozen=True, slots=True)
class Plan:
    """Warm starts of which the median is taken, and seconds without visitors before memory is read twice.

    After the second ones the fitting process has ended.
    """

    starts: int = 5
    rest: float = 15.0
    idle: float = 60.0


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from the command to an answer, and seconds of processor until then."""

    page: float
    page_cpu: float
    call: float
    call_cpu: float


def measure(plan: Plan) -> Iterator[Row]:
    """Start the arena in a new folder, then again and again, then leave it alone."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        env = settings(Path(folder), "", 10) | {"ARENA_DEMO": "on"}
        with _started(env) as (_, _, first):
            yield _row("first start in a new folder, first page", first.page, "s")
            yield _row("first start in a new folder, first call", first.call, "s", 4.0)
        with _started(env) as (pid, port, start):
            starts = [start]
            for path in PAGES:
                _answer(port, path)
            time.sleep(plan.rest)
            memory = list(_memory(pid))
            time.sleep(plan.idle)
            memory.append(_row("all processes, still no vote", _together(pid), "MB", 320, f"{plan.idle:.0f} s later"))
        for _ in range(plan.starts - 1):
            with _started(env) as (_, _, start):
                starts.append(start)
        yield from _rows(starts)
        yield from memory


def _rows(starts: list[Start]) -> Iterator[Row]:
    page, page_cpu, call, call_cpu = (
        statistics.median(getattr(start, name) for start in starts) for name in Start.__slots__
    )
    yield _row("warm start, first page", page, "s", 1.0, f"{page_cpu:.2f} s of processor; median of {len(starts)}")
    yield _row("warm start, first call", call, "s", None, f"{call_cpu:.2f} s of processor")


@contextmanager
def _started(env: Mapping[str, str]) -> Generator[tuple[int, int, Start]]:
    """Start the arena for the block; gives its process, its port, and when it answered."""
    port, began = free_port(), time.monotonic()
    command = [*ARENA, "serve", "--port", str(port)]
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - own command
        try:
            _answer(port, PAGE)
            page, page_cpu = time.monotonic() - began, Cost.of(process.pid).cpu
            _answer(port, CALL)
            call, call_cpu = time.monotonic() - began, Cost.of(process.pid).cpu
            yield process.pid, port, Start(page, page_cpu, call, call_cpu)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def _answer(port: int, path: str) -> None:
    """Ask until there is an answer."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("GET", path, headers={"Accept-Encoding": "br"})
            answer = connection.getresponse()
            answer.read()
        except ConnectionError:
            time.sleep(PAUSE)
            continue
        finally:
            connection.close()
        if answer.status == http.client.OK:
            return
        time.sleep(PAUSE)
    raise RuntimeError(f"arena serve did not answer {path} within {PATIENCE} s")


def _memory(pid: int) -> Iterator[Row]:
    fits = max((Cost.of(child).memory for child in _children(pid)), default=0)
    yield _row("serving process at rest", Cost.of(pid).memory / MB, "MB", 140, "resident, after four pages")
    yield _row("fitting process at rest", fits / MB, "MB", 180, "resident")
    yield _row("all processes at rest", _together(pid), "MB", 320, "proportional")


def _together(pid: int) -> float:
    return sum(map(_proportional, [pid, *_children(pid)]))


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _proportional(pid: int) -> float:
    """Megabytes of a process, of shared pages its part."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / MB

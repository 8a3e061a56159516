"""Benchmark of a start: time until `arena serve` answers, memory at rest, and CPU time of other commands."""

from __future__ import annotations

import signal
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import httpx2
import typer

from benchmarks.load.service import ARENA, PATIENCE, settings
from benchmarks.load.store import folder
from benchmarks.processes import Cost, children, cpu_seconds
from benchmarks.proxy import free_port
from benchmarks.results import Row

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

PAGE: Final = "/"
CALL: Final = "/readyz"
PAGES: Final = ("/", "/leaderboard", "/about", "/direct")
COMMANDS: Final = {
    "--help": 0.15,
    "endpoints list": 0.5,
    "votes import of 10 rows": 1.0,
    "votes export": 0.4,
    "endpoints presets": 0.4,
    "owners list": 0.4,
    "flags list": 0.4,
    "questions list": 0.4,
    "evaluations list": 0.4,
    "labels status": 0.4,
    "log status": 0.4,
    "secrets status": 0.4,
    "migrate": 0.4,
    "doctor --port 1025": 0.4,
    "plan --voters-per-day 1000": 0.4,
}
"""Commands that do not rate, with the limit of their CPU seconds."""
_EXPORT: Final = ("votes", "export", "-")
POLL_SECONDS: Final = 0.01
MB: Final = 1 << 20
Times = tuple[float, float, float, float]
"""Wall and CPU seconds from the command to the first page, and to the first call."""


def measure(
    starts: Annotated[int, typer.Option(min=1, help="Warm starts of which the median is taken.")] = 5,
    rest: Annotated[float, typer.Option(min=0, help="Seconds before memory is read.")] = 15.0,
    idle: Annotated[float, typer.Option(min=0, help="Seconds before it is read again.")] = 60.0,
    commands_only: Annotated[bool, typer.Option("--commands-only", help="Measure what ends by itself alone.")] = False,
) -> Iterator[Row]:
    """Start the arena, and measure when it answers, what it keeps in memory at rest, and what other commands take."""
    with folder() as place:
        # Byte code is cached as in an installation, whatever the environment sets.
        env = settings(place, "", 10) | {"ARENA_DEMO": "on", "PYTHONDONTWRITEBYTECODE": ""}
        if commands_only:
            yield from _commands(place, env, starts)
            return
        with _start(env) as (_, _, (page, _, call, _)):
            yield Row("new folder", "first page", page, "s")
            yield Row("new folder", "first call", call, "s", "≤ 4")
        with _start(env) as (pid, port, times):
            warm = [times]
            for path in PAGES:
                _get(port, path)
            time.sleep(rest)
            memory = list(_memory(pid))
            time.sleep(idle)
            # The fitting process has ended by then.
            idle_note = f"all processes, {idle:g} s later and still no vote"
            memory.append(Row("at rest", idle_note, _proportional(pid), "MB", "≤ 320"))
        for _ in range(starts - 1):
            with _start(env) as (_, _, times):
                warm.append(times)
        page, page_cpu, call, call_cpu = map(statistics.median, zip(*warm, strict=True))
        yield Row("warm start", "first page", page, "s", "≤ 1", f"median of {starts}", {"cpu_s": page_cpu})
        yield Row("warm start", "first call", call, "s", "", "", {"cpu_s": call_cpu})
        yield from memory
        yield from _commands(place, env, starts)


def _commands(place: Path, env: Mapping[str, str], starts: int) -> Iterator[Row]:
    """CPU time of commands, without the first run of each, which fills caches."""
    votes = place / "ten.csv"
    votes.write_text("left,right,winner\n" + "model-a,model-b,left\n" * 10)
    options = ("--left", "left", "--right", "right", "--winner", "winner")
    words = {"votes import of 10 rows": ("votes", "import", str(votes), *options), "votes export": _EXPORT}
    for name, goal in COMMANDS.items():
        command = [*ARENA, *words.get(name, name.split())]
        seconds = [_cpu(command, env) for _ in range(starts + 1)][1:]
        yield Row("command", f"arena {name}", statistics.median(seconds), "s", f"≤ {goal}", f"median of {starts}")


def _cpu(command: list[str], env: Mapping[str, str]) -> float:
    """CPU seconds of a command and its children."""
    start_cpu = cpu_seconds()
    subprocess.run(command, env=env, check=True, capture_output=True)
    return cpu_seconds() - start_cpu


@contextmanager
def _start(env: Mapping[str, str]) -> Generator[tuple[int, int, Times]]:
    """Serve an arena for the block; yields its process id, its port and its times."""
    port, start = free_port(), time.monotonic()
    command = [*ARENA, "serve", "--port", str(port)]
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _get(port, PAGE)
            page, page_cpu = time.monotonic() - start, Cost.of(process.pid).cpu
            _get(port, CALL)
            call, call_cpu = time.monotonic() - start, Cost.of(process.pid).cpu
            yield process.pid, port, (page, page_cpu, call, call_cpu)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def _get(port: int, path: str) -> None:
    """Repeat a request until it succeeds."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx2.TransportError):
            reply = httpx2.get(f"http://127.0.0.1:{port}{path}", headers={"Accept-Encoding": "br"}, timeout=PATIENCE)
            if reply.is_success:
                return
        time.sleep(POLL_SECONDS)
    raise RuntimeError(f"arena serve did not answer {path} within {PATIENCE} s")


def _memory(pid: int) -> Iterator[Row]:
    fits = max((Cost.of(child).memory for child in children(pid)), default=0)
    yield Row("at rest", "serving process", Cost.of(pid).memory / MB, "MB", "≤ 140", "resident, after four pages")
    yield Row("at rest", "fitting process", fits / MB, "MB", "≤ 180", "resident")
    yield Row("at rest", "all processes", _proportional(pid), "MB", "≤ 320", "proportional")


def _proportional(pid: int) -> float:
    """Proportional set size (PSS) in MB of a process and its children."""
    files = [Path(f"/proc/{child}/smaps_rollup") for child in (pid, *children(pid))]
    lines = [line for file in files for line in file.read_text().splitlines() if line.startswith("Pss:")]
    return sum(int(line.split()[1]) for line in lines) * 1024 / MB

"""`arena serve` in a separate process, started as by an operator, with its CPU time and memory."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks import proxy
from benchmarks.processes import Cost

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from benchmarks.proxy import Proxy

ARENA: Final = (sys.executable, "-m", "arena")
PATIENCE: Final = 60
_WIDE: Final = 1_000_000
"""A limit that is never reached, needed because all load comes from one address."""


@dataclass(frozen=True, slots=True)
class Service:
    """A running arena: the port for requests, its serving processes, a log, the proxy before them, and its worker."""

    port: int
    processes: tuple[int, ...]
    log: Path
    proxy: Proxy | None = None
    worker: int | None = None

    def cost(self) -> Cost:
        """CPU time so far and memory of all serving processes together."""
        costs = [Cost.of(pid) for pid in self.processes]
        return Cost(sum(cost.cpu for cost in costs), sum(cost.memory for cost in costs))

    def proxy_cpu(self) -> float:
        """CPU seconds of the proxy so far."""
        return self.proxy.cpu() if self.proxy else 0.0


def settings(folder: Path, database: str, battles: int) -> dict[str, str]:
    """Environment of an arena in `folder` that admits `battles` concurrent battles from one address.

    Its pacing is faster than the models of the benchmarks, so that it does not delay their text.
    """
    return {
        **os.environ,
        "ARENA_DATA": str(folder),
        "ARENA_DATABASE_URL": database,
        "ARENA_DEMO": "off",
        "ARENA_LOCAL": "off",
        "ARENA_TERMS": "0",
        "ARENA_GRACE_SECONDS": "0",
        "ARENA_RELEASE_RATE": "2400",
        "ARENA_START_SECONDS": "0",
        "ARENA_RUNNING": str(10 * battles),
        "ARENA_RUNNING_PER_ENDPOINT": str(10 * battles),
        "ARENA_RUNNING_PER_VOTER": str(battles),
        "ARENA_RUNNING_PER_ADDRESS": str(10 * battles),
        "ARENA_BATTLES_PER_DAY_PER_ADDRESS": "0",
        "ARENA_VOTES_PER_DAY_PER_ADDRESS": "0",
        "ARENA_ABANDONED_SHARE": "0",
        "ARENA_READING_SPEED": "0",
        "ARENA_PROMPTS_PER_MINUTE": str(_WIDE),
        "ARENA_PROMPTS_PER_MINUTE_PER_ADDRESS": str(_WIDE),
    }


def run(*arguments: str, env: Mapping[str, str]) -> None:
    """Run a command of the arena.

    Raises:
        RuntimeError: The command failed; the message is its error output.
    """
    result = subprocess.run([*ARENA, *arguments], env=env, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"arena {' '.join(arguments)}: {result.stderr.strip()}")


def register(env: Mapping[str, str], port: int) -> None:
    """Add two Chat Completions endpoints at this local port by the operator's command."""
    for number in range(2):
        options = ("--wire-model", "bench", "--dialect", "openai_chat", "--private", "--no-probe")
        run("endpoints", "add", f"bench-{number}", *options, "--url", f"http://127.0.0.1:{port}/v1", env=env)


@contextmanager
def serving(env: Mapping[str, str], port: int = 0, *, works: bool = False) -> Generator[Service]:
    """Run one serving process until the end of the block, whose log is in the data folder.

    Without `works` it has no worker.
    """
    command = [*ARENA, "serve", "--port", str(port), *(() if works else ("--no-worker",))]
    log = Path(env["ARENA_DATA"], "serve.log")
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("w") as errors,
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            match = re.search(r"http://\S+:(\d+)", process.stdout.readline())
            if match is None:
                raise RuntimeError(f"arena serve did not start: {log.read_text().strip()}")
            yield Service(int(match[1]), (process.pid,), log)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


@contextmanager
def deployed(env: Mapping[str, str], count: int) -> Generator[Service]:
    """Run `count` serving processes, a worker and the proxy before them, as in `deploy`.

    Each process has its own address and data folder.

    Raises:
        NotMeasured: nginx is missing, or does not start.
    """
    folder = Path(env["ARENA_DATA"])
    common_settings = {
        **env,
        "ARENA_SECRET": env.get("ARENA_SECRET") or secrets.token_hex(32),
        "ARENA_LOG_FOLDER": str(folder / "log"),
        "ARENA_TRUSTED_HOPS": "1",
        "ARENA_PROCESSES": str(count),
    }
    with ExitStack() as stack:
        worker = stack.enter_context(_work(common_settings))
        ports = [proxy.free_port() for _ in range(count)]
        parts = [
            stack.enter_context(serving(_settings_of(common_settings, folder / str(port), port), port))
            for port in ports
        ]
        front = stack.enter_context(proxy.serve_proxy(folder / "proxy", ports))
        yield Service(front.port, tuple(pid for part in parts for pid in part.processes), parts[0].log, front, worker)


def _settings_of(env: Mapping[str, str], data: Path, port: int) -> dict[str, str]:
    return {**env, "ARENA_DATA": str(data), "ARENA_INTERNAL_URL": f"http://127.0.0.1:{port}"}


@contextmanager
def _work(env: Mapping[str, str]) -> Generator[int]:
    """Run the worker until the end of the block; yields its process id."""
    with (
        Path(env["ARENA_DATA"], "worker.log").open("w") as log,
        subprocess.Popen([*ARENA, "worker"], env=env, stdout=log, stderr=log) as process,
    ):
        try:
            yield process.pid
        finally:
            process.terminate()
            process.wait(PATIENCE)

"""Commands of the arena as processes that a test starts, kills and stops, and fixtures that create them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from tests.fork_server import Forked, fork
from tests.paths import PYTHONPATH
from tests.servers import free_port

PATIENCE = 240
"""Timeout in seconds for what has to happen at some time."""
SECRET = "a secret of the tests, long enough to sign with"  # noqa: S105 - it opens nothing but these tests
QUICK = {"ARENA_LOCAL": "off", "ARENA_RANK_ORDERS": "20", "ARENA_START_SECONDS": "0", "ARENA_RELEASE_RATE": "1200"}
SETTINGS = {**QUICK, "ARENA_DEMO": "off", "ARENA_SECRET": SECRET}
NEWCOMER = {**QUICK, "ARENA_DEMO": "auto", "ARENA_SECRET": "", "ARENA_READING_SPEED": "0", "ARENA_RANK_SECONDS": "0.5"}
"""Settings for a first start in an empty folder, without the usual waiting times."""
ARENA = (sys.executable, "-m", "arena")


class Process:
    """A process that has the same address, folder and log each time it is started.

    It is forked from the fork server, unless a test has changed its command or PYTHONPATH.
    """

    def __init__(self, folder: Path, command: str, *arguments: str, **settings: str) -> None:
        self.port = free_port()
        port_option = ("--port", str(self.port)) if command == "serve" else ()
        self.command = [*ARENA, command, *port_option, *arguments]
        self.ready_line = {"serve": "The arena is open", "worker": "Worker started"}.get(command, "")
        self.environment = {**os.environ, **SETTINGS, **settings, "PYTHONPATH": PYTHONPATH}
        self.folder = folder
        # A file, since nobody would read a pipe and a full pipe blocks the process.
        self.log = folder / f"{command}-{self.port}.log"
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.address}"
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def start(self) -> Process:
        """Start the process and wait for the line that says it serves."""
        before = self.log.stat().st_size if self.log.exists() else 0
        self.process = self._fork() if self._can_fork() else self._spawn()
        until(lambda: self.ready_line in self.log.read_text()[before:] or self.process.poll() is not None)
        assert self.process.poll() is None or not self.ready_line, self.log.read_text()[before:]
        return self

    def _can_fork(self) -> bool:
        return tuple(self.command[:3]) == ARENA and self.environment["PYTHONPATH"] == PYTHONPATH

    def _fork(self) -> Forked:
        with self.log.open("ab") as log:
            return fork(*self.command[2:], folder=self.folder, environment=self.environment, output=log)

    def _spawn(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                self.command,
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process and its children."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        """Kill the process and its children without a chance to clean up."""
        self.send(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """Ask the process to stop; returns its exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def remove(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.kill()

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(f"{self.url}{path}", timeout=PATIENCE)


def run_command(folder: Path, *words: str, module: str = "arena", **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the arena in `folder` in a fork; `stdout` of the result has both outputs."""
    environment = {**os.environ, "ARENA_DATA": str(folder), **settings, "PYTHONPATH": PYTHONPATH}
    with tempfile.TemporaryFile() as output:
        code = fork(
            module, *words, folder=folder if folder.is_dir() else folder.parent, environment=environment, output=output
        ).wait(PATIENCE)
        output.seek(0)
        return subprocess.CompletedProcess(words, code, output.read().decode())


def start_newcomer(folder: Path, *arguments: str, **settings: str) -> Process:
    """Start `arena serve` in `folder` with the settings of a first start."""
    return Process(
        folder, "serve", *arguments, **{"ARENA_DATA": str(folder / "arena-data"), **NEWCOMER, **settings}
    ).start()


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """`process("serve", "--no-worker", ARENA_…="…")`, not yet started."""
    processes: list[Process] = []

    def make(command: str, *arguments: str, **settings: str) -> Process:
        processes.append(Process(tmp_path, command, *arguments, **{"ARENA_DATA": str(tmp_path / "data"), **settings}))
        return processes[-1]

    yield make
    for process in processes:
        process.remove()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """`serve("--no-worker", ARENA_…="…")` starts a service with the settings of a first start."""
    running: list[Process] = []

    def start(*arguments: str, **settings: str) -> Process:
        running.append(start_newcomer(tmp_path, *arguments, **settings))
        return running[-1]

    yield start
    for process in running:
        process.remove()


def until(condition, patience: float = PATIENCE) -> None:
    """Poll a condition until it is true, less and less often."""
    start = time.monotonic()
    while not condition():
        waited = time.monotonic() - start
        assert waited < patience, "it did not happen"
        time.sleep(min(max(0.02, waited / 10), 0.2))

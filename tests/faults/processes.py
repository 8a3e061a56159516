"""`arena serve`, `arena worker` and `arena migrate` as an operator starts, loses and ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx2

from tests.paths import PYTHONPATH
from tests.servers import free_port

PATIENCE = 240
"""Seconds for whatever only has to happen at all."""
SECRET = "a secret of the tests, long enough to sign with"  # noqa: S105 - it opens nothing but these tests
SETTINGS = {
    "ARENA_LOCAL": "off",
    "ARENA_DEMO": "off",
    "ARENA_SECRET": SECRET,
    "ARENA_RANK_ORDERS": "20",
    "ARENA_START_SECONDS": "0",
    "ARENA_FRAME_CHARACTERS": "24",
}


class Process:
    """One process that keeps its address, its folder and its log however often it is started."""

    def __init__(self, folder: Path, command: str, *arguments: str, **settings: str) -> None:
        self.port = free_port()
        place = ("--port", str(self.port)) if command == "serve" else ()
        self.command = [sys.executable, "-m", "arena", command, *place, *arguments]
        self.word = {"serve": "The arena is open", "worker": "Worker started"}.get(command, "")
        self.environment = {**os.environ, **SETTINGS, **settings, "PYTHONPATH": PYTHONPATH}
        self.folder = folder
        # A file and not a pipe: nobody reads it meanwhile, and a full pipe would stop who writes.
        self.log = folder / f"{command}-{self.port}.log"
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Process:
        """Begin, and wait for its word that it serves."""
        before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until(lambda: self.word in self.log.read_text()[before:] or self.process.poll() is not None)
        assert self.process.poll() is None or not self.word, self.log.read_text()[before:]
        return self

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def send(self, number: signal.Signals) -> None:
        """To the process and all its children."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, number)

    def kill(self) -> None:
        """As a machine does that goes away: nothing can be handled."""
        self.send(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> tuple[int, float]:
        """The order to stop: its exit code, and after how many seconds."""
        start = time.monotonic()
        self.process.terminate()
        return self.process.wait(PATIENCE), time.monotonic() - start

    def remove(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.kill()

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(f"{self.url}{path}", timeout=PATIENCE)


def until(true, patience: float = PATIENCE) -> None:
    """Wait for a condition without asking how long it takes; the longer it does, the less often it is looked at."""
    start = time.monotonic()
    while not true():
        waited = time.monotonic() - start
        assert waited < patience, "it did not happen"
        time.sleep(min(max(0.02, waited / 10), 0.2))

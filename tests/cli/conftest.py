from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import PYTHONPATH


class Served:
    """`arena serve` as a person starts it: a process of its own, in a folder of its own."""

    def __init__(self, folder: Path, *arguments: str, **settings: str) -> None:
        quick = {"ARENA_RANK_SECONDS": "0.5", "ARENA_START_SECONDS": "0", "ARENA_FRAME_CHARACTERS": "24"}
        environment = {**os.environ, "ARENA_LOCAL": "off", "ARENA_READING_SPEED": "0", **quick, **settings}
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", "serve", "--port", "0", *arguments],
            cwd=folder,
            env={**environment, "PYTHONPATH": PYTHONPATH},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.lines: list[str] = []
        for line in self.process.stdout:
            self.lines.append(line)
            if "http://" in line:
                self.url = "http://" + line.split("http://")[1].strip()
                return
        pytest.fail("arena serve did not start: " + "".join(self.lines))

    def stop(self, number: int = signal.SIGTERM, patience: float = 60) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(patience)

    def end(self) -> None:
        """Without asking, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator:
    running: list[Served] = []

    def start(*arguments: str, **settings: str) -> Served:
        running.append(Served(tmp_path, *arguments, **settings))
        return running[-1]

    yield start
    for served in running:
        served.end()

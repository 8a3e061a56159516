"""Run a command of the arena with a clock that is ahead by the seconds in a file, which a test changes as it runs."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from arena.cli import context
from tests.processes import ARENA, Process

VARIABLE: Final = "ARENA_TEST_CLOCK"


class MovedClock:
    """A clock that all processes share which are started with it."""

    def __init__(self, file: Path, start: datetime) -> None:
        self.file = file
        self.ahead = start - datetime.now(UTC)
        self.move(timedelta(0))

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def move(self, step: timedelta) -> None:
        self.ahead += step
        part = self.file.with_suffix(".part")
        part.write_text(str(self.ahead.total_seconds()))
        part.replace(self.file)

    def give(self, process: Process) -> Process:
        """Let a process that has not started yet have this clock."""
        process.command = [sys.executable, "-m", "tests.faults.moved_clock", *process.command[len(ARENA) :]]
        process.environment[VARIABLE] = str(self.file)
        return process


def run() -> None:
    file = Path(os.environ[VARIABLE])
    context.now = lambda: datetime.now(UTC) + timedelta(seconds=float(file.read_text()))
    from arena.serving.commands import main  # after the change, since modules import the clock by its name

    main()


if __name__ == "__main__":
    run()

"""Driver processes and the pipes to them, as their parent sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import ModuleType


class Ended(Exception):
    """A driver ended before it had reported everything; its own message is on standard error."""


@dataclass(frozen=True, slots=True)
class Driver:
    """A running module of the benchmarks; it reports by printing lines of JSON."""

    pid: int
    _input: IO[str]
    _output: IO[str]

    def report(self) -> Any:  # noqa: ANN401 - any JSON
        """Wait for its next report.

        Raises:
            Ended: There is none.
        """
        if line := self._output.readline():
            return json.loads(line)
        raise Ended

    def send(self, line: str) -> None:
        """Write a line to its standard input."""
        self._input.write(f"{line}\n")
        self._input.flush()


@contextmanager
def driver(module: ModuleType, *arguments: str) -> Generator[Driver]:
    """Run a module of the benchmarks in a process of its own, which is terminated at the end of the block."""
    command = [sys.executable, "-m", module.__name__, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603 - own module
        try:
            assert process.stdin is not None  # noqa: S101 - they are pipes
            assert process.stdout is not None  # noqa: S101
            yield Driver(process.pid, process.stdin, process.stdout)
        finally:
            process.terminate()

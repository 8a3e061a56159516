"""The drivers' processes as their parent sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator


class Ended(Exception):
    """A driver has ended before it had told all; what it says stands above."""


@dataclass(frozen=True, slots=True)
class Driver:
    """A running module of the benchmarks that prints a line of JSON when it has something to tell."""

    pid: int
    _input: IO[str]
    _output: IO[str]

    def hear(self) -> Any:  # noqa: ANN401 - whatever it tells
        """What it tells next.

        Raises:
            Ended: It has nothing more to tell.
        """
        if line := self._output.readline():
            return json.loads(line)
        raise Ended

    def tell(self, word: str) -> None:
        """Give it a line."""
        self._input.write(f"{word}\n")
        self._input.flush()


@contextmanager
def driver(module: str, *arguments: str) -> Generator[Driver]:
    """Run a module of the benchmarks; it is ended with the block."""
    command = [sys.executable, "-m", f"arena.bench.{module}", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:  # noqa: S603 - ourselves
        try:
            assert process.stdin is not None  # noqa: S101 - they are pipes
            assert process.stdout is not None  # noqa: S101
            yield Driver(process.pid, process.stdin, process.stdout)
        finally:
            process.terminate()

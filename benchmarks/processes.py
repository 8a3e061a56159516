"""CPU time and memory of processes, and drivers: modules of a benchmark in separate processes.

It imports only the standard library, so that any Python with a peer can run it.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from types import ModuleType

T = TypeVar("T")
ROOT: Final = Path(__file__).parents[1]
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class NotMeasured(Exception):
    """A measurement is impossible on this machine; the message is the reason."""


class Ended(Exception):
    """A driver ended before all its reports; its message is on standard error."""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU seconds so far, and resident memory in bytes."""

    cpu: float
    memory: int

    @classmethod
    def of(cls, pid: int) -> Cost:
        """The cost of a running process."""
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return cls((int(fields[11]) + int(fields[12])) / _TICKS, int(fields[21]) * _PAGE)


def children(pid: int) -> list[int]:
    """Ids of the child processes of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def cpu_seconds() -> float:
    """CPU seconds so far of this process and of its ended children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure_call(call: Callable[[], T]) -> tuple[T, float, float]:
    """The result of a call, its wall seconds and its CPU seconds."""
    wall, cpu = time.perf_counter(), cpu_seconds()
    result = call()
    return result, time.perf_counter() - wall, cpu_seconds() - cpu


def peak_mb() -> float:
    """Peak memory of this process in MB; `ru_maxrss` would include that of the parent before exec."""
    try:
        line = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        line = None
    return int(line[1]) / 1024 if line else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def environment() -> dict[str, str]:
    """Environment of measured processes: one thread for linear algebra, unless the caller's environment sets it.

    More threads are slower for matrices of a hundred rows. Byte code is cached, so that compiling numba's source is not
    measured.
    """
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"OPENBLAS_NUM_THREADS": "1", **variables, "PYTHONPATH": str(ROOT)}


@dataclass(frozen=True, slots=True)
class Driver:
    """A running module of the benchmarks; it reports by printing lines of JSON."""

    pid: int
    _input: IO[str]
    _output: IO[str]

    def report(self) -> Any:  # noqa: ANN401 - any JSON
        """Wait for the next report.

        Raises:
            Ended: The driver has ended.
        """
        if line := self._output.readline():
            return json.loads(line)
        raise Ended

    def send(self, line: str) -> None:
        """Write a line to the driver's standard input."""
        self._input.write(f"{line}\n")
        self._input.flush()


@contextmanager
def driver(
    module: ModuleType,
    *arguments: str,
    python: str = sys.executable,
    env: Mapping[str, str] | None = None,
    quiet: bool = False,
) -> Generator[Driver]:
    """Run a module of the benchmarks in a process that is terminated at the end of the block."""
    command, pipe = [python, "-m", module.__name__, *arguments], subprocess.PIPE
    errors = subprocess.DEVNULL if quiet else None
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, text=True, env=env) as process:
        assert process.stdin is not None  # noqa: S101 - they are pipes
        assert process.stdout is not None  # noqa: S101
        try:
            yield Driver(process.pid, process.stdin, process.stdout)
        finally:
            process.terminate()
            with suppress(BrokenPipeError):  # unread input of an ended process
                process.stdin.close()

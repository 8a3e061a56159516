"""Jobs in a process of their own: wall time, CPU time and memory of a call, and the pipe that requests it."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

Job = Callable[[int, int], object]
"""A job takes the number of votes to read from the start of the log, and the number of orders or rounds to compute."""

_SHORT = 0.3
_SHORT_RUNS = 20
_HOUSE = Path(__file__).parents[1]


class NotMeasured(Exception):
    """A job could not be run; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Timing:
    """One call: wall seconds, CPU seconds with children's, and peak memory in MB above the level before."""

    wall: float
    cpu: float
    mb: float


def measure(call: Callable[[], object]) -> Timing:
    """Measure a call; the peak is that of this process (Linux: VmHWM, reset before; elsewhere ru_maxrss)."""
    _forget_peak()
    before, cpu, wall = peak_mb(), _cpu(), time.perf_counter()
    call()
    wall, cpu = time.perf_counter() - wall, _cpu() - cpu
    return Timing(wall=wall, cpu=cpu, mb=max(0.0, peak_mb() - before))


def best(call: Callable[[], object]) -> Timing:
    """Measure a call; the fastest of several if it is so short that noise would dominate."""
    runs = [measure(call)]
    while len(runs) < _SHORT_RUNS and sum(run.wall for run in runs) < _SHORT:
        runs.append(measure(call))
    return Timing(min(run.wall for run in runs), min(run.cpu for run in runs), max(run.mb for run in runs))


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _forget_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def peak_mb() -> float:
    """Most memory that this process has had, in MB; `ru_maxrss` would count that of the process that started it."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    return int(found[1]) / 1024 if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def answer(jobs: Mapping[str, Job]) -> None:
    """Main loop of a measured process: a line of JSON in, a line of JSON out; other output goes to standard error."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        print(json.dumps(_answer(jobs, json.loads(line))), file=out, flush=True)


def _answer(jobs: Mapping[str, Job], asked: dict[str, Any]) -> dict[str, Any]:
    job = jobs.get(asked["job"])
    if job is None:
        return {"error": f"no such job: {asked['job']}"}
    try:
        return asdict(best(lambda: job(asked["votes"], asked["number"])))
    except Exception as error:  # noqa: BLE001 - any error of a peer is the reason for its empty row
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def environment() -> dict[str, str]:
    """Environment of measured processes: one thread for linear algebra, unless the caller's environment says otherwise.

    With matrices of a hundred rows more threads only wait for each other. Byte code is cached, Python's default:
    otherwise parsing numba would be measured.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {"OPENBLAS_NUM_THREADS": "1", **kept, "PYTHONPATH": str(_HOUSE)}


class Process:
    """A measured process, started by the first job; a context manager."""

    def __init__(self, module: str, *arguments: str, python: str = sys.executable) -> None:
        self._command = [python, "-m", module, *arguments]
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.forget()

    def forget(self) -> None:
        """End the process; the next job starts a fresh one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def run(self, job: str, votes: int, number: int) -> Timing:
        """Measure a job.

        Raises:
            NotMeasured: The job raised or does not exist, or the process ended.
        """
        asked, answers = self._pipes()
        try:
            print(json.dumps({"job": job, "votes": votes, "number": number}), file=asked, flush=True)
            line = answers.readline()
        except OSError:
            line = ""
        said: dict[str, Any] = json.loads(line) if line else {"error": "its process ended"}
        if "error" in said:
            raise NotMeasured(said["error"])
        return Timing(**said)

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        if self._process is None:
            pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
            self._process = subprocess.Popen(  # noqa: S603 - own module, with the operator's Python
                self._command, stdin=pipe, stdout=pipe, stderr=quiet, text=True, env=environment()
            )
        process = self._process
        if process.stdin is None or process.stdout is None:
            raise NotMeasured("its process has no pipes")
        return process.stdin, process.stdout

"""Jobs in a separate process: wall time, CPU time and memory of a call, and the pipe that requests it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.processes import Driver, Ended, NotMeasured, measure_call, peak_mb

Job = Callable[[int, int], object]
"""A job takes the number of votes to read from the start of the log, and the number of orders or rounds to compute."""

_MAX_SHORT_SECONDS = 0.3
_SHORT_RUNS = 20


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall seconds and CPU seconds (with children) of a call, and its peak memory in MB above the start."""

    wall: float
    cpu: float
    mb: float


def measure(call: Callable[[], object]) -> Timing:
    """Measure a call; the peak is that of this process (on Linux VmHWM, reset first; elsewhere ru_maxrss)."""
    _reset_peak()
    start_memory = peak_mb()
    _, wall, cpu = measure_call(call)
    return Timing(wall=wall, cpu=cpu, mb=max(0.0, peak_mb() - start_memory))


def best_timing(call: Callable[[], object]) -> Timing:
    """Measure a call; the fastest of several if it is so short that noise would dominate."""
    runs = [measure(call)]
    while len(runs) < _SHORT_RUNS and sum(run.wall for run in runs) < _MAX_SHORT_SECONDS:
        runs.append(measure(call))
    return Timing(min(run.wall for run in runs), min(run.cpu for run in runs), max(run.mb for run in runs))


def _reset_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def answer(jobs: Mapping[str, Job]) -> None:
    """Main loop of a measured process: a line of JSON in, a line of JSON out; other output goes to standard error."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        print(json.dumps(_answer(jobs, *json.loads(line))), file=out, flush=True)


def _answer(jobs: Mapping[str, Job], name: str, votes: int, number: int) -> dict[str, object]:
    job = jobs.get(name)
    if job is None:
        return {"error": f"no such job: {name}"}
    try:
        return asdict(best_timing(lambda: job(votes, number)))
    except Exception as error:  # noqa: BLE001 - any error of a peer is the reason for its empty row
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0]}


def run(process: Driver, job: str, votes: int, number: int) -> Timing:
    """Measure a job of a process.

    Raises:
        NotMeasured: The job raised or does not exist, or the process ended.
    """
    try:
        process.send(json.dumps([job, votes, number]))
        reply: dict[str, Any] = process.report()
    except (OSError, Ended):
        raise NotMeasured("its process ended") from None
    if "error" in reply:
        raise NotMeasured(reply["error"])
    return Timing(**reply)

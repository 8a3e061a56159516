"""The record of one run of a benchmark: what was measured, when, and on which machine."""

from __future__ import annotations

import os
import platform
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import orjson

STEPS: Final = 300_000
TRIES: Final = 5


def pace() -> float:
    """Microseconds of processor time that a fixed piece of Python takes now: other work makes a machine slower."""
    return min(_spent() for _ in range(TRIES))


def _spent() -> float:
    start, total = time.process_time(), 0
    for number in range(STEPS):
        total += number * number % 7
    return round(1_000_000 * (time.process_time() - start))


def facts() -> dict[str, Any]:
    """Return the facts about this machine that figures depend on, and what else it does at the moment."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
        "pace_us": pace(),
    }


def _processor() -> str:
    """The processor's name as the kernel has it, or the kind of machine where it has none."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text().splitlines() if known.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


@dataclass(slots=True)
class RunRecord:
    """A run that begins now; `command` is the benchmark's."""

    command: str
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    machine: dict[str, Any] = field(default_factory=facts)

    def as_json(self, rows: list[dict[str, Any]], **figures: Any) -> str:  # noqa: ANN401 - any JSON
        """Format the run with its rows, and figures that have names of their own."""
        document = {
            "command": self.command,
            "date": self.began.isoformat(timespec="seconds"),
            "version": version("battle-arena"),
            "machine": self.machine,
            **figures,
            "rows": rows,
        }
        # What could not be measured (NaN) is null.
        return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()

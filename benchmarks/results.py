"""Results of a benchmark: rows, their text lines, and the JSON document of a run."""

from __future__ import annotations

import math
import os
import platform
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

STEPS: Final = 300_000
TRIES: Final = 5
PERCENTS: Final = (50, 95, 99)
HEADING: Final = f"{'case':28} {'work':60} {'measured':>14} {'goal':>9}  further figures, and notes"


@dataclass(frozen=True, slots=True)
class Row:
    """One measured value.

    Attributes:
        case: Variant that is measured, such as a database or a peer.
        work: Name of the measurement.
        value: Value in `unit`; NaN if it could not be measured.
        unit: `ms`, `/s`, `KiB`, `%`, `×` and so on.
        goal: Bound to reach, such as "≤ 50".
        note: Remarks.
        figures: Further numbers by stable names.
    """

    case: str
    work: str
    value: float
    unit: str
    goal: str = ""
    note: str = ""
    figures: Mapping[str, float] = field(default_factory=dict[str, float])

    def record(self) -> dict[str, Any]:
        """The row as JSON data; NaN becomes null."""
        words = {"case": self.case, "work": self.work, "unit": self.unit, "goal": self.goal, "note": self.note}
        return words | {name: _round(value) for name, value in {"value": self.value, **self.figures}.items()}

    def __str__(self) -> str:
        value = "-" if math.isnan(self.value) else f"{_format(self.value)} {self.unit}"
        figures = ", ".join(f"{name} {_format(number)}" for name, number in self.figures.items())
        notes = "; ".join(filter(None, (figures, self.note)))
        return f"{self.case:28} {self.work:60} {value:>14} {self.goal:>9}  {notes}".rstrip()


def _format(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # three digits


def _round(value: float) -> float | None:
    return value if isinstance(value, int) else None if math.isnan(value) else float(f"{value:.5g}")


def mean_row(
    case: str, work: str, values: Sequence[float] | NDArray[Any], unit: str = "", goal: str = "", **figures: float
) -> Row:
    """A row of the mean of simulated values, with its standard error as a figure (NaN for one value)."""
    error = float(np.std(values, ddof=1) / len(values) ** 0.5) if len(values) > 1 else math.nan
    return Row(case, work, float(np.mean(values)), unit, goal, figures={"error": error, **figures})


def percentiles(seconds: Iterable[float]) -> dict[str, float]:
    """Milliseconds at p50, p95 and p99 without interpolation; NaN for an empty input."""
    values = np.fromiter(seconds, float)
    ranks = np.percentile(values, PERCENTS, method="inverted_cdf") if values.size else np.full(len(PERCENTS), np.nan)
    return {f"p{percent}": 1000 * value for percent, value in zip(PERCENTS, ranks.tolist(), strict=True)}


def pace() -> float:
    """CPU microseconds of a fixed piece of Python: the present speed of a machine that also does other work."""
    return min(_steps_us() for _ in range(TRIES))


def _steps_us() -> float:
    start, total = time.process_time(), 0
    for number in range(STEPS):
        total += number * number % 7
    return round(1_000_000 * (time.process_time() - start))


def machine() -> dict[str, Any]:
    """Properties of this machine that figures depend on, and its present load."""
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
    """The processor's name by the kernel, else the machine type."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


@dataclass(slots=True)
class RunRecord:
    """A run of a benchmark that starts now."""

    command: str
    start: datetime = field(default_factory=lambda: datetime.now(UTC))
    machine: dict[str, Any] = field(default_factory=machine)

    def as_json(self, rows: Sequence[Row]) -> str:
        """The run with its rows as JSON."""
        document = {
            "command": self.command,
            "date": self.start.isoformat(timespec="seconds"),
            "version": version("battle-arena"),
            "machine": self.machine,
            "rows": [row.record() for row in rows],
        }
        return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()

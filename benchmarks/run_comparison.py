"""Comparison of two sets of runs of one benchmark: which figures are slower beyond noise."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    Run = Mapping[str, Any]

NOISE: Final = 0.1
"""Differences up to this share are noise."""
_RATES: Final = ("/s", "×", "ratio", "per_second")
"""Suffixes of the names of figures for which more is better."""


@dataclass(frozen=True, slots=True)
class Change:
    """The values of one figure in both sets of runs."""

    name: str
    before: list[float]
    after: list[float]

    @property
    def factor(self) -> float:
        """Factor by which the median is worse; below 1 if it is better."""
        median_before, median_after = median(self.before), median(self.after)
        return _ratio(median_before, median_after) if self._is_rate else _ratio(median_after, median_before)

    @property
    def _is_rate(self) -> bool:
        return self.name.endswith(_RATES)

    def beyond(self, noise: float) -> bool:
        """Whether all runs of the second set are worse than all of the first by more than `noise`."""
        if self._is_rate:
            return _ratio(min(self.before), max(self.after)) > 1 + noise
        return _ratio(min(self.after), max(self.before)) > 1 + noise


def _ratio(numerator: float, divisor: float) -> float:
    return numerator / divisor if divisor else (1.0 if numerator == divisor else float("inf"))


def read(path: Path) -> list[Run]:
    """The run, or consecutive runs, in a file.

    Raises:
        ValueError: The file has no runs.
    """
    text, runs = path.read_text().strip(), list[Any]()
    while text:
        run, end = json.JSONDecoder().raw_decode(text)
        runs.append(run)
        text = text[end:].lstrip()
    if not runs or not all(isinstance(run, dict) and {"rows", "machine"} <= run.keys() for run in runs):
        raise ValueError(f"{path} has no runs of a benchmark")
    return runs


def changes(earlier: list[Run], later: list[Run]) -> list[Change]:
    """Changes of the figures in both sets, the worst first."""
    earlier_figures, later_figures = _figures(earlier), _figures(later)
    shared_rows = [
        Change(name, values, later_figures[name]) for name, values in earlier_figures.items() if name in later_figures
    ]
    return sorted(shared_rows, key=lambda change: -change.factor)


def noise(earlier: list[Run], later: list[Run], minimum: float = NOISE) -> float:
    """The share that is noise: `minimum`, or the slowdown of the machine itself in the second set if larger."""
    pace_before, pace_after = (median(run["machine"]["pace_us"] for run in runs) for runs in (earlier, later))
    return max(minimum, pace_after / pace_before - 1)


def as_line(change: Change, share: float) -> str:
    """A change as a line of text."""
    word = "slower" if change.beyond(share) else ("faster" if change.factor < 1 / (1 + share) else "")
    values = f"{median(change.before):>12,.4g} {median(change.after):>12,.4g}"
    return f"{change.name:76} {values} {change.factor:>7.2f}  {word}".rstrip()


def _figures(runs: Iterable[Run]) -> dict[str, list[float]]:
    figures: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        for row in run["rows"]:
            for name, value in _named_figures(row):
                figures[f"{run['command']}: {name}"].append(value)
    return figures


def _named_figures(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    label = ", ".join(filter(None, (row["case"], row["work"])))
    for name, value in row.items():
        if isinstance(value, int | float):
            yield f"{label}, {row['unit'] if name == 'value' else name}", value

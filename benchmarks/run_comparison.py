"""The comparison of two sets of runs of one benchmark: what got slower beyond noise."""

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
"""Ends of the names of figures of which more is better."""


@dataclass(frozen=True, slots=True)
class Change:
    """One figure in both sets; each has its values in `before` and `after`."""

    name: str
    before: list[float]
    after: list[float]

    @property
    def factor(self) -> float:
        """How many times as bad the median is as before."""
        median_before, median_after = median(self.before), median(self.after)
        return _ratio(median_before, median_after) if self._is_rate else _ratio(median_after, median_before)

    @property
    def _is_rate(self) -> bool:
        return self.name.endswith(_RATES)

    def beyond(self, noise: float) -> bool:
        """Whether every run of the second set is worse than every one of the first, by more than `noise`."""
        if self._is_rate:
            return _ratio(min(self.before), max(self.after)) > 1 + noise
        return _ratio(min(self.after), max(self.before)) > 1 + noise


def _ratio(numerator: float, divisor: float) -> float:
    return numerator / divisor if divisor else (1.0 if numerator == divisor else float("inf"))


def read(path: Path) -> list[Run]:
    """Return the runs in a file: one, or several one after the other.

    Raises:
        ValueError: It is not such a file.
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
    """Return the figures that both sets have, the worst change first."""
    earlier_figures, later_figures = _figures(earlier), _figures(later)
    shared_rows = [
        Change(name, values, later_figures[name]) for name, values in earlier_figures.items() if name in later_figures
    ]
    return sorted(shared_rows, key=lambda change: -change.factor)


def noise(earlier: list[Run], later: list[Run], minimum: float = NOISE) -> float:
    """Return the share that is noise: `minimum`, or by how much the machine itself was slower in the second set."""
    pace_before, pace_after = (median(run["machine"]["pace_us"] for run in runs) for runs in (earlier, later))
    return max(minimum, pace_after / pace_before - 1)


def as_line(change: Change, share: float) -> str:
    """Format a change as a line."""
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

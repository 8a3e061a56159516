"""The comparison of two sets of runs of one benchmark: what got slower beyond noise."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    Run = Mapping[str, Any]

NOISE: Final = 0.1
"""Differences up to this share are noise."""
_LABELS: Final = ("database", "who", "case", "work", "votes", "battles", "pacing")
"""Fields that say what was measured."""
_IGNORED: Final = {*_LABELS, "goal", "note", "peer", "peer_s", "peer_mb", "ratio", "unit"}
_RATES: Final = ("/s", "per_second")


@dataclass(frozen=True, slots=True)
class Change:
    """One figure in both sets; each has its values in `before` and `after`."""

    name: str
    before: list[float]
    after: list[float]
    higher_is_better: bool

    @property
    def factor(self) -> float:
        """How many times as bad the median is as before."""
        old, new = median(self.before), median(self.after)
        return _ratio(old, new) if self.higher_is_better else _ratio(new, old)

    def beyond(self, noise: float) -> bool:
        """Whether every run of the second set is worse than every one of the first, by more than `noise`."""
        if self.higher_is_better:
            return _ratio(min(self.before), max(self.after)) > 1 + noise
        return _ratio(min(self.after), max(self.before)) > 1 + noise


def _ratio(over: float, under: float) -> float:
    return over / under if under else (1.0 if over == under else float("inf"))


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


def changes(before: list[Run], after: list[Run]) -> list[Change]:
    """Return the figures that both sets have, the worst change first."""
    old, new = _figures(before), _figures(after)
    found = [Change(name, values, new[name], _is_rate(name)) for name, values in old.items() if name in new]
    return sorted(found, key=lambda change: -change.factor)


def noise(before: list[Run], after: list[Run], least: float = NOISE) -> float:
    """Return the share that is noise: `least`, or by how much the machine itself was slower in the second set."""
    old, new = (median(run["machine"]["pace_us"] for run in runs) for runs in (before, after))
    return max(least, new / old - 1)


def as_line(change: Change, share: float) -> str:
    """Format a change as a line."""
    word = "slower" if change.beyond(share) else ("faster" if change.factor < 1 / (1 + share) else "")
    values = f"{median(change.before):>12,.4g} {median(change.after):>12,.4g}"
    return f"{change.name:76} {values} {change.factor:>7.2f}  {word}".rstrip()


def _figures(runs: Iterable[Run]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        for row in (*run["rows"], *run.get("runs", ())):
            for name, value in _named(cast("dict[str, Any]", row)):
                found[f"{run['command']}: {name}"].append(value)
    return found


def _named(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    label = ", ".join(f"{row[name]} {name}" if name in {"votes", "battles"} else str(row[name]) for name in _kept(row))
    for name, value in row.items():
        if name not in _IGNORED and isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{label}, {row['unit'] if name == 'value' and 'unit' in row else name}", value


def _kept(row: Mapping[str, Any]) -> Iterator[str]:
    return (name for name in _LABELS if row.get(name) is not None)


def _is_rate(name: str) -> bool:
    return name.endswith(_RATES)

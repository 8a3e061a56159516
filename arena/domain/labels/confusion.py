"""Confusion of a labeller: what people say of prompts against what it says, by the first label and label by label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many readings have a label by people, by the labeller, and by both."""

    people: int = 0
    labeller: int = 0
    both: int = 0


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of readings: `matrix[people][labeller]` of first labels, none as the last, and those of each label."""

    matrix: list[list[int]]
    counts: list[LabelCounts]


def confusion(names: Sequence[str], readings: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Confusion:
    """Count pairs of what people and a labeller say of one prompt, the surest label first; unknown ones raise."""
    places = {name: place for place, name in enumerate(names)}
    matrix = [[0] * (len(names) + 1) for _ in range(len(names) + 1)]
    pairs = list(readings)
    for people, labeller in pairs:
        matrix[_first(people, places)][_first(labeller, places)] += 1
    return Confusion(matrix, [_counts(name, pairs) for name in names])


def _first(values: Sequence[str], places: dict[str, int]) -> int:
    return places[values[0]] if values else len(places)


def _counts(name: str, pairs: list[tuple[Sequence[str], Sequence[str]]]) -> LabelCounts:
    decisions = [(name in people, name in labeller) for people, labeller in pairs]
    return LabelCounts(sum(a for a, _ in decisions), sum(b for _, b in decisions), sum(a and b for a, b in decisions))

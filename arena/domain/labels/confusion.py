"""Confusion of a labeller: its labels of prompts against those of people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """The number of readings with a label by people, by the labeller, and by both."""

    people: int = 0
    labeller: int = 0
    both: int = 0


@dataclass(frozen=True, slots=True)
class Confusion:
    """`matrix[people][labeller]` counts readings by first labels, the last index for none; `counts` has all labels."""

    matrix: list[list[int]]
    counts: list[LabelCounts]


def confusion(names: Sequence[str], readings: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Confusion:
    """Count readings of prompts: pairs of the labels by people and by a labeller, the surest label first."""
    index_of = {name: index for index, name in enumerate(names)}
    matrix = [[0] * (len(names) + 1) for _ in range(len(names) + 1)]
    pairs = list(readings)
    for people, labeller in pairs:
        matrix[_first_index(people, index_of)][_first_index(labeller, index_of)] += 1
    return Confusion(matrix, [_counts(name, pairs) for name in names])


def _first_index(labels: Sequence[str], index_of: dict[str, int]) -> int:
    return index_of[labels[0]] if labels else len(index_of)


def _counts(name: str, pairs: list[tuple[Sequence[str], Sequence[str]]]) -> LabelCounts:
    decisions = [(name in people, name in labeller) for people, labeller in pairs]
    return LabelCounts(sum(a for a, _ in decisions), sum(b for _, b in decisions), sum(a and b for a, b in decisions))

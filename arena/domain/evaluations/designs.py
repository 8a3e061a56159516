"""Designs: which models meet on which question, when two answers are compared."""

from __future__ import annotations

from itertools import combinations
from typing import Final

DESIGNS: Final = ("all", "balanced")
"""Every pair on every question, or the rounds of a tournament in turn."""


AGAINST_BASELINE: Final = "baseline"
"""The design of an evaluation with a baseline: the first model meets each of the others (SuperCLUE's OPEN)."""


def pairs(design: str, models: int, question: int) -> list[tuple[int, int]]:
    """The pairs (i < j) that meet on the question with this number.

    A balanced incomplete design takes one round of a round-robin per question (the circle method), so each model has
    one answer compared and, over a whole tournament, all pairs meet equally often.
    """
    if design == AGAINST_BASELINE:
        return [(0, other) for other in range(1, models)]
    if design == "all":
        return list(combinations(range(models), 2))
    seats = models + models % 2
    turn = question % (seats - 1)
    circle = [0, *((seat + turn) % (seats - 1) + 1 for seat in range(seats - 1))]
    met = [sorted((circle[place], circle[-1 - place])) for place in range(seats // 2)]
    return sorted((low, high) for low, high in met if high < models)

"""Designs: which models meet on which question, when two answers are compared."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Final

from arena.evaluations.domain.terms import Design

if TYPE_CHECKING:
    from collections.abc import Sequence

DESIGNS: Final = (Design.ALL, Design.BALANCED, Design.DRAWN)
"""Designs of an evaluation without a baseline."""


def pairs(design: Design, models: int, question: int) -> list[tuple[int, int]]:
    """The pairs (i < j) that meet on the question with this number.

    A balanced incomplete design takes one round of a round-robin per question (the circle method), so each model has
    one answer compared and, over a whole tournament, all pairs meet equally often.
    """
    if design is Design.BASELINE:
        return [(0, other) for other in range(1, models)]
    if design is Design.ALL:
        return list(combinations(range(models), 2))
    seats = models + models % 2
    turn = question % (seats - 1)
    circle = [0, *((seat + turn) % (seats - 1) + 1 for seat in range(seats - 1))]
    seated = [sorted((circle[place], circle[-1 - place])) for place in range(seats // 2)]
    return sorted((low, high) for low, high in seated if high < models)


def drawn_pairs(chances: Sequence[float], models: int, question: int, seed: int) -> list[tuple[int, int]]:
    """The pairs that meet on the question with this number: as many as in a balanced design, drawn one after another.

    `chances` are those of the pairs (i < j) in their order; none is drawn twice, and the seed decides.
    """
    rng = Random(f"{seed} {question}")
    # The first of several exponential times comes in proportion to its rate, and so does the next of the others.
    able = [(pair, chance) for pair, chance in zip(combinations(range(models), 2), chances, strict=True) if chance > 0]
    due = {pair: rng.expovariate(chance) for pair, chance in able}
    return sorted(sorted(due, key=due.__getitem__)[: models // 2])

"""Designs of evaluations by people: pairs to compare on each question, hidden repeats, overlap and disputes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from arena.domain.terms import Outcome
from arena.evaluations.domain.people.protocols import SKIP
from arena.evaluations.domain.terms import REPEAT_DISTANCE, Design
from arena_trust.amounts import amount

OVERLAP_EVERY: Final = 3
"""Period of the positions at which an annotator gets an item that everybody gets, as long as there are any."""
LEAST_DIFFERENT: Final = 3
"""Fewest outcomes that are a dispute if all differ."""
DESIGNS: Final = (Design.ALL, Design.BALANCED, Design.DRAWN)
"""Designs of an evaluation without a baseline."""


def repeat_is_due(position: int, share: float, rng: Random) -> bool:
    """Whether the item at this position should be a repeat."""
    return position > REPEAT_DISTANCE and rng.random() < share


def draw_repeat(positions: Sequence[int], position: int, rng: Random) -> int | None:
    """A random one of the `positions` of possible repeats that is far enough back, or None."""
    candidates = [number for number in positions if number <= position - REPEAT_DISTANCE]
    return rng.choice(candidates) if candidates else None


def overlap_is_due(position: int) -> bool:
    """Whether the item at this position should be one that everybody gets."""
    return position % OVERLAP_EVERY == 1


def is_disputed(values: Sequence[str], answers_needed: int) -> bool:
    """Whether a reviewer has to judge: all outcomes differ, or an annotator skipped the item (TencentLLMEval).

    Different scores are no dispute, as they seldom agree to the point.
    """
    if len(values) < answers_needed:
        return False
    outcomes = all(value in set(Outcome) for value in values)
    return SKIP in values or (outcomes and len(values) >= LEAST_DIFFERENT and len(set(values)) == len(values))


def describe_waiting(items: int, name: str) -> str:
    """A sentence about the items of an evaluation that wait for a reviewer, with the command that invites one."""
    return f"{amount(items, 'item')} waiting for a reviewer: `arena evaluations invite {name} --reviewer`."


def pairs(design: Design, models: int, question: int) -> list[tuple[int, int]]:
    """The pairs of models (i < j) to compare on the question with this number.

    A balanced incomplete design takes one round of a round-robin per question (the circle method), so each model has
    one answer compared and, over a whole tournament, all pairs meet equally often.
    """
    if design is Design.BASELINE:
        return [(0, model) for model in range(1, models)]
    if design is Design.ALL:
        return list(combinations(range(models), 2))
    seats = models + models % 2
    turn = question % (seats - 1)
    circle = [0, *((seat + turn) % (seats - 1) + 1 for seat in range(seats - 1))]
    meetings = [sorted((circle[place], circle[-1 - place])) for place in range(seats // 2)]
    return sorted((low, high) for low, high in meetings if high < models)


def drawn_pairs(chances: Sequence[float], models: int, question: int, seed: int) -> list[tuple[int, int]]:
    """The pairs to compare on the question with this number, as many as in a balanced design, without replacement.

    `chances` are the probabilities of the pairs (i < j) in order.
    """
    rng = Random(f"{seed} {question}")
    # Of independent exponential times, each is the smallest with a probability in proportion to its rate.
    candidates = [
        (pair, chance) for pair, chance in zip(combinations(range(models), 2), chances, strict=True) if chance > 0
    ]
    times = {pair: rng.expovariate(chance) for pair, chance in candidates}
    return sorted(sorted(times, key=times.__getitem__)[: models // 2])

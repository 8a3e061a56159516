"""Rules of assignment: hidden repeats, overlap, and items on which annotators disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.domain.terms import Outcome
from arena.evaluations.domain.people.protocols import SKIP

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

APART: Final = 20
"""Fewest items between an item and its hidden repeat."""
OVERLAP_EVERY: Final = 3
"""Every third item is one that everybody gets, as long as there are such."""
SEVERAL: Final = 3


def repeat_is_due(position: int, share: float, rng: Random) -> bool:
    """Whether the item at this position should be a repeat."""
    return position > APART and rng.random() < share


def repeat_of(done: Sequence[int], position: int, rng: Random) -> int | None:
    """The position of the item to ask again now, if any; `done` has those that were asked once, in order."""
    old = [number for number in done if number <= position - APART]
    return rng.choice(old) if old else None


def overlap_is_due(position: int) -> bool:
    """Whether the item at this position should be one that everybody gets."""
    return position % OVERLAP_EVERY == 1


def disputed(values: Sequence[str], needed: int) -> bool:
    """Whether a reviewer has to look: all annotators say something else, or one could not judge (TencentLLMEval).

    Scores seldom agree to the point, so only outcomes are compared.
    """
    if len(values) < needed:
        return False
    outcomes = all(value in set(Outcome) for value in values)
    return SKIP in values or (outcomes and len(values) >= SEVERAL and len(set(values)) == len(values))

"""Outcomes of both orders and of panels, computed row by row as a reference for the columnar code."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from arena.domain.terms import Outcome

SIDES = (Outcome.A, Outcome.B)


@dataclass(frozen=True)
class PairOutcome:
    outcome: Outcome
    flip: bool = False
    votes: int = 1


def both_orders(shown, swapped) -> PairOutcome | None:
    """The outcome by a verdict on a pair as it is and by one on it with its sides swapped."""
    if shown is None or swapped is None:
        return None
    second = swapped.mirrored
    if shown.outcome is second.outcome:
        return PairOutcome(shown.outcome, votes=3 if shown.strong and second.strong else 1)
    return PairOutcome(Outcome.TIE, flip=shown.outcome in SIDES or second.outcome in SIDES)


def majority(outcomes) -> Outcome | None:
    if not outcomes:
        return None
    outcome, votes = Counter(outcomes).most_common(1)[0]
    return outcome if 2 * votes > len(outcomes) else Outcome.TIE


def mean_points(outcomes) -> float:
    """Mean points of the first side: 1 for it, 0 for the other, half for a tie of either kind."""
    return sum({Outcome.A: 1.0, Outcome.B: 0.0}.get(outcome, 0.5) for outcome in outcomes) / len(outcomes)

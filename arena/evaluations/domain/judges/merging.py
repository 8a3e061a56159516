"""Many judgements at once: `both_orders` and `majority` on columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.evaluations.domain.judges.orders import STRONG_VOTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

TIE: Final = 2
"""The code of a tie; 0 and 1 are the first and the second answer, 3 is both bad, -1 none."""
_CODES: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """Pairs after both orders.

    Attributes:
        outcome: int64 [pairs], -1 where an order is missing or has no verdict.
        flip: bool [pairs], whether the order decided.
        votes: float64 [pairs], how often the pair counts in a fit.
    """

    outcome: Codes
    flip: NDArray[np.bool_]
    votes: NDArray[np.float64]


def merge(pair: Codes, swapped: NDArray[np.bool_], outcome: Codes, strong: NDArray[np.bool_], pairs: int) -> Merged:
    """Merge judgements [n] of one judge, each of a pair numbered from 0, with the outcome in the pair's own order."""
    order = swapped.astype(np.int64)
    said, firm = np.full((pairs, 2), -1, np.int64), np.zeros((pairs, 2), np.bool_)
    said[pair, order], firm[pair, order] = outcome, strong
    first, second = said.T
    whole, same = (said >= 0).all(axis=1), first == second
    return Merged(
        outcome=np.where(whole, np.where(same, first, TIE), -1),
        flip=whole & ~same & ((first < TIE) | (second < TIE)),
        votes=np.where(whole & same & firm.all(axis=1), float(STRONG_VOTES), 1.0),
    )


def settled(outcome: Codes) -> Merged:
    """Outcomes of pairs that no order could have changed."""
    return Merged(outcome, np.zeros(len(outcome), np.bool_), np.ones(len(outcome)))


def mean_panel(outcomes: Codes) -> Codes:
    """The side with more than half of the points of those judges [pairs, judges] that have a word, or else a tie.

    A side gets 1 point of whom prefers it and half a point of whom does not decide; -1 if none has a word.
    """
    known = outcomes >= 0
    first = ((outcomes == 0) - (outcomes == 1).astype(np.int64)).sum(axis=1)
    word = np.where(first == 0, TIE, np.where(first > 0, 0, 1))
    return np.where(known.any(axis=1), word, -1)


def panel(outcomes: Codes) -> Codes:
    """The word of more than half of those judges [pairs, judges] that have one; else a tie, or -1 if none has."""
    counts = (outcomes[:, :, None] == np.arange(_CODES)).sum(axis=1)
    judges = counts.sum(axis=1)
    word = np.where(2 * counts.max(axis=1) > judges, counts.argmax(axis=1), TIE)
    return np.where(judges > 0, word, -1)

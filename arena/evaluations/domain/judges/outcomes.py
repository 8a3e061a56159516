"""Outcomes of pairs from judgements: both orders merged, two scores compared, and a panel of judges.

Outcomes are codes: 0 and 1 for the first and the second answer, 2 for a tie, 3 for both bad, -1 for none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import Outcome
from arena.evaluations.domain.people.protocols import scores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

TIE: Final = 2
_CODES: Final = 4
_STRONG_VOTES: Final = 3
"""Votes that a strong verdict counts for, as in Arena-Hard."""
_GOOD_ABOVE: Final = 5
_MARGIN: Final = 2
_WORDS: Final = tuple(Outcome)


@dataclass(frozen=True, slots=True, eq=False)
class MergedOutcomes:
    """Pairs after both orders.

    Attributes:
        outcome: int64 [pairs], -1 where an order is missing or has no verdict.
        flip: bool [pairs], whether the order decided.
        votes: float64 [pairs], weight of the pair in a fit.
    """

    outcome: Codes
    flip: NDArray[np.bool_]
    votes: NDArray[np.float64]


def merge_orders(
    pair: Codes, swapped: NDArray[np.bool_], outcome: Codes, strong: NDArray[np.bool_], pairs: int
) -> MergedOutcomes:
    """Merge judgements [n] of one judge by `pair`, a number from 0; outcomes are in the pair's order, not as shown.

    Different outcomes make a tie, and a flip if either prefers a side. Two equal strong ones count three votes.
    """
    order = swapped.astype(np.int64)
    outcomes, is_strong = np.full((pairs, 2), -1, np.int64), np.zeros((pairs, 2), np.bool_)
    outcomes[pair, order], is_strong[pair, order] = outcome, strong
    first, second = outcomes.T
    complete, is_equal = (outcomes >= 0).all(axis=1), first == second
    return MergedOutcomes(
        outcome=np.where(complete, np.where(is_equal, first, TIE), -1),
        flip=complete & ~is_equal & ((first < TIE) | (second < TIE)),
        votes=np.where(complete & is_equal & is_strong.all(axis=1), float(_STRONG_VOTES), 1.0),
    )


def single_order(outcome: Codes) -> MergedOutcomes:
    """Outcomes of pairs that were not shown in two orders: no flips, one vote each."""
    return MergedOutcomes(outcome, np.zeros(len(outcome), np.bool_), np.ones(len(outcome)))


def by_difference(a: int, b: int) -> Outcome:
    """The outcome of two scores from 1 to 10: a winner if they differ by more than 2, else a tie above 5 or both bad.

    TencentLLMEval's rule made symmetric: a winner must be above 5, and in a tie both must be.
    """
    if abs(a - b) > _MARGIN and max(a, b) > _GOOD_ABOVE:
        return Outcome.A if a > b else Outcome.B
    return Outcome.TIE if min(a, b) > _GOOD_ABOVE else Outcome.BOTH_BAD


def as_printed(a: int, b: int) -> Outcome:
    """The outcome of two scores by TencentLLMEval's rule as printed (section 3.3.2), by which B never wins."""
    if a - b > _MARGIN and a > _GOOD_ABOVE:
        return Outcome.A
    return Outcome.TIE if a - b <= _MARGIN and b > _GOOD_ABOVE else Outcome.BOTH_BAD


RULES: Final[Mapping[str, Callable[[int, int], Outcome]]] = {"symmetric": by_difference, "printed": as_printed}
"""Rules by which two scores from 1 to 10 become an outcome."""


def by_sum(a: int, b: int) -> Outcome:
    """The outcome of two sums of stars: the higher one wins."""
    if a == b:
        return Outcome.TIE
    return Outcome.A if a > b else Outcome.B


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairs:
    """Pairs of answers to the same turn of a question, [pairs] each: number of the turn, two models, outcome."""

    item: Codes
    first: Codes
    second: Codes
    outcome: Codes


def pair_scores(
    item: Codes, model: Codes, score: Codes, words: Sequence[str], compare: Callable[[int, int], Outcome]
) -> ScoredPairs:
    """All pairs of answers of a turn with their outcome by `compare`, which gets two scores, or two sums of stars.

    The columns have a row for each answer [n]: number of its turn, index of its model, index of its scores in `words`.
    """
    sums = np.array([sum(scores(word)) if word else -1 for word in words], np.int64)[score]
    turns, place = np.unique(item, return_inverse=True)
    table = np.full((len(turns), int(model.max()) + 1), -1, np.int64)
    table[place, model] = sums
    a, b = np.triu_indices(table.shape[1], 1)
    turn, pair = np.nonzero((table[:, a] >= 0) & (table[:, b] >= 0))
    values = np.unique(sums[sums >= 0])
    codes = [[_WORDS.index(compare(first, second)) for second in values.tolist()] for first in values.tolist()]
    first, second = (np.searchsorted(values, table[turn, side[pair]]) for side in (a, b))
    outcome = np.array(codes, np.int64).reshape(len(values), len(values))[first, second]
    return ScoredPairs(turns[turn], a[pair], b[pair], outcome)


def mean_panel(outcomes: Codes) -> Codes:
    """The side with more than half of the points of the judges [pairs, judges] that have an outcome, else a tie.

    A judge gives 1 point to the side that it prefers, or half a point to each; -1 if no judge has an outcome.
    """
    margin = ((outcomes == 0) - (outcomes == 1).astype(np.int64)).sum(axis=1)
    winner = np.where(margin == 0, TIE, np.where(margin > 0, 0, 1))
    return np.where((outcomes >= 0).any(axis=1), winner, -1)


def majority_panel(outcomes: Codes) -> Codes:
    """The outcome of more than half of the judges [pairs, judges] that have one; else a tie, or -1 if none has."""
    counts = (outcomes[:, :, None] == np.arange(_CODES)).sum(axis=1)
    judges = counts.sum(axis=1)
    winner = np.where(2 * counts.max(axis=1) > judges, counts.argmax(axis=1), TIE)
    return np.where(judges > 0, winner, -1)

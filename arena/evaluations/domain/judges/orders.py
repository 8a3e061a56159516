"""Outcomes from verdicts: two orders of one pair, scores turned into a comparison, and panels of judges."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.domain.terms import Outcome
from arena.evaluations.domain.judges.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIDES: Final = (Outcome.A, Outcome.B)
_GOOD_ABOVE: Final = 5
_APART: Final = 2
STRONG_VOTES: Final = 3
"""Votes that a strong verdict counts for, as in Arena-Hard."""


@dataclass(frozen=True, slots=True)
class PairJudgement:
    """One judge's word on a pair after both orders.

    A `flip` is a change of mind with the order; the outcome is then a tie. `votes` is how often it counts in a fit.
    """

    outcome: Outcome
    flip: bool = False
    votes: int = 1


def both_orders(shown: Verdict | None, swapped: Verdict | None) -> PairJudgement | None:
    """Merge the verdict on a pair as it is and that on it with its sides swapped; None if one of them is missing.

    A tie of either kind in both orders is no flip: no side changed.
    """
    if shown is None or swapped is None:
        return None
    second = swapped.swapped
    if shown.outcome is second.outcome:
        strong = shown.strong and second.strong
        return PairJudgement(shown.outcome, votes=STRONG_VOTES if strong else 1)
    return PairJudgement(Outcome.TIE, flip=shown.outcome in _SIDES or second.outcome in _SIDES)


def by_difference(a: int, b: int) -> Outcome:
    """The outcome of two scores from 1 to 10: more than 2 apart, or else equally good above 5, or else equally bad.

    TencentLLMEval's rule made symmetric: the better side must be above 5, and both must be so to be equally good.
    """
    if abs(a - b) > _APART and max(a, b) > _GOOD_ABOVE:
        return Outcome.A if a > b else Outcome.B
    return Outcome.TIE if min(a, b) > _GOOD_ABOVE else Outcome.BOTH_BAD


def as_printed(a: int, b: int) -> Outcome:
    """The outcome of two scores by the rule TencentLLMEval prints (section 3.3.2), under which B is never better."""
    if a - b > _APART and a > _GOOD_ABOVE:
        return Outcome.A
    return Outcome.TIE if a - b <= _APART and b > _GOOD_ABOVE else Outcome.BOTH_BAD


def majority(outcomes: Sequence[Outcome]) -> Outcome | None:
    """The word of more than half of a panel; otherwise, and between ties, a tie. None without any word."""
    if not outcomes:
        return None
    word, votes = Counter(outcomes).most_common(1)[0]
    return word if 2 * votes > len(outcomes) else Outcome.TIE


def mean_points(outcomes: Sequence[Outcome]) -> float:
    """The mean of a panel as points of the first side: 1 for it, 0 for the other, half for a tie of either kind."""
    points = {Outcome.A: 1.0, Outcome.B: 0.0}
    return sum(points.get(outcome, 0.5) for outcome in outcomes) / len(outcomes)

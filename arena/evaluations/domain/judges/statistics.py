"""Statistics of a judge: agreement with people, and preference for length.

Columns have a row for each judged pair; outcomes are codes of `Outcome`, and both kinds of tie are one label.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import Estimate, share
from arena.evaluations.domain.annotators.coefficients import cohen, gwet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

LABELS: Final = 3
"""First side, second side, tie."""
LENGTHS: Final = (100, 300)
"""Differences in characters from which the table of lengths counts pairs."""
MOST_BELOW: Final = 0.3
"""How far the agreement of a usable judge with people may be below that of people with each other."""


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of a judge with people: share of equal labels, Cohen's kappa and Gwet's AC1, with 95 % intervals."""

    raw: Estimate
    kappa: Estimate
    ac1: Estimate


@dataclass(frozen=True, slots=True)
class PeopleComparison:
    """Agreement of a judge with the majority of people, compared with that among people (TencentLLMEval, table 3).

    `difference` is the judge's / people's - 1; down to -`MOST_BELOW` a judge is `usable`.
    """

    people: float
    difference: float
    usable: bool | None


@dataclass(frozen=True, slots=True)
class LengthRow:
    """Wins, ties and losses of the longer answer in pairs that differ by at least `least` characters."""

    least: int
    longer: int
    tie: int
    shorter: int

    @property
    def share(self) -> float | None:
        """Wins of the longer answer by pairs; None without a pair."""
        pairs = self.longer + self.tie + self.shorter
        return self.longer / pairs if pairs else None


def labels_of(outcomes: Codes) -> Codes:
    """Labels 0 to 2 of outcomes, and -1 without an outcome."""
    return np.minimum(outcomes, LABELS - 1)


def agreement(judge: Codes, people: Codes) -> JudgeAgreement:
    """Agreement on the pairs with both outcomes; -1 is none."""
    is_common = (judge >= 0) & (people >= 0)
    first, second = labels_of(judge[is_common]), labels_of(people[is_common])
    counts = np.eye(LABELS, dtype=np.int64)[first] + np.eye(LABELS, dtype=np.int64)[second]
    matches = int((first == second).sum())
    return JudgeAgreement(share(matches, len(first)), cohen(first, second, LABELS), gwet(counts))


def compare_with_people(judge: float, people: float) -> PeopleComparison:
    """Compare two shares of agreement; if people never agree, the difference is nan and `usable` None."""
    if not people > 0:
        return PeopleComparison(people, np.nan, None)
    return PeopleComparison(people, judge / people - 1, judge / people >= 1 - MOST_BELOW)


def length_table(outcomes: Codes, longer_by: Codes, limits: tuple[int, ...] = LENGTHS) -> list[LengthRow]:
    """Results of the longer answer; `longer_by` is the length of the first minus the second answer in characters."""
    label = labels_of(outcomes)
    longer = label == (longer_by < 0)
    is_labelled = label >= 0
    rows: list[LengthRow] = []
    for limit in limits:
        is_counted = is_labelled & (np.abs(longer_by) >= limit)
        tie = int((is_counted & (label == LABELS - 1)).sum())
        wins = int((is_counted & longer).sum())
        rows.append(LengthRow(limit, wins, tie, int(is_counted.sum()) - wins - tie))
    return rows

"""Statistics of a judge: agreement with people, and preference for length.

All take columns of one row per judged pair, with outcomes as codes of `OUTCOMES`; both kinds of tie are one label here.
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


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of a judge with people: share of equal labels, Cohen's kappa and Gwet's AC1, with 95 % intervals."""

    raw: Estimate
    kappa: Estimate
    ac1: Estimate


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """Agreement of people with each other beside that of a judge with their majority (TencentLLMEval, table 3).

    `difference` is the judge's as a part above or below people's; up to `MOST_BELOW` below it a judge is `usable`.
    """

    people: float
    difference: float
    usable: bool | None


@dataclass(frozen=True, slots=True)
class LengthRow:
    """Among pairs whose lengths differ by `least` characters or more: how often the longer answer won, tied, lost."""

    least: int
    longer: int
    tie: int
    shorter: int

    @property
    def share(self) -> float | None:
        """Share of the longer answer's wins; None without a pair."""
        pairs = self.longer + self.tie + self.shorter
        return self.longer / pairs if pairs else None


def labels_of(outcomes: Codes) -> Codes:
    """Labels 0 to 2 of outcomes; no outcome, -1, stays."""
    return np.minimum(outcomes, LABELS - 1)


def agreement(judge: Codes, people: Codes) -> JudgeAgreement:
    """Agreement on the pairs that both have judged; -1 is no outcome."""
    is_common = (judge >= 0) & (people >= 0)
    first, second = labels_of(judge[is_common]), labels_of(people[is_common])
    counts = np.eye(LABELS, dtype=np.int64)[first] + np.eye(LABELS, dtype=np.int64)[second]
    matches = int((first == second).sum())
    return JudgeAgreement(share(matches, len(first)), cohen(first, second, LABELS), gwet(counts))


def beside_people(judge: float, people: float) -> BesidePeople:
    """Compare two shares of agreement; without people who agree there is no difference, and nothing is said."""
    if not people > 0:
        return BesidePeople(people, np.nan, None)
    return BesidePeople(people, judge / people - 1, judge / people >= 1 - MOST_BELOW)


def length_table(outcomes: Codes, longer_by: Codes, at_least: tuple[int, ...] = LENGTHS) -> list[LengthRow]:
    """Wins of the longer answer; `longer_by` is the first answer's length in characters minus the second's."""
    label = labels_of(outcomes)
    longer = label == (longer_by < 0)
    is_labelled = label >= 0
    rows: list[LengthRow] = []
    for limit in at_least:
        is_counted = is_labelled & (np.abs(longer_by) >= limit)
        tie = int((is_counted & (label == LABELS - 1)).sum())
        wins = int((is_counted & longer).sum())
        rows.append(LengthRow(limit, wins, tie, int(is_counted.sum()) - wins - tie))
    return rows

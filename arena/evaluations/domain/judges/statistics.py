"""Statistics of a judge: agreement with people, flips, length, and preference for its own family.

All take columns of one row per judged pair, with outcomes as codes of `OUTCOMES`; both kinds of tie are one label here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.statistics.proportions import Share, share
from arena.evaluations.domain.annotators.chance_agreement import cohen, gwet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.evaluations.domain.annotators.chance_agreement import Coefficient

    Codes = NDArray[np.int64]

LABELS: Final = 3
"""First side, second side, tie."""
LENGTHS: Final = (100, 300)
"""Differences in characters from which the table of lengths counts pairs."""
_POINTS: Final = np.array([1.0, 0.0, 0.5])


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of a judge with people: share of equal labels, Cohen's kappa and Gwet's AC1, with 95 % intervals."""

    raw: Share
    kappa: Coefficient
    ac1: Coefficient


@dataclass(frozen=True, slots=True)
class LengthRow:
    """Among pairs whose lengths differ by `least` characters or more: how often the longer answer won, tied, lost."""

    least: int
    longer: int
    tie: int
    shorter: int


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """The judge's mean points for its own family minus those that people give the same answers, with 95 % interval."""

    difference: float
    low: float
    high: float
    pairs: int


def labelled(outcomes: Codes) -> Codes:
    """Labels 0 to 2 of outcomes; no outcome, -1, stays."""
    return np.minimum(outcomes, LABELS - 1)


def agreement(judge: Codes, people: Codes) -> JudgeAgreement:
    """Agreement on the pairs that both have judged; -1 is no outcome."""
    both = (judge >= 0) & (people >= 0)
    first, second = labelled(judge[both]), labelled(people[both])
    counts = np.eye(LABELS, dtype=np.int64)[first] + np.eye(LABELS, dtype=np.int64)[second]
    equal = int((first == second).sum())
    return JudgeAgreement(share(equal, len(first)), cohen(first, second, LABELS), gwet(counts))


def agreement_by_area(judge: Codes, people: Codes, area: Codes, areas: int) -> list[JudgeAgreement]:
    """The same for each area, numbered from 0."""
    return [agreement(judge[area == number], people[area == number]) for number in range(areas)]


def length_table(outcomes: Codes, longer_by: Codes, at_least: tuple[int, ...] = LENGTHS) -> list[LengthRow]:
    """Wins of the longer answer; `longer_by` is the first answer's length in characters minus the second's."""
    label = labelled(outcomes)
    longer = label == (longer_by < 0)
    known = label >= 0
    rows: list[LengthRow] = []
    for least in at_least:
        far = known & (np.abs(longer_by) >= least)
        tie = int((far & (label == LABELS - 1)).sum())
        wins = int((far & longer).sum())
        rows.append(LengthRow(least, wins, tie, int(far.sum()) - wins - tie))
    return rows


def self_preference(judge: Codes, people: Codes, own: Codes) -> SelfPreference:
    """Preference for the judge's own family in pairs where one side is of it: `own` is 0 or 1 for that side, else -1.

    A judge that ranks its own family as people do has 0, however good the family is.
    """
    both = (judge >= 0) & (people >= 0) & (own >= 0)
    given, wanted = (_points(column[both], own[both]) for column in (judge, people))
    apart = given - wanted
    if len(apart) < 2:  # noqa: PLR2004 - an interval needs two
        return SelfPreference(float(apart.mean()) if len(apart) else np.nan, np.nan, np.nan, len(apart))
    mean, half = float(apart.mean()), 1.96 * float(apart.std(ddof=1)) / np.sqrt(len(apart))
    return SelfPreference(mean, mean - half, mean + half, len(apart))


def _points(outcomes: Codes, side: Codes) -> NDArray[np.float64]:
    first = _POINTS[labelled(outcomes)]
    return np.where(side == 0, first, 1 - first)

"""Slices whose votes push a model, and which of them the gate accepts first.

A slice is found where its pooled residual on a model is a discovery at the false discovery rate over all slices
and models, is large, and shifts the rating. Large slices need more: with half of all voters in it a slice may be the
honest half. So a slice that holds many of all voters or of the model's votes is found only if the model's score in it
is extreme, and more so than elsewhere; and no slice is, while one that cannot be found contradicts it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating.ratios import ratio
from arena_trust.integrity.false_discovery_rate import limit, p_values
from arena_trust.integrity.omnibus import omnibus_discoveries
from arena_trust.integrity.tolerance import widen_errors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.pooling import Residuals
    from arena_trust.integrity.slices import VoteDivision

RATE: Final = 0.1
"""False discovery rate of a run, an even share of it for each division: many hours do not hide a few tiers."""
OMNIBUS_RATE: Final = 0.02
"""The same of the omnibus test."""
SUSPECT_Z: Final = 2.5
"""|z| from which a slice that the omnibus test finds pushes a model."""
LEAST_VOTES: Final = 8
LEAST_ELSEWHERE: Final = 50
LEAST_EFFECT: Final = 0.08
"""Smallest mean residual that counts as large: 55 points for an even pair."""
LEAST_POINTS: Final = 1.0
"""Smallest shift of the rating that the gate acts on."""
HETEROGENEOUS_EFFECT: Final = 0.15
"""As LEAST_EFFECT, for divisions with honest heterogeneity, such as languages."""
DOMINANT: Final = 0.3
"""Share of a model's votes, and `MOST_VOTERS` of all voters, above which a slice is large."""
MOST_VOTERS: Final = 0.4
LARGE_EFFECT: Final = 0.2
LARGE_HETEROGENEOUS_EFFECT: Final = 0.35
LARGE_Z: Final = 5.0
MORE_EXTREME: Final = 0.1
AGREED: Final = 0.8
"""Share of a contradicting |z| that a finding must reach."""
NEARLY: Final = 0.9
"""Share of the strongest |z| from which another slice is preferred if it differs more."""
COSTLY_Z: Final = ((0.01, 4.5), (0.02, 5.5))
"""Least |z| of a finding by the share of all votes that it takes, as steps: a wrong one costs as much."""
USUAL: Final = 0.6
"""Share of all voters above which a slice contradicts no finding: that others differ from most says nothing."""
TOGETHER: Final = 0.6
"""Share of the strongest |z| from which slices of the same division are found with it."""


@dataclass(frozen=True, slots=True)
class SliceFinding:
    """Slice `code` of division number `division` pushes model number `model`, up or down by the sign of `z`.

    `evidence` is what findings are compared by, with the same sign.
    """

    division: int
    code: int
    model: int
    z: float
    excess: float
    expected: float
    evidence: float

    @property
    def guilt(self) -> float:
        """Least share of attackers among the slice's votes on the model that explains the difference."""
        return abs(self.excess) / max(1 - self.expected if self.z > 0 else self.expected, abs(self.excess))


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """The cells of one division, float64 or bool [slices, m].

    Attributes:
        residuals: Residuals of the slices, with errors widened by honest heterogeneity.
        plain: z with plain errors.
        evidence: z times the least share of attackers, by which findings are compared.
        suspicious: bool [slices], whether the omnibus test finds the slice, or an earlier round has.
        judged: Whether there are votes enough to judge.
        pushing: Whether the difference is large enough to be found.
        oversized: Whether only the slice's size is against that.
        usual: bool [slices, 1], whether most voters are in the slice: its difference from others says nothing.
    """

    residuals: Residuals
    plain: NDArray[np.float64]
    evidence: NDArray[np.float64]
    suspicious: NDArray[np.bool_]
    judged: NDArray[np.bool_]
    pushing: NDArray[np.bool_]
    oversized: NDArray[np.bool_]
    usual: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RoundFindings:
    """The result of a round.

    Attributes:
        foremost: The foremost finding, and those of the same division, model and direction that are nearly as strong.
        large: Division and slice of slices that are only too large to be found.
    """

    foremost: list[SliceFinding]
    large: list[tuple[int, int]]


def find_outliers(
    divisions: Sequence[VoteDivision],
    residuals: Sequence[Residuals],
    total: NDArray[np.float64],
    known: Collection[tuple[int, int]] = (),
) -> RoundFindings:
    """The findings of a round.

    `residuals` has an entry for each division; `total` [m] is the number of votes on each model, and `known` are
    slices, by division, found in earlier rounds.
    """
    both = list(zip(divisions, residuals, strict=True))
    whole = next((each for division, each in both if division.heterogeneous and division.parent is None), None)
    rate = OMNIBUS_RATE / len(divisions)
    found = [_examined(division, each, whole, total, rate) for division, each in both]
    for number, code in known:
        found[number].suspicious[code] = True
    bounds = [_bound(each, RATE / len(found)) for each in found]
    contradiction = {sign: _contradiction(found, bounds, sign) for sign in (-1.0, 1.0)}
    cells = list(enumerate(found))
    named = [each for number, of in cells for each in _named(number, of, bounds[number], contradiction)]
    for part, least in COSTLY_Z:
        most = part * float(total.sum()) / 2
        named = [each for each in named if abs(each.z) >= least or _votes(found[each.division], each) <= most]
    foremost = _foremost(named)
    return RoundFindings(foremost, [place for number, of in cells for place in _large(number, of, bounds[number])])


def _votes(found: _Cells, finding: SliceFinding) -> float:
    return float(found.residuals.votes[finding.code, finding.model])


def _large(number: int, found: _Cells, bound: float) -> Iterator[tuple[int, int]]:
    """Slices of a division that would be found if they were smaller."""
    for code in np.flatnonzero((found.oversized & (p_values(found.residuals.z) <= bound)).any(axis=1)):
        yield number, int(code)


def _bound(found: _Cells, rate: float) -> float:
    p = p_values(found.residuals.z[found.judged])
    return limit(p, rate, len(p))


def _named(
    number: int, found: _Cells, bound: float, contradiction: dict[float, NDArray[np.float64]]
) -> Iterator[SliceFinding]:
    z, evidence = found.residuals.z, found.evidence
    seen = (p_values(z) <= bound) | (found.suspicious[:, None] & (np.abs(z) >= SUSPECT_Z))
    for code, model in np.argwhere(found.pushing & seen):
        value = float(evidence[code, model])
        if abs(value) >= AGREED * contradiction[-math.copysign(1.0, value)][model]:
            columns = (found.plain, found.residuals.excess, found.residuals.score - found.residuals.excess, evidence)
            yield SliceFinding(number, int(code), int(model), *(float(each[code, model]) for each in columns))


def _foremost(named: list[SliceFinding]) -> list[SliceFinding]:
    if not named:
        return []
    strongest = max(named, key=lambda each: abs(each.evidence))
    near = [
        each
        for each in named
        if each.model == strongest.model and each.evidence * strongest.evidence >= NEARLY * strongest.evidence**2
    ]
    # Of slices that cross, the one with fewer honest people in it differs most.
    first = max(near, key=lambda each: abs(each.excess))
    return [
        each
        for each in named
        if (each.division, each.model) == (first.division, first.model)
        and each.evidence * first.evidence >= TOGETHER * first.evidence**2
    ]


def _examined(
    division: VoteDivision, given: Residuals, whole: Residuals | None, total: NDArray[np.float64], rate: float
) -> _Cells:
    found = widen_errors(division, given, whole) if division.heterogeneous else given
    judged = (found.votes >= LEAST_VOTES) & (total - found.votes >= LEAST_ELSEWHERE)
    effect = HETEROGENEOUS_EFFECT if division.heterogeneous else LEAST_EFFECT
    strong = judged & (np.abs(found.excess) >= effect) & (np.abs(found.points) >= LEAST_POINTS)
    pushing = strong
    if not division.suspect:
        large = (found.votes > DOMINANT * total) | (division.voters[:, None] > MOST_VOTERS)
        pushing = strong & (
            ~large | _extreme(given, LARGE_HETEROGENEOUS_EFFECT if division.heterogeneous else LARGE_EFFECT)
        )
    return _Cells(
        residuals=found,
        plain=given.z,
        evidence=given.z * _guilt(given),
        suspicious=omnibus_discoveries(found, rate),
        judged=judged,
        pushing=pushing,
        oversized=strong & ~pushing,
        usual=(division.voters > USUAL)[:, None],
    )


def _guilt(found: Residuals) -> NDArray[np.float64]:
    """Least shares of attackers [slices, m] that explain the differences."""
    most, excess = found.score - found.excess, np.abs(found.excess)
    return ratio(excess, np.maximum(np.where(found.z > 0, 1 - most, most), excess), 0.0)


def _extreme(found: Residuals, effect: float) -> NDArray[np.bool_]:
    """Where a slice's score is so far from even, and so much farther than expected, that a large one may be found."""
    expected = found.score - found.excess
    farther = np.abs(found.score - 0.5) - np.abs(expected - 0.5) >= MORE_EXTREME
    return farther & (np.abs(found.excess) >= effect) & (np.abs(found.z) >= LARGE_Z)


def _contradiction(found: list[_Cells], bounds: list[float], sign: float) -> NDArray[np.float64]:
    """The largest discovery of this sign, by model, in slices that were judged and cannot be found, as z."""
    return np.max([_contradicting(each, bound, sign) for each, bound in zip(found, bounds, strict=True)], axis=0)


def _contradicting(found: _Cells, bound: float, sign: float) -> NDArray[np.float64]:
    firm = found.judged & ~found.pushing & ~found.usual & (p_values(found.residuals.z) <= bound)
    return np.where(firm, sign * found.evidence, 0.0).max(axis=0)

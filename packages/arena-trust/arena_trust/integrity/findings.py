"""Slices whose votes push a model, and which of them the gate accepts first.

A slice is a finding where its pooled residual on a model is a discovery at the false discovery rate over all slices
and models, is large, and shifts the rating. Large slices need more: with half of all voters in it a slice may be the
honest half. So a slice that holds many of all voters or of the model's votes is a finding only if the model's score in
it is extreme, and more so than elsewhere; and no slice is one while a slice that cannot be a finding contradicts it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_rating.ratios import ratio
from arena_trust.integrity.false_discovery_rate import limit, p_values
from arena_trust.integrity.omnibus import omnibus_discoveries
from arena_trust.integrity.pooling import widen_errors

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
        foremost: The strongest finding, and those of the same division, model and direction that are nearly as strong.
        large: Division and slice of slices that are only too large to be found.
    """

    foremost: list[SliceFinding]
    large: list[tuple[int, int]]


def find_outliers(
    divisions: Sequence[VoteDivision],
    residuals: Sequence[Residuals],
    total: NDArray[np.float64],
    accepted: Collection[tuple[int, int]] = (),
) -> RoundFindings:
    """The findings of a round.

    `residuals` has an entry for each division; `total` [m] is the number of votes on each model, and `accepted` are
    slices, by division, of findings of earlier rounds.
    """
    pairs = list(zip(divisions, residuals, strict=True))
    whole = next((part for division, part in pairs if division.heterogeneous and division.parent is None), None)
    rate = OMNIBUS_RATE / len(divisions)
    cells = [_examine(division, part, whole, total, rate) for division, part in pairs]
    for number, code in accepted:
        cells[number].suspicious[code] = True
    bounds = [_bound(part, RATE / len(cells)) for part in cells]
    contradiction = {sign: _contradiction(cells, bounds, sign) for sign in (-1.0, 1.0)}
    numbered = list(enumerate(zip(cells, bounds, strict=True)))
    findings = [finding for number, part in numbered for finding in _findings(number, *part, contradiction)]
    for share, least in COSTLY_Z:
        most = share * float(total.sum()) / 2
        findings = [finding for finding in findings if abs(finding.z) >= least or _votes(cells, finding) <= most]
    return RoundFindings(_foremost(findings), [place for number, part in numbered for place in _large(number, *part)])


def _votes(cells: list[_Cells], finding: SliceFinding) -> float:
    return float(cells[finding.division].residuals.votes[finding.code, finding.model])


def _large(number: int, cells: _Cells, bound: float) -> Iterator[tuple[int, int]]:
    """Slices of a division that would be findings if they were smaller."""
    for code in np.flatnonzero((cells.oversized & (p_values(cells.residuals.z) <= bound)).any(axis=1)):
        yield number, int(code)


def _bound(cells: _Cells, rate: float) -> float:
    p = p_values(cells.residuals.z[cells.judged])
    return limit(p, rate, len(p))


def _findings(
    number: int, cells: _Cells, bound: float, contradiction: dict[float, NDArray[np.float64]]
) -> Iterator[SliceFinding]:
    """The findings of a division that no slice contradicts."""
    z, evidence = cells.residuals.z, cells.evidence
    discovered = (p_values(z) <= bound) | (cells.suspicious[:, None] & (np.abs(z) >= SUSPECT_Z))
    for code, model in np.argwhere(cells.pushing & discovered):
        value = float(evidence[code, model])
        if abs(value) >= AGREED * contradiction[-math.copysign(1.0, value)][model]:
            columns = (cells.plain, cells.residuals.excess, cells.residuals.score - cells.residuals.excess, evidence)
            yield SliceFinding(number, int(code), int(model), *(float(column[code, model]) for column in columns))


def _foremost(findings: list[SliceFinding]) -> list[SliceFinding]:
    if not findings:
        return []
    strongest = max(findings, key=lambda finding: abs(finding.evidence))
    near = [
        finding
        for finding in findings
        if finding.model == strongest.model and finding.evidence * strongest.evidence >= NEARLY * strongest.evidence**2
    ]
    # Of slices that cross, the one with fewer honest people in it differs most.
    first = max(near, key=lambda finding: abs(finding.excess))
    return [
        finding
        for finding in findings
        if (finding.division, finding.model) == (first.division, first.model)
        and finding.evidence * first.evidence >= TOGETHER * first.evidence**2
    ]


def _examine(
    division: VoteDivision, plain: Residuals, whole: Residuals | None, total: NDArray[np.float64], rate: float
) -> _Cells:
    """Judge the cells of a division; `whole` as in `widen_errors`, `rate` is the omnibus test's."""
    residuals = widen_errors(division, plain, whole) if division.heterogeneous else plain
    judged = (residuals.votes >= LEAST_VOTES) & (total - residuals.votes >= LEAST_ELSEWHERE)
    effect = HETEROGENEOUS_EFFECT if division.heterogeneous else LEAST_EFFECT
    strong = judged & (np.abs(residuals.excess) >= effect) & (np.abs(residuals.points) >= LEAST_POINTS)
    pushing = strong
    if not division.suspect:
        large = (residuals.votes > DOMINANT * total) | (division.voters[:, None] > MOST_VOTERS)
        pushing = strong & (
            ~large | _extreme(plain, LARGE_HETEROGENEOUS_EFFECT if division.heterogeneous else LARGE_EFFECT)
        )
    return _Cells(
        residuals=residuals,
        plain=plain.z,
        evidence=plain.z * _guilt(plain),
        suspicious=omnibus_discoveries(residuals, rate),
        judged=judged,
        pushing=pushing,
        oversized=strong & ~pushing,
        usual=(division.voters > USUAL)[:, None],
    )


def _guilt(residuals: Residuals) -> NDArray[np.float64]:
    """Least shares of attackers [slices, m] that explain the differences."""
    expected, excess = residuals.score - residuals.excess, np.abs(residuals.excess)
    return ratio(excess, np.maximum(np.where(residuals.z > 0, 1 - expected, expected), excess), 0.0)


def _extreme(residuals: Residuals, effect: float) -> NDArray[np.bool_]:
    """Where a slice's score is so far from even, and so much farther than expected, that a large one may count."""
    expected = residuals.score - residuals.excess
    farther = np.abs(residuals.score - 0.5) - np.abs(expected - 0.5) >= MORE_EXTREME
    return farther & (np.abs(residuals.excess) >= effect) & (np.abs(residuals.z) >= LARGE_Z)


def _contradiction(cells: list[_Cells], bounds: list[float], sign: float) -> NDArray[np.float64]:
    """The largest discovery of this sign, by model, in slices that were judged and cannot be findings, as z."""
    return np.max([_contradicting(part, bound, sign) for part, bound in zip(cells, bounds, strict=True)], axis=0)


def _contradicting(cells: _Cells, bound: float, sign: float) -> NDArray[np.float64]:
    firm = cells.judged & ~cells.pushing & ~cells.usual & (p_values(cells.residuals.z) <= bound)
    return np.where(firm, sign * cells.evidence, 0.0).max(axis=0)

"""The vote gate: the weight of each vote, from a log and the origins of its votes alone.

Votes of slices that push a model beyond chance weigh 0 (`outlier_search`), all others 1. A voter's agreement with the
majority and reliability play no part.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import CastVotes, by_appearance
from arena_trust.integrity.divisions import divisions
from arena_trust.integrity.outlier_search import OutlierSearch, SliceFinding

if TYPE_CHECKING:
    from numpy.typing import NDArray

METHOD: Final = "pooled-gate-4"
"""Version of the gate in decisions and audit files; it changes with what the gate decides."""
POOLED: Final = "pooled"
"""Reason of the gate's decisions."""
REASONS: Final = (POOLED,)
_LABELS: Final = ("voter", "network", "since", "language", "check", "client")


@dataclass(frozen=True, slots=True)
class Decision:
    """A vote of lower weight with the reason: a row of the log of decisions."""

    number: int
    weight: float
    reason: str = POOLED
    method: str = METHOD


@dataclass(frozen=True, slots=True, eq=False)
class VoteWeights:
    """The gate's result.

    Attributes:
        weight: float64 [n], 0 or 1.
        finding: int64 [n], index in `findings` of the finding that took a vote's weight, -1 for none.
        findings: Division, model and z of each finding; for the operator alone.
        undecided: Models pushed by so many slices that the honest side is unknown; they have no findings.
    """

    weight: NDArray[np.float64]
    finding: NDArray[np.int64]
    findings: tuple[tuple[str, str, float], ...] = field(default=(), repr=False)
    undecided: tuple[str, ...] = ()

    @property
    def reason(self) -> NDArray[np.int64]:
        """Index in `REASONS` by vote, -1 for full weight, int64 [n]."""
        return np.where(self.weight < 1, 0, -1)

    def decisions(self, log: CastVotes) -> list[Decision]:
        """The decision on each vote with a weight below 1, by number."""
        rows = np.flatnonzero(self.weight < 1)
        return [Decision(number, 0.0) for number in log.number[rows].tolist()]


def weigh_votes(log: CastVotes) -> VoteWeights:
    """Weigh votes in their published form; the result does not depend on the codes of labels or the order of names."""
    finding_of = np.full(len(log), -1)
    if not len(log):
        return VoteWeights(np.ones(0), finding_of)
    log = _anonymous(log)
    search, strong = _search(log)
    findings: list[tuple[str, str, float]] = []
    for outlier in strong:
        finding_of[outlier.rows] = len(findings)
        findings.append((outlier.division, log.names[outlier.model], outlier.z))
    undecided = sorted(log.names[model] for model in search.undecided)
    return VoteWeights(search.heard.astype(np.float64), finding_of, tuple(findings), tuple(undecided))


def _search(log: CastVotes) -> tuple[OutlierSearch, list[SliceFinding]]:
    """The search and its findings, repeated without the models whose honest side is unknown."""
    search = OutlierSearch(log, list(divisions(log)))
    findings = list(search.run())
    while search.contested:
        search = OutlierSearch(log, search.divisions, search.undecided | search.contested)
        findings = list(search.run())
    return search, findings


def _anonymous(log: CastVotes) -> CastVotes:
    """The log with models and labels numbered by first appearance, so that results do not depend on their codes."""
    sides = np.stack([log.left, log.right], axis=1).ravel()
    number_of = by_appearance(sides)
    side_of = np.zeros(int(number_of.max()) + 1, np.int64)
    side_of[number_of] = sides
    labels = {name: by_appearance(getattr(log, name)) for name in _LABELS}
    names = tuple(log.names[model] for model in side_of)
    return replace(log, left=number_of[0::2].copy(), right=number_of[1::2].copy(), names=names, **labels)

"""The vote gate: which votes count less, decided from a log and the origins of its votes alone.

Slices whose votes push a model beyond chance lose them (`outlier_search`); all other votes weigh 1. Nothing is decided
by the agreement of single voters with the majority, nor by how reliable they are.
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
"""Version of the gate in decisions and audit files; a change of what it decides changes it."""
POOLED: Final = "pooled"
"""Reason of its decisions."""
REASONS: Final = (POOLED,)
_LABELS: Final = ("voter", "network", "since", "language", "check", "client")


@dataclass(frozen=True, slots=True)
class Decision:
    """A vote that counts less, and why; a row of the log of decisions."""

    number: int
    weight: float
    reason: str = POOLED
    method: str = METHOD


@dataclass(frozen=True, slots=True, eq=False)
class VoteWeights:
    """The gate's result.

    Attributes:
        weight: float64 [n], 0 or 1.
        finding: int64 [n], index in `findings` of the one that took a vote's weight, -1 without.
        findings: Division, model and z of each finding; for the operator alone.
        undecided: Models that so many slices push that nobody can know which side is honest; nothing is found on them.
    """

    weight: NDArray[np.float64]
    finding: NDArray[np.int64]
    findings: tuple[tuple[str, str, float], ...] = field(default=(), repr=False)
    undecided: tuple[str, ...] = ()

    @property
    def reason(self) -> NDArray[np.int64]:
        """Index in `REASONS` by vote, -1 for one that counts in full."""
        return np.where(self.weight < 1, 0, -1)

    def decisions(self, log: CastVotes) -> list[Decision]:
        """A row for each vote with a weight below 1, by number."""
        rows = np.flatnonzero(self.weight < 1)
        return [Decision(number, 0.0) for number in log.number[rows].tolist()]


def weigh_votes(log: CastVotes) -> VoteWeights:
    """Weigh votes in their published form; the same log in any order of labels and names gives the same bits."""
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
    """The search and its findings, begun anew without the models on which it cannot know who is honest."""
    search = OutlierSearch(log, list(divisions(log)))
    findings = list(search.run())
    while search.contested:
        search = OutlierSearch(log, search.ways, search.undecided | search.contested)
        findings = list(search.run())
    return search, findings


def _anonymous(log: CastVotes) -> CastVotes:
    """The log with all labels numbered by first appearance, so that nothing depends on what they were called."""
    sides = np.stack([log.left, log.right], axis=1).ravel()
    number_of = by_appearance(sides)
    side_of = np.zeros(int(number_of.max()) + 1, np.int64)
    side_of[number_of] = sides
    labels = {name: by_appearance(getattr(log, name)) for name in _LABELS}
    names = tuple(log.names[model] for model in side_of)
    return replace(log, left=number_of[0::2].copy(), right=number_of[1::2].copy(), names=names, **labels)

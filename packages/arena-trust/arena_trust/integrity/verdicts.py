"""A gate's verdict on a log: the weight of each vote with its reason, and models that are contested."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import CastVotes, by_appearance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

POOLED: Final = "pooled"
"""Reason of a decision on votes of a slice that pushes a model."""
CHOSEN: Final = "chosen"
"""Reason of a decision on votes of voters who meet a model far more often than the arena shows it."""
REASONS: Final = (POOLED, CHOSEN)
_LABELS: Final = ("voter", "network", "since", "language", "check", "client")


@dataclass(frozen=True, slots=True)
class Decision:
    """A vote of lower weight with the reason: a row of the log of decisions."""

    number: int
    weight: float
    reason: str
    method: str


@dataclass(frozen=True, slots=True, eq=False)
class VoteWeights:
    """A gate's result.

    Attributes:
        method: The gate that made it.
        weight: float64 [n], 0 or 1.
        finding: int64 [n], index in `findings` of the finding that took a vote's weight, -1 for none.
        findings: Division, model and z of each finding; for the operator alone.
        undecided: Models that some votes push, where it is unknown which side is honest; they have no findings.
        bounds: Points by which an undecided model may be wrong, as far as the method knows.
        reason_of: Index in `REASONS` of each finding; by default all are `POOLED`.
    """

    method: str
    weight: NDArray[np.float64]
    finding: NDArray[np.int64]
    findings: tuple[tuple[str, str, float], ...] = field(default=(), repr=False)
    undecided: tuple[str, ...] = ()
    bounds: Mapping[str, float] = field(default_factory=dict[str, float])
    reason_of: tuple[int, ...] = ()

    @property
    def reason(self) -> NDArray[np.int64]:
        """Index in `REASONS` by vote, -1 for full weight, int64 [n]."""
        reasons = np.array(self.reason_of or [0] * len(self.findings), np.int64)
        return np.asarray(np.append(reasons, -1)[self.finding], np.int64)

    def decisions(self, log: CastVotes) -> list[Decision]:
        """The decision on each vote with a weight below 1, by number."""
        rows = np.flatnonzero(self.weight < 1)
        reasons: list[int] = self.reason[rows].tolist()
        pairs = zip(log.number[rows].tolist(), reasons, strict=True)
        return [Decision(number, 0.0, REASONS[reason], self.method) for number, reason in pairs]


def anonymous(log: CastVotes) -> CastVotes:
    """The log with models and labels numbered by first appearance, so that results do not depend on their codes."""
    sides = np.stack([log.left, log.right], axis=1).ravel()
    number_of = by_appearance(sides)
    side_of = np.zeros(int(number_of.max()) + 1, np.int64)
    side_of[number_of] = sides
    labels = {name: by_appearance(getattr(log, name)) for name in _LABELS}
    names = tuple(log.names[model] for model in side_of)
    return replace(log, left=number_of[0::2].copy(), right=number_of[1::2].copy(), names=names, **labels)

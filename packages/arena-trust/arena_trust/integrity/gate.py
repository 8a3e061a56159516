"""The vote gate: which votes count less, decided from a log and the origins of its votes alone.

Slices whose votes push a model lose them (`outlier_search`). The age rule (`voter_age`) and caps (`caps`) apply where
there are enough neighbourhoods and established voters, the share cap (`network_share`) where there are not. All
weights are 0, 1/4, 1/2 or 1: sums of them are exact in any order. Nothing is decided by the agreement of single voters
with the majority, nor by how reliable they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.caps import network_weights, pair_weights
from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes, by_appearance
from arena_trust.integrity.outlier_search import OutlierSearch
from arena_trust.integrity.slices import YOUNG, divisions, young
from arena_trust.integrity.voter_age import age_weights, ages, awake

if TYPE_CHECKING:
    from numpy.typing import NDArray

METHOD: Final = "pooled-gate-1"
"""Version of the gate in decisions and audit files; a change of what it decides changes it."""
REASONS: Final = ("pooled", "age", "voter-cap", "network-cap", "network-share")
"""Reasons of decisions; where several apply the one with the lowest weight is named, the first of equals."""
YOUNG_TRUST: Final = 0.25
"""Weight of young voters in the board that judges, while the age rule is awake."""
DOUBTED_Z: Final = 2.0
"""|z| of all young voters on a model from which their votes on it weigh a quarter."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A vote that counts less, and why; a row of the log of decisions."""

    number: int
    weight: float
    reason: str
    method: str = METHOD


@dataclass(frozen=True, slots=True, eq=False)
class VoteWeights:
    """The gate's result.

    Attributes:
        weight: float64 [n].
        reason: int64 [n], index in `REASONS`, -1 for a vote that counts in full.
        by_rules: float64 [n], the weights that age rule and all caps alone would give.
        finding: int64 [n], index in `findings` of the one that took a vote's weight, -1 without.
        awake: Whether age rule and caps applied.
        findings: Division, model and z of each finding that was accepted; for the operator alone.
    """

    weight: NDArray[np.float64]
    reason: NDArray[np.int64]
    by_rules: NDArray[np.float64]
    finding: NDArray[np.int64]
    awake: bool
    findings: tuple[tuple[str, str, float], ...] = field(default=(), repr=False)

    def decisions(self, log: CastVotes) -> list[Decision]:
        """A row for each vote with a weight below 1, by number."""
        rows = np.flatnonzero(self.weight < 1)
        reasons = [REASONS[int(reason)] for reason in self.reason[rows]]
        columns = log.number[rows].tolist(), self.weight[rows].tolist(), reasons
        return [Decision(*column) for column in zip(*columns, strict=True)]


def weigh_votes(log: CastVotes, networks: int | None = None, share: NDArray[np.float64] | None = None) -> VoteWeights:
    """Weigh every vote; the same log in any order of labels and names gives the same bits.

    `networks` is the number of neighbourhoods, where their labels last only a while; by default that of the labels.
    `share` are the weights by the share cap [n], which apply until there are enough; by default there is no such cap.
    """
    if not len(log):
        return VoteWeights(np.ones(0), np.zeros(0, np.int64), np.ones(0), np.zeros(0, np.int64), False)
    log = _anonymous(log)
    age = ages(log)
    result = int(log.network.max(initial=UNKNOWN)) + 1
    active = awake(result if networks is None else networks, age)
    # What the share cap silences is no evidence either: it would make all others look like those who push.
    heard = np.flatnonzero(np.ones(len(log)) if active or share is None else share)
    judging = log if len(heard) == len(log) else _anonymous(log.rows(heard))
    ways = [*divisions(judging, age[heard]), *([young(log, age)] if active else [])]
    search = OutlierSearch(judging, (age[heard] < YOUNG) & active, YOUNG_TRUST, ways)
    search.run()
    rules = [np.ones(len(log)) for _ in REASONS]
    rules[0][heard] = search.weight
    if active:
        rules[1:4] = [_age_rule(search, age), pair_weights(log), network_weights(log)]
    elif share is not None:
        rules[4] = share
    table = np.stack(rules)
    weight = table.min(axis=0)
    reason = np.full(len(log), -1)
    reason[weight < 1] = table.argmin(axis=0)[weight < 1]
    finding = np.full(len(log), -1)
    finding[heard] = search.finding
    finding[reason != 0] = -1
    rules_alone = table[1:].min(axis=0)
    return VoteWeights(weight, reason, rules_alone, finding, active, tuple(search.accepted))


def _anonymous(log: CastVotes) -> CastVotes:
    """The log with all labels numbered by first appearance, so that nothing depends on what they were called."""
    sides = np.stack([log.left, log.right], axis=1).ravel()
    new = by_appearance(sides)
    old = np.zeros(int(new.max()) + 1, np.int64)
    old[new] = sides
    names = tuple(log.names[model] for model in old)
    return replace(
        log,
        left=new[0::2].copy(),
        right=new[1::2].copy(),
        voter=by_appearance(log.voter),
        network=by_appearance(log.network),
        language=by_appearance(log.language),
        check=by_appearance(log.check),
        client=by_appearance(log.client),
        names=names,
    )


def _age_rule(search: OutlierSearch, age: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights by age; a quarter where young voters together contradict the established ones on one of the models."""
    log = search.log
    pool = next(pool for pool in search.pools if pool.division.suspect)
    weight = age_weights(age)
    if not pool.division.slices:
        return weight
    doubted = np.abs(pool.residuals(search.whole, search.board, search.noise).z[0]) >= DOUBTED_Z
    return np.where((weight < 1) & (doubted[log.left] | doubted[log.right]), 0.25, weight)

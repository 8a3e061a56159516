"""A run of the gate as a pure function: from votes with lasting labels to weights, boards and an audit file.

The weights depend on the published form alone, so that anybody with the audit files computes the same ones.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import JsonObject
from arena.usecases.integrity.audit_file import Labels, audit_lines
from arena.usecases.integrity.effects import effects
from arena_trust.integrity.divisions import YOUNG
from arena_trust.integrity.gate import weigh_votes
from arena_trust.integrity.preliminary import Preliminary, awake, preliminary
from arena_trust.integrity.published_form import most_networks, published_form
from arena_trust.integrity.sequence_tests import voter_tests
from arena_trust.integrity.verdicts import REASONS
from arena_trust.integrity.weights_in_force import FULL_QUARTERS, WeightsInForce

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes

RECENT: Final = 50_000
"""Newest votes by which single voters are tested."""
NAMED: Final = 50
"""Maximum number of voters in the operator's list."""


@dataclass(frozen=True, slots=True, eq=False)
class GateRun:
    """The result of a run, which another process sends: 12 bytes a vote.

    Attributes:
        numbers: int64 [n], numbers of the votes.
        quarters: int8 [n], weights in quarters.
        reason: int8 [n], index in `verdicts.REASONS`, -1 for a vote that counts in full.
        finding: int16 [n], index in `findings`, -1 without.
        findings: Division, model and z of each; for the operator alone.
        awake: Whether there are enough others to judge votes by.
        networks: The largest number of neighbourhoods in one week.
        established: Number of votes of established voters.
        effects: The effects of the weights that hold after the run, see `effects`.
        voters: The number of voters tested by the newest votes, and the doubtful ones; for the operator alone.
        audit: Lines of the audit file of a week.
        preliminary: Codes of the reasons why boards are preliminary.
        undecided: Models on which the gate makes no decision, since it cannot know which side is honest.
        bounds: Points by which each of them may be wrong.
    """

    numbers: NDArray[np.int64]
    quarters: NDArray[np.int8]
    reason: NDArray[np.int8]
    finding: NDArray[np.int16]
    findings: tuple[tuple[str, str, float], ...]
    awake: bool
    networks: int
    established: int
    effects: JsonObject = field(default_factory=JsonObject)
    voters: JsonObject = field(default_factory=JsonObject)
    audit: bytes | None = None
    preliminary: list[str] = field(default_factory=list[str])
    undecided: tuple[str, ...] = ()
    bounds: dict[str, float] = field(default_factory=dict[str, float])


def run_gate(
    log: CastVotes,
    judged: NDArray[np.bool_] | None = None,
    *,
    closed: bool = False,
    labels: Labels | None = None,
    week: int | None = None,
    weights: WeightsInForce | None = None,
) -> GateRun:
    """Judge votes with lasting labels; with a `week` and the words of its `labels`, also write its audit file.

    `log` has all votes with an origin; `judged`, bool [n], says which of them are judged, by default all. `closed` says
    that the operator declares the arena closed. `weights` are those in force before the run, by default none.
    """
    form = published_form(log)
    mask = np.ones(len(log), np.bool_) if judged is None else judged
    votes, weeks = form.log.of_used_models(mask), form.week[mask]
    networks, verdict = most_networks(log.rows(mask), weeks), weigh_votes(votes)
    is_awake = awake(networks, votes.age)
    quarters = np.rint(FULL_QUARTERS * verdict.weight).astype(np.int8)
    in_force = WeightsInForce() if weights is None else weights.copy()
    in_force.judge(votes.number, quarters, verdict.reason, REASONS)
    reasons = preliminary(awake=is_awake, networks=most_networks(log, form.week), closed=closed)
    return GateRun(
        numbers=votes.number,
        quarters=quarters,
        reason=verdict.reason.astype(np.int8),
        finding=verdict.finding.astype(np.int16),
        findings=verdict.findings,
        awake=is_awake,
        networks=networks,
        established=int((votes.age >= YOUNG).sum()),
        effects=effects(votes, in_force),
        voters=advice(log.of_used_models(mask)),
        audit=None if week is None or labels is None else audit_lines(form, labels, week),
        preliminary=[*reasons, *([Preliminary.CONTESTED] if verdict.undecided else [])],
        undecided=verdict.undecided,
        bounds=dict(verdict.bounds),
    )


def advice(log: CastVotes) -> JsonObject:
    """Sequence tests of voters on the newest votes, with lasting labels; a hint that changes no weight."""
    if not len(log):
        return {"tested": 0, "rows": []}
    newest = log.rows(np.arange(max(0, len(log) - RECENT), len(log)))
    results = voter_tests(newest, np.random.default_rng(0))
    return {"tested": len(results), "rows": [asdict(result) for result in results if result.doubtful][:NAMED]}

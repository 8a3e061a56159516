"""A run of the gate as a pure function: from votes with lasting labels to weights, boards and an audit file.

It reads nothing but the published form, so that whoever has the audit files computes the same weights.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.usecases.integrity.audit_file import Labels, audit_lines
from arena_rating import bradley_terry, pair_counts
from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.gate import REASONS, weigh_votes
from arena_trust.integrity.network_share import preliminary, share_weights
from arena_trust.integrity.published_form import most_networks, published_form
from arena_trust.integrity.sequence_tests import voter_tests
from arena_trust.integrity.slices import YOUNG
from arena_trust.integrity.voter_age import ages
from arena_trust.integrity.weights_in_force import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from arena_trust.integrity.gate import VoteWeights

DECIMALS: Final = 3
RECENT: Final = 50_000
"""Newest votes by which single voters are tested."""
NAMED: Final = 50
"""Most voters that are named to the operator."""


@dataclass(frozen=True, slots=True, eq=False)
class GateRun:
    """The result of a run.

    Attributes:
        numbers: int64 [n], numbers of the votes.
        quarters: int64 [n], weights in quarters.
        reason: int64 [n], index in `gate.REASONS`, -1 for a vote that counts in full.
        finding: int64 [n], index in `findings`, -1 without.
        findings: Division, model and z of each; for the operator alone.
        awake: Whether age rule and caps applied.
        networks: The largest number of neighbourhoods in one week.
        established: Number of votes of established voters.
        boards: Ratings with and without the gate.
        reasons: Numbers of votes that weigh less by reason, of all votes and of the last week.
        voters: How many voters were tested by the newest votes, and those to look at; for the operator alone.
        audit: Lines of the audit file of a week.
        preliminary: Codes of the reasons why boards are preliminary.
    """

    numbers: NDArray[np.int64]
    quarters: NDArray[np.int64]
    reason: NDArray[np.int64]
    finding: NDArray[np.int64]
    findings: tuple[tuple[str, str, float], ...]
    awake: bool
    networks: int
    established: int
    boards: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    reasons: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    voters: dict[str, Any] = field(default_factory=dict[str, Any])
    audit: bytes | None = None
    preliminary: list[str] = field(default_factory=list[str])


def run_gate(
    log: CastVotes,
    judged: NDArray[np.bool_] | None = None,
    *,
    closed: bool = False,
    untold: Sequence[int] = (),
    labels: Labels | None = None,
    week: int | None = None,
) -> GateRun:
    """Judge votes with lasting labels; with a number of a week and the words of its labels, also write its audit.

    `log` has all votes with an origin, `judged` is which of them are judged: those on unlisted models are not. `closed`
    is whether the operator calls the arena closed. `untold` are the weeks whose audit files do not tell what the share
    cap needs, because the gate had its reference when they were closed.
    """
    form = published_form(log)
    chosen = np.ones(len(log), np.bool_) if judged is None else judged
    votes, weeks = form.log.of_used_models(chosen), form.week[chosen]
    share = share_weights(np.where(np.isin(form.week, untold), UNKNOWN, form.beyond), form.week)
    several = most_networks(log, form.week) > 1
    networks = most_networks(votes, weeks)
    verdict = weigh_votes(votes, networks, share=share[chosen] if several and not closed else None)
    latest = weeks == weeks.max(initial=-1)
    return GateRun(
        numbers=votes.number,
        quarters=np.rint(WHOLE * verdict.weight).astype(np.int64),
        reason=verdict.reason,
        finding=verdict.finding,
        findings=verdict.findings,
        awake=verdict.awake,
        networks=networks,
        established=int((ages(votes) >= YOUNG).sum()),
        boards=boards(votes, verdict),
        reasons={"all": _counts(verdict.reason), "week": _counts(verdict.reason[latest])},
        voters=advice(log.of_used_models(chosen)),
        audit=None if week is None or labels is None else audit_lines(form, labels, week, told=not verdict.awake),
        preliminary=[*preliminary(awake=verdict.awake, several=several, closed=closed)],
    )


def advice(log: CastVotes) -> dict[str, Any]:
    """The sequence tests of voters by their newest votes, with lasting labels; nothing follows from them."""
    if not len(log):
        return {"tested": 0, "rows": []}
    newest = log.rows(np.arange(max(0, len(log) - RECENT), len(log)))
    results = voter_tests(newest, np.random.default_rng(0))
    return {"tested": len(results), "rows": [asdict(result) for result in results if result.doubtful][:NAMED]}


def boards(log: CastVotes, verdict: VoteWeights) -> list[dict[str, Any]]:
    """Each model's rating with the gate, its interval, the rating without, and the number of votes that weigh less."""
    if not len(log):
        return []
    fit, plain = (bradley_terry(pair_counts(log.comparisons(weight))) for weight in (verdict.weight, None))
    less = verdict.weight < 1
    touched = np.bincount(np.concatenate([log.left[less], log.right[less]]), minlength=len(log.names))
    columns = [_numbers(column) for column in (fit.rating, fit.low, fit.high, plain.rating)]
    rows = [
        {"name": name, "bt": bt, "bt_low": low, "bt_high": high, "bt_without": before, "votes": int(votes)}
        for name, bt, low, high, before, votes in zip(log.names, *columns, touched.tolist(), strict=True)
    ]
    return sorted(rows, key=lambda row: (row["bt"] is None, -(row["bt"] or 0), row["name"]))


def _counts(reason: NDArray[np.int64]) -> dict[str, int]:
    result = np.bincount(reason[reason >= 0], minlength=len(REASONS)).tolist()
    return {word: count for word, count in zip(REASONS, result, strict=True) if count}


def _numbers(column: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else round(value, DECIMALS) for value in column.tolist()]

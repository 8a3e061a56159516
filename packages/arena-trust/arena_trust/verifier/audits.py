"""Recomputation of the gate's decisions from verified votes and published audit files."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena_trust.amounts import amount
from arena_trust.integrity.audits import AuditFile, Audits, JudgedVote
from arena_trust.integrity.cast_votes import CastVotes
from arena_trust.integrity.verdicts import REASONS, VoteWeights
from arena_trust.integrity.weights_in_force import FULL_QUARTERS, GATE, WeightsInForce
from arena_trust.tlog.hashing import Unsound
from arena_trust.verifier.published_leaves import PublishedLeaves
from arena_trust.verifier.sources import read_local
from arena_trust.verifier.verification_report import VerificationReport
from arena_trust.verifier.votes import VerifiedVotes

MISSING: Final = "The audit files have origins with fields missing."


def check(paths: Sequence[Path], votes: VerifiedVotes, leaves: PublishedLeaves, findings: VerificationReport) -> None:
    """Report each vote whose weight is not the gate's, and what the files do not cover.

    Raises:
        Unreached: A file cannot be read.
        Unsound: A file is not an audit file.
    """
    audits = Audits([_read_audit(path) for path in paths])
    last = audits.newest.last_decision
    if leaves.last_decision < last:
        findings.fault(f"decision {last} of the audit file of {audits.newest.week} is not in the log")
    log = _join(audits, votes)
    verdict = _verdict(log, audits)
    quarters = np.rint(FULL_QUARTERS * verdict.weight).astype(np.int64)
    weights = leaves.weights(last)
    places = weights.differing(log.number, quarters, verdict.reason, REASONS)
    in_force = np.ones(len(places)) if (result := weights.weights(log.number[places])) is None else result
    for place, weight in zip(places.tolist(), in_force.tolist(), strict=True):
        gate = f"{verdict.weight[place]:g} by the gate"
        findings.fault(f"vote {log.number[place]} weighs {weight:g} by the log, and {gate} with these audit files")
    if not len(places):
        findings.confirmed.append(
            f"decisions up to {last} are the gate's on {amount(len(log), 'vote')} to {audits.newest.week}"
        )
    uncovered = _find_uncovered(audits, votes, leaves)
    for number in _find_judged(uncovered[uncovered <= audits.newest.last_vote], weights):
        findings.fault(f"vote {number} weighs less by the gate's decision, and no audit file given has it")
    _report_open(audits, log, len(uncovered), leaves, findings)


def _find_uncovered(audits: Audits, votes: VerifiedVotes, leaves: PublishedLeaves) -> NDArray[np.int64]:
    """Numbers of the counted votes in no audit file."""
    number, *_, cast, _, _ = votes.columns()
    numbers = [*audits.origins, *leaves.exclusions]
    return number[cast & np.isin(number, np.array(numbers, np.int64), invert=True)]


def _find_judged(numbers: NDArray[np.int64], weights: WeightsInForce) -> list[int]:
    """The votes whose weight the gate reduced, which it may do only to votes in an audit file."""
    full_weight = np.full(len(numbers), FULL_QUARTERS, np.int64)
    return numbers[weights.differing(numbers, full_weight, np.full(len(numbers), -1, np.int64), REASONS)].tolist()


def _verdict(log: CastVotes, audits: Audits) -> VoteWeights:
    try:
        return audits.verdict(log)
    except ValueError as error:
        raise Unsound(f"{audits.newest.week}: {error}.") from None


def _read_audit(path: Path) -> AuditFile:
    data = read_local(path)
    try:
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        return AuditFile.parse(data.splitlines())
    except (EOFError, OSError, ValueError):
        raise Unsound(f"{path}: not an audit file.") from None


def _join(audits: Audits, votes: VerifiedVotes) -> CastVotes:
    number, left, right, outcome, _, seconds, _ = votes.columns()
    names = np.array(votes.names, object)
    columns: list[list[Any]] = [name.tolist() for name in (number, names[left], names[right], outcome, seconds)]
    rows: Iterator[JudgedVote] = zip(*columns, strict=True)
    try:
        return audits.joined(rows)
    except (KeyError, TypeError, ValueError):
        raise Unsound(MISSING) from None


def _report_open(
    audits: Audits, log: CastVotes, uncovered: int, leaves: PublishedLeaves, findings: VerificationReport
) -> None:
    later_decisions = {leaf["number"] for leaf in leaves.decisions if leaf["number"] > audits.newest.last_decision}
    by_hand = {leaf["number"] for leaf in leaves.decisions if leaf["by"] != GATE}
    counts = [
        (len(later_decisions), "decision is", "decisions are", "newer than the audit files: not checkable yet"),
        (len(by_hand), "decision is", "decisions are", "an operator's, which no file computes"),
        (
            uncovered,
            *("counted vote is", "counted votes are", "in no audit file: of later weeks, or without an origin"),
        ),
        (
            len(audits.origins) - len(log),
            *("vote of the audit files was", "votes of the audit files were"),
            "not judged: on unlisted models, or not in the export",
        ),
    ]
    findings.unchecked += [
        f"{amount(count, one, plural)} {statement}" for count, one, plural, statement in counts if count
    ]
    if absent := audits.absent_weeks():
        findings.unchecked.append(
            f"no audit file was given for {', '.join(absent)}: only a week without votes has none"
        )

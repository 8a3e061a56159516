"""Verification of a published arena: log, export, decisions and board, and consistency with seen checkpoints."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from arena_trust.amounts import amount
from arena_trust.tlog.hashing import Misplaced, Unreached, Unsound
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.rotations import PublishedLog, read_published_log
from arena_trust.verifier import audits, seen_checkpoints, tables
from arena_trust.verifier import board as boards
from arena_trust.verifier import votes as exports
from arena_trust.verifier.published_leaves import PublishedLeaves, read_leaves
from arena_trust.verifier.sources import Read, find_log, log_reader
from arena_trust.verifier.verification_report import Progress, VerificationReport
from arena_trust.verifier.votes import VerifiedVotes


@dataclass(frozen=True, slots=True)
class VerificationInput:
    """Inputs of a verification: log (address or folder), files, verifier key if known, file of seen ones, time."""

    log: str
    export: Path | None
    board: Path | None
    key: str | None
    seen: Path
    audits: tuple[Path, ...] = ()
    tables: tuple[Path, ...] = ()
    now: datetime = field(default_factory=lambda: datetime.now(UTC))


def verify(request: VerificationInput, on_progress: Progress) -> VerificationReport:
    """Verify all inputs; a file that is not valid ends the verification as its last fault, one unread without one."""
    findings = VerificationReport()
    try:
        request = replace(request, log=find_log(request.log))
        read_file = log_reader(request.log)
        key = _key(request, read_file, findings)
        log = read_published_log(read_file, key)
        checkpoint = log.checkpoint
        leaves = read_leaves(request.log, checkpoint, on_progress)
        findings.confirmed.append(
            f"{checkpoint.origin} has {amount(checkpoint.size, 'leaf', 'leaves')}, and all have the root that is signed"
        )
        _check_origin(leaves, key, log, findings)
        seen_checkpoints.check(request.seen, read_file, checkpoint, findings)
        votes = _opened_votes(request, leaves, findings, on_progress)
        if votes:
            _check_decisions(request, votes, leaves, findings)
            _check_board(request, votes, leaves, findings, on_progress)
            tables.check(request.tables, votes, leaves, findings)
        if findings.holds:
            seen_checkpoints.remember(request.seen, request.log, log.key, checkpoint)
    except Unreached as error:
        findings.unread, findings.may_pass = str(error), not isinstance(error, Misplaced)
    except Unsound as error:
        findings.fault(str(error))
    return findings


def _opened_votes(
    request: VerificationInput, leaves: PublishedLeaves, findings: VerificationReport, on_progress: Progress
) -> VerifiedVotes | None:
    if request.export is None:
        findings.unchecked.append("no export was given: no vote is opened")
        return None
    fault_count = len(findings.faults)
    votes = exports.verify_export(request.export, leaves, findings, on_progress)
    if len(findings.faults) == fault_count:
        findings.confirmed.append(
            f"{amount(votes.count, 'vote of the export is', 'votes of the export are')} in the log"
        )
    return votes


def _check_decisions(
    request: VerificationInput, votes: VerifiedVotes, leaves: PublishedLeaves, findings: VerificationReport
) -> None:
    if request.audits:
        audits.check(request.audits, votes, leaves, findings)
    elif leaves.decisions:
        last_decision = leaves.last_decision
        findings.unchecked.append(
            f"{last_decision} decisions on weights are taken as the log has them, without audit files"
        )


def _check_board(
    request: VerificationInput,
    votes: VerifiedVotes,
    leaves: PublishedLeaves,
    findings: VerificationReport,
    on_progress: Progress,
) -> None:
    if request.board is None:
        findings.unchecked.append("no board was given: none is computed")
        return
    fault_count = len(findings.faults)
    on_progress("computing the board", 0, 1)
    boards.check(request.board, votes, leaves, findings, request.now)
    if len(findings.faults) == fault_count:
        findings.confirmed.append("the board was computed again from these votes to the last bit")
    on_progress("computing the board", 1, 1)


def _key(request: VerificationInput, read_file: Read, findings: VerificationReport) -> VerifierKey:
    """The given key, else the one seen before, else the one that the log publishes."""
    if request.key:
        return VerifierKey.parse(request.key)
    if known_key := seen_checkpoints.remembered_key(request.seen, request.log):
        return VerifierKey.parse(known_key)
    key = VerifierKey.parse(read_file("key").decode("utf-8", "replace"))
    findings.unchecked.append(f"the key is the one that the log itself shows: {key}")
    return key


def _check_origin(leaves: PublishedLeaves, key: VerifierKey, log: PublishedLog, findings: VerificationReport) -> None:
    origin, keys = leaves.origin, leaves.keys
    if origin.get("origin") != log.checkpoint.origin or keys is None or key not in keys:
        findings.fault("the leaves of the log do not name it and its key")
    elif (key_in_force := keys.of_size(log.checkpoint.size)) != log.key:
        findings.fault(f"the checkpoint is signed by a key that a leaf of the log has replaced, by {key_in_force}")
    for kind, name in leaves.changed:
        findings.fault(f"the {kind} {name} has two digests in the log")
    if previous_origin := origin.get("before"):
        reason = origin.get("why") or "no reason given"
        size = amount(previous_origin["size"], "leaf", "leaves")
        findings.unchecked.append(f"the log begins anew after {previous_origin['origin']}, which had {size}: {reason}")

"""Verification of a published arena: log, export, decisions and board, and consistency with seen checkpoints."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from arena_trust.amounts import amount
from arena_trust.tlog.hashing import Unreached, Unsound
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.rotations import PublishedLog, read_published_log
from arena_trust.verifier import audits, seen_checkpoints, tables
from arena_trust.verifier import board as boards
from arena_trust.verifier import votes as exports
from arena_trust.verifier.published_leaves import PublishedLeaves, read_leaves
from arena_trust.verifier.sources import Read, log_reader
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


def verify(question: VerificationInput, tell: Progress) -> VerificationReport:
    """Verify all inputs; a file that is not valid ends the verification as its last fault, one unread without one."""
    findings = VerificationReport()
    try:
        read_file = log_reader(question.log)
        key = _key(question, read_file, findings)
        log = read_published_log(read_file, key)
        checkpoint = log.checkpoint
        leaves = read_leaves(question.log, checkpoint, tell)
        findings.right.append(
            f"{checkpoint.origin} has {amount(checkpoint.size, 'leaf', 'leaves')}, and all have the root that is signed"
        )
        _check_origin(leaves, key, log, findings)
        seen_checkpoints.check(question.seen, read_file, checkpoint, findings)
        votes = _opened_votes(question, leaves, findings, tell)
        if votes:
            _check_decisions(question, votes, leaves, findings)
            _check_board(question, votes, leaves, findings, tell)
            tables.check(question.tables, votes, leaves, findings)
        if findings.holds:
            seen_checkpoints.remember(question.seen, question.log, log.key, checkpoint)
    except Unreached as error:
        findings.unread = str(error)
    except Unsound as error:
        findings.fault(str(error))
    return findings


def _opened_votes(
    question: VerificationInput, leaves: PublishedLeaves, findings: VerificationReport, tell: Progress
) -> VerifiedVotes | None:
    if question.export is None:
        findings.open.append("no export was given: no vote is opened")
        return None
    fault_count = len(findings.wrong)
    votes = exports.verify_export(question.export, leaves, findings, tell)
    if len(findings.wrong) == fault_count:
        findings.right.append(f"{amount(votes.every, 'vote of the export is', 'votes of the export are')} in the log")
    return votes


def _check_decisions(
    question: VerificationInput, votes: VerifiedVotes, leaves: PublishedLeaves, findings: VerificationReport
) -> None:
    if question.audits:
        audits.check(question.audits, votes, leaves, findings)
    elif leaves.decisions:
        last_decision = leaves.last_decision
        findings.open.append(f"{last_decision} decisions on weights are taken as the log has them, without audit files")


def _check_board(
    question: VerificationInput,
    votes: VerifiedVotes,
    leaves: PublishedLeaves,
    findings: VerificationReport,
    tell: Progress,
) -> None:
    if question.board is None:
        findings.open.append("no board was given: none is computed")
        return
    fault_count = len(findings.wrong)
    tell("computing the board", 0, 1)
    boards.check(question.board, votes, leaves, findings, question.now)
    if len(findings.wrong) == fault_count:
        findings.right.append("the board was computed again from these votes to the last bit")
    tell("computing the board", 1, 1)


def _key(question: VerificationInput, read_file: Read, findings: VerificationReport) -> VerifierKey:
    """The given key, else the one seen before, else the one that the log publishes."""
    if question.key:
        return VerifierKey.parse(question.key)
    if known_key := seen_checkpoints.remembered_key(question.seen, question.log):
        return VerifierKey.parse(known_key)
    key = VerifierKey.parse(read_file("key").decode("utf-8", "replace"))
    findings.open.append(f"the key is the one that the log itself shows: {key}")
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
        findings.open.append(f"the log begins anew after {previous_origin['origin']}, which had {size}: {reason}")

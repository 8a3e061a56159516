"""Recomputation of a published leaderboard from verified votes, to the last bit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from arena_rating import (
    METHOD_BY_CLUSTER,
    Anchor,
    Comparisons,
    EloParameters,
    Leaderboard,
    LeaderboardParameters,
    RatingError,
    compute,
)
from arena_rating.leaderboard import fields_of
from arena_trust.tlog.hashing import Unreached, Unsound
from arena_trust.tlog.leaves import JsonObject
from arena_trust.verifier.published_leaves import PublishedLeaves
from arena_trust.verifier.sources import read_local
from arena_trust.verifier.verification_report import VerificationReport
from arena_trust.verifier.votes import VerifiedVotes

SECONDS_TO_LOG: Final = 600
"""Time in which a board has to be in the log, as a vote has to be by its promise; most are within seconds."""


def check(
    board: Path, votes: VerifiedVotes, leaves: PublishedLeaves, findings: VerificationReport, now: datetime
) -> None:
    """Report every part of the published board that differs from the recomputed one.

    Raises:
        Unreached: The board is so new that it need not be in the log yet.
        Unsound: The file is not a published leaderboard of all votes.
    """
    document = read_board(board)
    snapshot = document["snapshot"]
    if is_before_log(snapshot, leaves, now):
        minutes = SECONDS_TO_LOG // 60
        raise Unreached(f"board {snapshot['id']} is not yet in the log, which has it {minutes} minutes later at most.")
    leaderboard = recompute_board(document, votes, leaves)
    check_end(votes, leaves, snapshot, findings)
    check_leaf(leaves, snapshot, findings)
    if _digest(leaderboard, snapshot) != snapshot["digest"]:
        findings.fault(f"board {snapshot['id']} has another digest than the one computed from the votes")
    check_rows(document, leaderboard, findings)


def recompute_board(document: JsonObject, votes: VerifiedVotes, leaves: PublishedLeaves) -> Leaderboard:
    """The board recomputed from votes with the parameters of the published one.

    Raises:
        Unsound: It cannot be computed.
    """
    snapshot = document["snapshot"]
    try:
        log, parameters = counted_votes(votes, leaves, snapshot), parameters_of(snapshot["parameters"])
        return compute(log, parameters, seed=snapshot["seed"])
    except (RatingError, KeyError, TypeError) as error:
        raise Unsound(f"The board cannot be computed again: {error}.") from None


def read_board(board: Path) -> JsonObject:
    """Read a published leaderboard of all votes.

    Raises:
        Unreached: The file cannot be read.
        Unsound: The file is not one.
    """
    document: JsonObject = {}
    content = read_local(board)
    try:
        document = json.loads(content)
        snapshot = document["snapshot"]
        fields = {"id", "parameters", "seed", "last_vote", "last_exclusion", "digest"}
        fits = fields <= snapshot.keys() and isinstance(document["rows"], list)
    except (ValueError, KeyError, TypeError, AttributeError):
        fits = False
    if isinstance(document, dict) and document.get("snapshot", fits) is None:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise Unsound(f"{board} has no leaderboard: none had been computed when it was saved.")
    if not fits:
        raise Unsound(f"{board} is not a published leaderboard.")
    if document.get("category") or document.get("language"):
        raise Unsound(f"{board} is the board of a category or language; `arena rank verify` checks those.")
    if document.get("hosts"):
        raise Unsound(f"{board} counts hosts of one model once; `arena rank verify` checks that board.")
    if document.get("by", "bt") != "bt":
        raise Unsound(f"{board} is ranked by {document['by']}; save it without `by`, as it is published.")
    return document


def counted_votes(votes: VerifiedVotes, leaves: PublishedLeaves, snapshot: JsonObject) -> Comparisons:
    """The votes that a board counts: up to its last vote, without excluded votes and unlisted models."""
    number, left, right, outcome, cast, _, voters = votes.columns()
    exclusions = [leaf["vote"] for leaf in leaves.exclusions.values() if leaf["number"] <= snapshot["last_exclusion"]]
    unlisted_places = [
        votes.places[name] for name in snapshot["parameters"].get("unlisted", ()) if name in votes.places
    ]
    counts = cast & (number <= snapshot["last_vote"]) & np.isin(number, exclusions, invert=True)
    counts &= np.isin(left, unlisted_places, invert=True) & np.isin(right, unlisted_places, invert=True)
    number, left, right = number[counts], left[counts], right[counts]
    models: list[int] = np.unique(np.concatenate([left, right])).tolist()
    places = sorted(models, key=votes.names.__getitem__)
    place = np.zeros(len(votes.names), np.int32)
    place[places] = np.arange(len(places), dtype=np.int32)
    return Comparisons(
        left=place[left],
        right=place[right],
        outcome=outcome[counts],
        weight=leaves.weights(snapshot.get("last_decision", 0)).weights(number),
        voter=np.unique(voters[counts], return_inverse=True)[1].astype(np.int32),
        category=None,
        names=tuple(votes.names[entry] for entry in places),
    )


def parameters_of(fields: JsonObject) -> LeaderboardParameters:
    """The parameters of a snapshot from their published form."""
    plain_fields = {name: value for name, value in fields.items() if name not in {"elo", "anchor", "unlisted"}}
    plain_fields.setdefault("method", METHOD_BY_CLUSTER)
    anchor = Anchor(**fields["anchor"]) if fields.get("anchor") else None
    return LeaderboardParameters(elo=EloParameters(**fields["elo"]), anchor=anchor, **plain_fields)


def _digest(board: Leaderboard, snapshot: JsonObject) -> str:
    """SHA-256 of the canonical JSON of the board and the end of the log that it is computed from."""
    decision = snapshot.get("last_decision", 0)
    head = {"vote": snapshot["last_vote"], "exclusion": snapshot["last_exclusion"]}
    unlisted = snapshot["parameters"].get("unlisted")
    content = {
        "board": board.record(),
        "head": head | ({"decision": decision} if decision else {}),
        **({"unlisted": unlisted} if unlisted else {}),
    }
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(canonical.encode()).hexdigest()


def check_end(
    votes: VerifiedVotes, leaves: PublishedLeaves, snapshot: JsonObject, findings: VerificationReport
) -> None:
    """Report if the board counts votes or decisions after the end of the export or the log."""
    last_vote = snapshot["last_vote"]
    absent = leaves.number[(leaves.number > votes.last) & (leaves.number <= last_vote) & leaves.listed]
    if len(absent):
        findings.fault(f"vote {absent[0]} is in the log and the board, and the export ends before it")
    if leaves.last_decision < snapshot.get("last_decision", 0):
        findings.fault(f"decision {snapshot['last_decision']} of the board is not in the log")


def check_leaf(leaves: PublishedLeaves, snapshot: JsonObject, findings: VerificationReport) -> None:
    """Report if the log has no leaf of the board, or one with another digest."""
    leaf = leaves.snapshots.get(snapshot["id"])
    if leaf is None:
        findings.fault(f"board {snapshot['id']} is not in the log")
    elif leaf["digest"] != snapshot["digest"]:
        findings.fault(f"board {snapshot['id']} has another digest in the log")


def is_before_log(snapshot: JsonObject, leaves: PublishedLeaves, now: datetime) -> bool:
    """Whether a board is newer than all boards in the log, and not older than the log may take."""
    if snapshot["id"] <= max(leaves.snapshots, default=0):
        return False
    try:
        age = (now - datetime.fromisoformat(snapshot.get("created_at", ""))).total_seconds()
    except (TypeError, ValueError):
        return False
    return abs(age) < SECONDS_TO_LOG


def check_rows(document: JsonObject, leaderboard: Leaderboard, findings: VerificationReport) -> None:
    """Report each row and pair that differs from the recomputed one."""
    for noun, rows, rows_expected in (
        ("row", document["rows"], leaderboard.rows),
        ("pair", document.get("pairs", []), leaderboard.pairs),
    ):
        if len(rows) != len(rows_expected):
            findings.fault(f"the board has {len(rows)} {noun}s in place of {len(rows_expected)}")
        for place, (row, row_expected) in enumerate(zip(rows, rows_expected, strict=False), 1):
            names_different = [
                name for name, value in _expected_fields(row, fields_of(row_expected)).items() if row.get(name) != value
            ]
            if names_different:
                findings.fault(
                    f"{noun} {place} of the board ({row.get('name') or row.get('a')}) has another {names_different[0]}"
                )


def _expected_fields(row: Mapping[str, object], fields: dict[str, object]) -> dict[str, object]:
    """The expected fields of a row; `score`, by which the board is ranked, equals the Bradley-Terry rating."""
    score = {f"score{end}": fields.get(f"bt{end}") for end in ("", "_low", "_high")}
    return fields | {name: value for name, value in score.items() if name in row}

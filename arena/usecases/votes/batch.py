"""A batch of votes: concurrent votes share a few statements and one flush to disk.

A vote is handed back, to be recorded alone, if its battle is locked by another transaction, or if another vote of the
batch is on the same battle or has its key. So no vote prevents another from being saved.
"""

from __future__ import annotations

import asyncio
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import images, log_leaves, neighbourhoods, site, vote_batches
from arena.domain.errors import ArenaError
from arena.domain.terms import NotCounted, Part
from arena.domain.weeks import week_of
from arena.usecases.votes import assessment
from arena.usecases.votes.assessment import Evidence
from arena.usecases.votes.rule import CastResult, PendingVote, decide
from arena_trust.tlog.leaves import NONCE, CommittedVote, vote_leaf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.vote_batches import LockedBattle
    from arena.domain.errors import BattleNotFound
    from arena.usecases.votes.ballot import Ballot


_RATED: Final = (None, NotCounted.WEB_PAGE)
"""Reasons of votes that enter the ratings, of text or of web pages."""


async def cast(database: Database, ballots: Sequence[Ballot]) -> Sequence[CastResult | PendingVote | Exception]:
    """Assess and record these ballots; returns a result, an error or a vote to be recorded alone for each."""
    evidence = await database.read(assessment.load, ballots)
    results: list[CastResult | PendingVote | Exception] = list(await asyncio.to_thread(_assess, evidence))
    pending = {index: vote for index, vote in enumerate(results) if isinstance(vote, PendingVote)}
    # If one of them conflicts with a vote of another process, all are recorded alone.
    with suppress(IntegrityError):
        outcomes = await database.write(record, list(pending.values())) if pending else []
        for index, result in zip(pending, outcomes, strict=True):
            results[index] = result
    return results


def _assess(evidence: Sequence[Evidence | BattleNotFound]) -> list[PendingVote | BattleNotFound]:
    return [
        PendingVote(entry.ballot, entry.identities, assessment.assess(entry)) if isinstance(entry, Evidence) else entry
        for entry in evidence
    ]


def record(
    session: Session, votes: Sequence[PendingVote], *, wait: bool = False
) -> list[CastResult | PendingVote | ArenaError]:
    """Decide and store votes; a vote that cannot be decided with the others is returned in place of its result.

    With `wait`, it waits for locks of other transactions.
    """
    battles = vote_batches.lock(session, [vote.ballot.battle_id for vote in votes], wait=wait)
    key_uses = vote_batches.key_uses(session, [key for vote in votes if (key := vote.ballot.voter_and_key)])
    closed = not site.is_open(session, Part.VOTING)
    results: list[CastResult | PendingVote | ArenaError] = list(votes)
    accepted: dict[int, LockedBattle] = {}
    keys: set[tuple[str, str]] = set()
    for index, vote in enumerate(votes):
        battle, key = battles.get(vote.ballot.battle_id), vote.ballot.voter_and_key
        if battle is None or key in keys:
            continue
        try:
            earlier = decide(vote, battle, key_uses.get(key) if key else None, closed=closed)
        except ArenaError as error:
            results[index] = error
            continue
        if earlier is not None:
            results[index] = earlier
            continue
        accepted[index] = battles.pop(vote.ballot.battle_id)
        keys |= {key} if key else set()
    stored = _store(session, [(votes[index], battle) for index, battle in accepted.items()]) if accepted else []
    for index, result in zip(accepted, stored, strict=True):
        results[index] = result
    return results


def _store(session: Session, votes: Sequence[tuple[PendingVote, LockedBattle]]) -> list[CastResult]:
    """Store accepted votes with their leaves, and the origins of those that count."""
    reasons = _reasons(session, votes)
    rows = [
        _row(vote, battle, reason, vote_id)
        for (vote, battle), reason, vote_id in zip(votes, reasons, _new_ids(len(votes)), strict=True)
    ]
    numbers = vote_batches.add(session, rows)
    for vote, _ in votes:
        if vote.assessment.images:
            images.keep(session, vote.assessment.images, vote.ballot.now)
    leaves = _add_leaves(session, votes, rows, numbers)
    counted = [vote for (vote, _), reason in zip(votes, reasons, strict=True) if reason is None]
    _add_origins(session, counted, numbers)
    return [
        CastResult(vote.reveal(vote.ballot.outcome, reason), is_own=True, new=True, leaf=leaf)
        for (vote, _), reason, leaf in zip(votes, reasons, leaves, strict=True)
    ]


def _add_origins(session: Session, votes: Sequence[PendingVote], numbers: Mapping[str, int]) -> None:
    """Store the origins of counted votes, with the first week of each neighbourhood."""
    digests = [vote.ballot.networks for vote in votes]
    first_weeks = (
        neighbourhoods.first_weeks(session, {digest for weeks in digests for digest in weeks}) if votes else {}
    )
    rows: list[dict[str, Any]] = []
    for vote, (network, *earlier) in zip(votes, digests, strict=True):
        since = [first_weeks[digest] for digest in (network, *earlier) if digest in first_weeks]
        now = week_of(vote.ballot.now)
        rows.append(
            {
                "number": numbers[vote.ballot.battle_id],
                "network": network,
                "since": None if None in since else min((day for day in since if day), default=now),
                "tier": vote.assessment.tier,
                "client": vote.ballot.client,
            }
        )
    neighbourhoods.add_origins(session, rows)


def _reasons(session: Session, votes: Sequence[tuple[PendingVote, LockedBattle]]) -> list[NotCounted | None]:
    """Add each vote to the daily count of its neighbourhood; returns the reason why it is not counted, or None."""
    ballots = [vote.ballot for vote, _ in votes]
    reasons = [_reason(vote, battle) for vote, battle in votes]
    places = [(ballot.place, reason in _RATED) for ballot, reason in zip(ballots, reasons, strict=True)]
    return [
        reason if reason not in _RATED or ballot.bounds.counts(number) else NotCounted.NEIGHBOURHOOD_LIMIT
        for ballot, reason, number in zip(ballots, reasons, neighbourhoods.vote(session, places), strict=True)
    ]


def _reason(vote: PendingVote, battle: LockedBattle) -> NotCounted | None:
    reason = vote.assessment.not_counted
    return NotCounted.REPEATED if battle.repeated and reason in _RATED else reason


def _new_ids(count: int) -> list[str]:
    """Ids of votes, 128 random bits each, from one system call."""
    random = secrets.token_bytes(16 * count)
    return [urlsafe_b64encode(random[start : start + 16]).rstrip(b"=").decode() for start in range(0, len(random), 16)]


def _row(vote: PendingVote, battle: LockedBattle, reason: NotCounted | None, vote_id: str) -> dict[str, Any]:
    ballot = vote.ballot
    seconds = (ballot.now - battle.ready_at).total_seconds() if battle.ready_at else None
    return {
        "id": vote_id,
        "battle_id": ballot.battle_id,
        "outcome": ballot.outcome,
        "voter_key": ballot.voter.key,
        "idempotency_key": ballot.key,
        "endpoint_a_id": battle.sides[0],
        "endpoint_b_id": battle.sides[1],
        "language": battle.language,
        "category": vote.assessment.category,
        "style": vote.assessment.style,
        "turns": battle.turns,
        "seconds": None if seconds is None else max(0.0, seconds),
        "not_counted": reason,
        "created_at": ballot.now,
        "terms": battle.terms,
    }


def _add_leaves(
    session: Session,
    votes: Sequence[tuple[PendingVote, LockedBattle]],
    rows: Sequence[Mapping[str, Any]],
    numbers: Mapping[str, int],
) -> list[bytes]:
    """Append the leaves of stored votes and return their bytes; `numbers` has the vote numbers by battle."""
    random = secrets.token_bytes(NONCE * len(votes))
    leaves: list[tuple[int, bytes, bytes, bool]] = []
    for index, ((vote, battle), row) in enumerate(zip(votes, rows, strict=True)):
        nonce = random[index * NONCE : (index + 1) * NONCE]
        number, listed = numbers[row["battle_id"]], all(identity.listed for identity in vote.identities)
        leaf = vote_leaf(_commitment(vote, battle, row, number), nonce, listed=listed)
        leaves.append((number, leaf, nonce, listed))
    log_leaves.add_votes(session, leaves)
    return [leaf for _, leaf, _, _ in leaves]


def _commitment(vote: PendingVote, battle: LockedBattle, row: Mapping[str, Any], number: int) -> CommittedVote:
    a, b = vote.identities
    return CommittedVote(
        number=number,
        day=row["created_at"].date(),
        a=a.competitor.name,
        b=b.competitor.name,
        outcome=row["outcome"],
        reason=row["not_counted"],
        language=row["language"],
        turns=row["turns"],
        style=row["style"],
        chance=battle.chance,
    )

"""Leaves of votes, written in the transaction that stores them, so that no vote is ever without one."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from arena.adapters.store import log_leaves
from arena_trust.tlog.leaves import NONCE, CommittedVote, vote_leaf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.vote_batches import LockedBattle
    from arena.usecases.votes.rule import PendingVote


def add(
    session: Session,
    votes: Sequence[tuple[PendingVote, LockedBattle]],
    rows: Sequence[Mapping[str, Any]],
    numbers: Mapping[str, int],
) -> list[bytes]:
    """Append the leaves of these stored votes, whose numbers are given by battle; returns their bytes."""
    drawn = secrets.token_bytes(NONCE * len(votes))
    made: list[tuple[int, bytes, bytes, bool]] = []
    for place, ((vote, battle), row) in enumerate(zip(votes, rows, strict=True)):
        nonce = drawn[place * NONCE : (place + 1) * NONCE]
        number, listed = numbers[row["battle_id"]], all(identity.listed for identity in vote.identities)
        leaf = vote_leaf(_committed(vote, battle, row, number), nonce, listed=listed)
        made.append((number, leaf, nonce, listed))
    log_leaves.add_votes(session, made)
    return [leaf for _, leaf, _, _ in made]


def _committed(vote: PendingVote, battle: LockedBattle, row: Mapping[str, Any], number: int) -> CommittedVote:
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

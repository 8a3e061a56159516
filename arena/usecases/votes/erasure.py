"""Erasure of a vote by law: it no longer counts, it leaves the export, and its leaf can no longer be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.store import log_leaves, votes
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.tables.conversations import ExclusionRow
from arena.domain.errors import Invalid, NotFound
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


REASON: Final = "erased"


@write_transaction
def erase(session: Session, number: int, *, by: str, now: datetime) -> None:
    """Delete the nonce of vote `number`, exclude it unless it is excluded, and log the erasure; its leaf stays.

    Raises:
        NotFound: There is no such vote.
        Invalid: It has no nonce, since it was imported, is not in the log yet, or was erased before.
    """
    if votes.by_number(session, number) is None:
        raise NotFound(f"There is no vote {number}.")
    leaf = log_leaves.of_vote(session, number)
    if leaf is None or leaf.nonce is None:
        raise Invalid(f"Vote {number} has no nonce that could be erased.")
    leaf.nonce = None
    if votes.exclusion(session, number) is None:
        exclude_by_row(session, number, REASON, by, now)
    log_leaves.add(session, LeafKind.ERASURE, vote=number, day=now.date().isoformat())


def exclude_by_row(session: Session, number: int, reason: str, by: str, now: datetime) -> None:
    """Append an exclusion and its leaf."""
    row = ExclusionRow(vote_number=number, reason=reason, by=by, created_at=now)
    session.add(row)
    session.flush()
    log_leaves.add(session, LeafKind.EXCLUSION, number=row.number, vote=number, reason=reason)

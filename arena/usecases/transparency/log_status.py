"""State of the log for the operator: the signed part, promised votes that it lacks, and unlogged votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.store import checkpoints, log_leaves
from arena.adapters.store.checkpoints import Purpose
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.schemas.status import LogView
from arena_trust.tlog.promises import WITHIN

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


NAMED: Final = 5
"""Maximum number of votes that a sentence names."""


@read_transaction
def status(session: Session, now: datetime) -> LogView:
    """The signed log, the seconds for which the oldest promised vote has waited for it, and the unlogged votes."""
    key = checkpoints.current_key(session, Purpose.CHECKPOINT)
    newest = checkpoints.newest(session, key.name) if key else None
    signed = newest.last_leaf if newest else 0
    promised_at = log_leaves.oldest_vote(session, signed) if checkpoints.current_key(session, Purpose.PROMISE) else None
    waiting = max(int((now - promised_at).total_seconds()), 0) if promised_at else 0
    unlogged = log_leaves.pending_unlogged(session)
    return LogView(
        origin=key.name if key else None,
        size=newest.size if newest else 0,
        signed_at=newest.created_at if newest else None,
        waiting=waiting,
        late=waiting > WITHIN,
        unlogged=len(unlogged),
        first_unlogged=unlogged[:NAMED],
    )

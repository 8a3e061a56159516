"""Promises that are not kept yet: votes whose voters were told that they will be in the log, and that are not in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.observability import metrics
from arena.adapters.store import checkpoints, log_keys, log_leaves
from arena.adapters.store.log_keys import Purpose
from arena.domain.schemas import LogView
from arena.domain.tlog.promises import WITHIN

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database


async def waiting(database: Database, now: datetime) -> LogView:
    """How long the oldest promised vote has been waiting for a signed log, and whether that is too long."""
    promised = await database.read(_oldest)
    seconds = max(int((now - promised).total_seconds()), 0) if promised else 0
    return LogView(waiting=seconds, late=seconds > WITHIN)


async def watch(database: Database, now: datetime) -> None:
    """Set the metric."""
    metrics.LOG_WAITING.set((await waiting(database, now)).waiting)


def _oldest(session: Session) -> datetime | None:
    if log_keys.current(session, Purpose.PROMISE) is None:
        return None
    key = log_keys.current(session, Purpose.CHECKPOINT)
    newest = checkpoints.newest(session, key.name) if key else None
    return log_leaves.oldest_vote(session, newest.last_leaf if newest else 0)

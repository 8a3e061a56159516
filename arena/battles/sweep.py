"""Tidying: no turn runs for ever and no battle stays open for ever, whatever became of the process or the person."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.store import battles as stored
from arena.terms import BattleState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database

LEFT_OPEN: Final = timedelta(days=1)
"""A battle that nobody voted on for so long counts as abandoned."""


async def sweep(database: Database, now: datetime, *, starting: str | None = None) -> int:
    """Fail overdue turns and abandon old battles; returns how many turns were failed.

    `starting` is the name of the process that starts now, or empty where it is the only one: none of its turns can
    be alive, and all of them are failed.
    """
    return await database.write(_sweep, now, starting)


def _sweep(session: Session, now: datetime, starting: str | None) -> int:
    turns = stored.overdue(session, now) if starting is None else stored.running(session, starting)
    failed = [stored.fail_turn(session, turn, failure="lost", battle=BattleState.VOID, now=now) for turn in turns]
    stored.abandon_before(session, now - LEFT_OPEN, now)
    return sum(failed)

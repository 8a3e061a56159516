"""Tidying: no turn runs for ever and no battle stays open for ever, whatever became of the process or the person."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.store import talks as stored
from arena.terms import BattleState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database
    from arena.store.talks import AnyBook

LEFT_OPEN: Final = timedelta(days=1)
"""A battle that nobody voted on for so long counts as abandoned, and a chat of that age takes no further prompt."""


async def sweep(database: Database, now: datetime, *, starting: str | None = None) -> int:
    """Fail overdue turns and abandon old battles and chats; returns how many turns were failed.

    `starting` is the name of the process that starts now, or empty where it is the only one: none of its turns can
    be alive, and all of them are failed.
    """
    return await database.write(_sweep, now, starting)


def _sweep(session: Session, now: datetime, starting: str | None) -> int:
    return sum(_swept(session, book, now, starting) for book in stored.BOOKS)


def _swept(session: Session, book: AnyBook, now: datetime, starting: str | None) -> int:
    turns = stored.overdue(session, book, now) if starting is None else stored.running(session, book, starting)
    ended = [stored.fail_turn(session, book, turn, failure="lost", state=BattleState.VOID, now=now) for turn in turns]
    stored.abandon_before(session, book, now - LEFT_OPEN, now)
    return sum(ended)

"""Queries about the terms that voters have accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, exists, func, select

from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.conversations import BattleRow
from arena.adapters.store.tables.people import VoterRow

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

_TERMS: Final = select(func.max(VoterRow.__table__.c.terms)).where(VoterRow.__table__.c.key == bindparam("key"))


def accepted(session: Session, key: str) -> int:
    """The newest version of the terms that this voter has accepted, 0 for none."""
    return session.connection().execute(_TERMS, {"key": key}).scalar() or 0


def agreed(terms: int) -> ColumnElement[bool]:
    """Whether the voter of a battle had accepted at least this version of the terms when it began."""
    return exists().where(
        VoterRow.key == BattleRow.voter_key, VoterRow.terms >= terms, VoterRow.accepted_at <= BattleRow.created_at
    )


def accept(session: Session, key: str, terms: int, now: datetime) -> None:
    """Record that this voter accepts a version of the terms."""
    one_at_a_time(session, f"accept as {key}")
    if session.get(VoterRow, (key, terms)) is None:
        session.add(VoterRow(key=key, terms=terms, accepted_at=now))
    session.flush()

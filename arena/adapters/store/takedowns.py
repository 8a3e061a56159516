"""Queries about reports of shared battles and about what may not be shared again."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from arena.adapters.store import conversations
from arena.adapters.store.tables import ShareBlockRow, ShareReportRow, ShareRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables import BattleRow


def count(session: Session, token: str, reason: str, now: datetime) -> None:
    """Count a report of a link for a reason."""
    row = session.get(ShareReportRow, (token, reason), with_for_update=True)
    if row is None:
        row = ShareReportRow(token=token, reason=reason, count=0, last_at=now)
        session.add(row)
    row.count, row.last_at = row.count + 1, now


def reported(session: Session, most: int) -> Sequence[ShareRow]:
    """The links that have been reported and still show something, the most reported first."""
    found = select(ShareReportRow.token, func.sum(ShareReportRow.count).label("reports")).group_by(ShareReportRow.token)
    sums = found.subquery()
    query = select(ShareRow).join(sums, sums.c.token == ShareRow.token).order_by(sums.c.reports.desc(), ShareRow.token)
    return session.scalars(query.limit(most)).all()


def reasons(session: Session, token: str) -> dict[str, int]:
    """How often a link was reported, by reason."""
    rows = session.scalars(select(ShareReportRow).where(ShareReportRow.token == token).order_by(ShareReportRow.reason))
    return {row.reason: row.count for row in rows}


def forget(session: Session, token: str) -> None:
    """Delete the reports of a link."""
    session.execute(delete(ShareReportRow).where(ShareReportRow.token == token))


def block(session: Session, digest: str, reason: str, now: datetime) -> None:
    """Note that this may not be shared again."""
    if not blocked(session, digest):
        session.add(ShareBlockRow(digest=digest, reason=reason, created_at=now))


def blocked(session: Session, digest: str) -> bool:
    """Whether this may not be shared."""
    return session.get(ShareBlockRow, digest) is not None


def all_blocked(session: Session) -> set[str]:
    """Everything that may not be shared."""
    return set(session.scalars(select(ShareBlockRow.digest)))


def digest(battle: BattleRow) -> str:
    """SHA-256 of the questions and answers of a battle, whoever asked and whichever models answered."""
    turns = [[turn.prompt, sorted(reply.text for reply in conversations.current(turn))] for turn in battle.turns]
    return hashlib.sha256(json.dumps(turns, ensure_ascii=False).encode()).hexdigest()

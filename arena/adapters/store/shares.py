"""Queries about share links of voted battles, reports of them, and texts that may not be shared again."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update

from arena.adapters.store import conversations
from arena.adapters.store.tables.conversations import BattleRow
from arena.adapters.store.tables.operations import ShareBlockRow, ShareReportRow
from arena.adapters.store.tables.people import ShareRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session


def of_battle(session: Session, battle_id: str) -> ShareRow | None:
    """The share link of this battle."""
    return session.scalar(select(ShareRow).where(ShareRow.battle_id == battle_id))


def battle(session: Session, token: str) -> BattleRow | None:
    """The battle with this share token."""
    query = select(BattleRow).join(ShareRow, ShareRow.battle_id == BattleRow.id)
    return session.scalar(query.where(ShareRow.token == token))


def withdraw(session: Session, battle_id: str) -> None:
    """Delete the share link of this battle, if it has one, and keep the battle out of releases."""
    session.execute(delete(ShareRow).where(ShareRow.battle_id == battle_id))
    session.execute(update(BattleRow).where(BattleRow.id == battle_id).values(withdrawn=True))


def count_report(session: Session, token: str, reason: str, now: datetime) -> None:
    """Count a report of a link for a reason."""
    row = session.get(ShareReportRow, (token, reason), with_for_update=True)
    if row is None:
        row = ShareReportRow(token=token, reason=reason, count=0, last_at=now)
        session.add(row)
    row.count, row.last_at = row.count + 1, now


def reported(session: Session, most: int) -> Sequence[ShareRow]:
    """The links that have been reported and still show something, the most reported first."""
    result = select(ShareReportRow.token, func.sum(ShareReportRow.count).label("reports")).group_by(
        ShareReportRow.token
    )
    sums = result.subquery()
    query = select(ShareRow).join(sums, sums.c.token == ShareRow.token).order_by(sums.c.reports.desc(), ShareRow.token)
    return session.scalars(query.limit(most)).all()


def report_reasons(session: Session, token: str) -> dict[str, int]:
    """How often a link was reported, by reason."""
    rows = session.scalars(select(ShareReportRow).where(ShareReportRow.token == token).order_by(ShareReportRow.reason))
    return {row.reason: row.count for row in rows}


def forget_reports(session: Session, token: str) -> None:
    """Delete the reports of a link."""
    session.execute(delete(ShareReportRow).where(ShareReportRow.token == token))


def block(session: Session, digest: str, reason: str, now: datetime) -> None:
    """Note that this may not be shared again."""
    if not is_blocked(session, digest):
        session.add(ShareBlockRow(digest=digest, reason=reason, created_at=now))


def is_blocked(session: Session, digest: str) -> bool:
    """Whether this may not be shared."""
    return session.get(ShareBlockRow, digest) is not None


def blocked(session: Session) -> set[str]:
    """Everything that may not be shared."""
    return set(session.scalars(select(ShareBlockRow.digest)))


def digest(battle: BattleRow) -> str:
    """SHA-256 of the questions and answers of a battle, whoever asked and whichever models answered."""
    turns = [[turn.prompt, sorted(reply.text for reply in conversations.current(turn))] for turn in battle.turns]
    return hashlib.sha256(json.dumps(turns, ensure_ascii=False).encode()).hexdigest()

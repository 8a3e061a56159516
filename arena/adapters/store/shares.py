"""Queries about share links of voted battles, reports of them, and texts that may not be shared again."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, delete, exists, func, or_, select, update

from arena.adapters.store import conversations
from arena.adapters.store.tables.conversations import BattleRow, ExclusionRow, TurnRow, VoteRow
from arena.adapters.store.tables.shares import ShareBlockRow, ShareReportRow, ShareRow
from arena.domain.terms import NotCounted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

QUESTION_SHOWN: Final = 1_000
"""Characters of a listed battle's first question that are read."""
_LISTED: Final = (
    select(ShareRow.token, ShareRow.battle_id, func.substr(TurnRow.prompt, 1, QUESTION_SHOWN).label("prompt"))
    .join(BattleRow, BattleRow.id == ShareRow.battle_id)
    .join(TurnRow, and_(TurnRow.battle_id == BattleRow.id, TurnRow.number == 1))
    .join(VoteRow, VoteRow.battle_id == BattleRow.id)
    .where(~BattleRow.withdrawn, or_(VoteRow.not_counted.is_(None), VoteRow.not_counted == NotCounted.WEB_PAGE))
    .where(~exists().where(ExclusionRow.vote_number == VoteRow.number))
    .where(~exists().where(ShareReportRow.token == ShareRow.token))
    .order_by(ShareRow.listed_at.desc(), ShareRow.token)
)


def of_battle(session: Session, battle_id: str) -> ShareRow | None:
    """The share link of this battle."""
    return session.scalar(select(ShareRow).where(ShareRow.battle_id == battle_id))


def battle(session: Session, token: str) -> BattleRow | None:
    """The battle with this share token."""
    query = select(BattleRow).join(ShareRow, ShareRow.battle_id == BattleRow.id)
    return session.scalar(query.where(ShareRow.token == token))


def put_on_list(share: ShareRow, battle: BattleRow, now: datetime) -> None:
    """Put a battle on the list of its two models; a listed battle keeps its time."""
    share.listed_at, share.pair = share.listed_at or now, _pair(battle.endpoint_a_id, battle.endpoint_b_id)


def listed(session: Session, pair: tuple[int, int], limit: int) -> list[tuple[str, str]]:
    """Token and first question of the newest listed battles of a pair of endpoints.

    Left out are battles with a report, with texts that were taken down, or whose vote does not count.
    """
    return _shown(session, ShareRow.pair == _pair(*pair), limit)


def is_listed(session: Session, share: ShareRow) -> bool:
    """Whether a battle that was put on the list is shown there, by the conditions of `listed`."""
    return bool(_shown(session, ShareRow.token == share.token, 1))


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


def reported(session: Session, limit: int) -> Sequence[ShareRow]:
    """The existing links with reports, the most reported first."""
    reports = func.sum(ShareReportRow.count).label("reports")
    sums = select(ShareReportRow.token, reports).group_by(ShareReportRow.token).subquery()
    query = select(ShareRow).join(sums, sums.c.token == ShareRow.token).order_by(sums.c.reports.desc(), ShareRow.token)
    return session.scalars(query.limit(limit)).all()


def report_reasons(session: Session, token: str) -> dict[str, int]:
    """Number of reports of a link, by reason."""
    rows = session.scalars(select(ShareReportRow).where(ShareReportRow.token == token).order_by(ShareReportRow.reason))
    return {row.reason: row.count for row in rows}


def forget_reports(session: Session, token: str) -> None:
    """Delete the reports of a link."""
    session.execute(delete(ShareReportRow).where(ShareReportRow.token == token))


def block(session: Session, digest: str, reason: str, now: datetime) -> None:
    """Block texts, by digest, from being shared."""
    if not is_blocked(session, digest):
        session.add(ShareBlockRow(digest=digest, reason=reason, created_at=now))


def is_blocked(session: Session, digest: str) -> bool:
    """Whether texts may not be shared, by digest."""
    return session.get(ShareBlockRow, digest) is not None


def blocked(session: Session) -> set[str]:
    """Digests of all texts that may not be shared."""
    return set(session.scalars(select(ShareBlockRow.digest)))


def _shown(session: Session, condition: ColumnElement[bool], limit: int) -> list[tuple[str, str]]:
    rows = session.execute(_LISTED.where(condition).limit(2 * limit)).all()
    removed = blocked(session) if rows else set[str]()
    visible = (row for row in rows if not removed or digest(session.get_one(BattleRow, row.battle_id)) not in removed)
    return [(row.token, row.prompt) for row in islice(visible, limit)]


def _pair(first: int, second: int) -> str:
    return f"{min(first, second)}:{max(first, second)}"


def digest(battle: BattleRow) -> str:
    """SHA-256 of the questions and answers of a battle, independent of voter, models and sides."""
    turns = [[turn.prompt, sorted(reply.text for reply in conversations.current(turn))] for turn in battle.turns]
    return hashlib.sha256(json.dumps(turns, ensure_ascii=False).encode()).hexdigest()

"""Answers in battles with a counted vote, to check new rules against the past."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import and_, select

from arena.adapters.store.tables import ReplyRow, TurnRow, VoteRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Select
    from sqlalchemy.orm import Session


def counted(session: Session, endpoint_ids: Iterable[int], limit: int) -> Iterator[tuple[str, str]]:
    """Battle and text of at most `limit` answers, one endpoint after the other, newest first."""
    query = _newest(limit)
    rows = (row for number in endpoint_ids for row in session.execute(query.where(ReplyRow.endpoint_id == number)))
    return ((battle_id, text) for battle_id, text in islice(rows, limit))


def of_others(session: Session, endpoint_ids: Iterable[int], limit: int) -> Iterator[str]:
    """Texts of the newest answers, at most `limit`, of all endpoints but these."""
    for _, text in session.execute(_newest(limit).where(ReplyRow.endpoint_id.not_in(list(endpoint_ids)))):
        yield text


def _newest(limit: int) -> Select[str, str]:
    return (
        select(TurnRow.battle_id, ReplyRow.text)
        .join_from(ReplyRow, TurnRow, and_(TurnRow.id == ReplyRow.turn_id, TurnRow.generation == ReplyRow.generation))
        .join(VoteRow, VoteRow.battle_id == TurnRow.battle_id)
        .where(VoteRow.not_counted.is_(None))
        .order_by(ReplyRow.id.desc())
        .limit(limit)
        .execution_options(yield_per=100)
    )

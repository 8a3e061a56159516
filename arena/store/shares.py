"""Queries about the links under which voted battles are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from arena.store.tables import BattleRow, ShareRow

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def of_battle(session: Session, battle_id: str) -> ShareRow | None:
    """The link of this battle."""
    return session.scalar(select(ShareRow).where(ShareRow.battle_id == battle_id))


def battle(session: Session, token: str) -> BattleRow | None:
    """The battle behind a link."""
    query = select(BattleRow).join(ShareRow, ShareRow.battle_id == BattleRow.id)
    return session.scalar(query.where(ShareRow.token == token))


def withdraw(session: Session, battle_id: str) -> None:
    """Delete the link of this battle, if it has one."""
    session.execute(delete(ShareRow).where(ShareRow.battle_id == battle_id))

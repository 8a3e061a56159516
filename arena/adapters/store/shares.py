"""Queries about share links of voted battles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from arena.adapters.store.tables import BattleRow, ShareRow

if TYPE_CHECKING:
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

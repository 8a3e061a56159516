"""Queries about battles, for the voter who holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.orm import lazyload, selectinload

from arena.errors import BattleNotFound
from arena.store import talks
from arena.store.tables import BattleRow, TurnRow

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


def find(session: Session, battle_id: str) -> BattleRow | None:
    """The battle with its turns and replies."""
    return session.get(BattleRow, battle_id)


def owned(session: Session, battle_id: str, voter_key: str) -> BattleRow:
    """The battle, for the voter who holds it.

    Raises:
        BattleNotFound: Unknown, or another voter's: nobody can tell which.
    """
    return talks.owned(session, talks.BATTLES, battle_id, voter_key)


def held(session: Session, battle_id: str, voter_key: str, *, whole: bool = True) -> BattleRow:
    """The same for a change: until this transaction ends, nobody else changes the battle.

    One that is not `whole` comes without its answers and its vote, which are loaded when they are asked for.

    Raises:
        BattleNotFound: As above.
    """
    options = () if whole else (selectinload(BattleRow.turns).lazyload(TurnRow.replies), lazyload(BattleRow.vote))
    battle = session.get(
        BattleRow, battle_id, options=options, with_for_update={"key_share": True}, populate_existing=True
    )
    if battle is None or battle.voter_key != voter_key:
        raise BattleNotFound
    return battle

"""Queries about battles, for the voter who holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Integer, bindparam, select

from arena.adapters.store import conversations
from arena.adapters.store.tables import BattleRow, TurnRow
from arena.domain.terms import BattleState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

_BATTLE: Final = BattleRow.__table__.c
_TURN: Final = TurnRow.__table__.c
_PAIR: Final = bindparam("pair", expanding=True, type_=Integer)
_FIRST_PROMPTS: Final = (
    select(_TURN.prompt)
    .join(BattleRow.__table__, _TURN.battle_id == _BATTLE.id)
    .where(_BATTLE.voter_key == bindparam("voter"), _BATTLE.state.in_((BattleState.OPEN, BattleState.VOTED)))
    .where(_BATTLE.endpoint_a_id.in_(_PAIR), _BATTLE.endpoint_b_id.in_(_PAIR), _TURN.number == 1)
)


def find(session: Session, battle_id: str) -> BattleRow | None:
    """The battle with its turns and replies."""
    return session.get(BattleRow, battle_id)


def owned(session: Session, battle_id: str, voter_key: str) -> BattleRow:
    """The battle, for the voter who holds it.

    Raises:
        BattleNotFound: Unknown, or another voter's: nobody can tell which.
    """
    return conversations.owned(session, conversations.BATTLES, battle_id, voter_key)


def owned_for_update(session: Session, battle_id: str, voter_key: str) -> BattleRow:
    """The same for a change: until this transaction ends, nobody else changes the battle.

    Raises:
        BattleNotFound: As above.
    """
    return conversations.owned_for_update(session, conversations.BATTLES, battle_id, voter_key)


def first_prompts(session: Session, voter_key: str, pair: tuple[int, int]) -> Sequence[str]:
    """The first prompts of the battles between these two, on either side, that a voter has voted on or still can."""
    return session.connection().execute(_FIRST_PROMPTS, {"voter": voter_key, "pair": pair}).scalars().all()

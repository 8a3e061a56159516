"""Queries about battles, their turns and replies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update
from sqlalchemy.orm import lazyload, selectinload

from arena.errors import BattleNotFound
from arena.store.tables import BattleRow, ReplyRow, TurnRow
from arena.terms import BattleState, TurnState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session


def find(session: Session, battle_id: str) -> BattleRow | None:
    """The battle with its turns and replies."""
    return session.get(BattleRow, battle_id)


def overdue(session: Session, now: datetime) -> Sequence[int]:
    """Running turns whose time is up: their process has died or lost them."""
    return session.scalars(
        select(TurnRow.id).where(TurnRow.state == TurnState.RUNNING, TurnRow.deadline_at <= now)
    ).all()


def owned(session: Session, battle_id: str, voter_key: str) -> BattleRow:
    """The battle, for the voter who holds it.

    Raises:
        BattleNotFound: Unknown, or another voter's: nobody can tell which.
    """
    battle = find(session, battle_id)
    if battle is None or battle.voter_key != voter_key:
        raise BattleNotFound
    return battle


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


def running(session: Session, process: str) -> Sequence[int]:
    """Every turn that is said to run in one process, or in any if it is the only one and has no name."""
    turns = select(TurnRow.id).where(TurnRow.state == TurnState.RUNNING)
    return session.scalars(turns.where(TurnRow.process == process) if process else turns).all()


def running_at(session: Session, battle_id: str) -> str | None:
    """Where the process is reached in which a turn of this battle is being answered."""
    turns = select(TurnRow.process).where(TurnRow.battle_id == battle_id, TurnRow.state == TurnState.RUNNING)
    return session.scalar(turns.limit(1))


def abandon_before(session: Session, created_before: datetime, now: datetime) -> None:
    """End open battles that began long ago and in which nothing runs."""
    running_in = select(TurnRow.battle_id).where(TurnRow.state == TurnState.RUNNING)
    session.execute(
        update(BattleRow)
        .where(BattleRow.state == BattleState.OPEN, BattleRow.created_at < created_before)
        .where(BattleRow.id.not_in(running_in))
        .values(state=BattleState.ABANDONED, ended_at=now)
    )


def fail_turn(session: Session, turn_id: int, *, failure: str, battle: BattleState, now: datetime) -> bool:
    """End a running turn without answers, and its battle with it; False if it had ended already."""
    ended = session.execute(
        update(TurnRow)
        .where(TurnRow.id == turn_id, TurnRow.state == TurnState.RUNNING)
        .values(state=TurnState.FAILED, failure=failure, ended_at=now)
        .returning(TurnRow.battle_id)
    ).scalar_one_or_none()
    if ended is None:
        return False
    session.execute(
        update(BattleRow)
        .where(BattleRow.id == ended, BattleRow.state == BattleState.OPEN)
        .values(state=battle, ended_at=now)
    )
    return True


def finish_turn(session: Session, turn_id: int, *, now: datetime) -> bool:
    """Mark a running turn as ready; False if it had ended already."""
    return (
        session.execute(
            update(TurnRow)
            .where(TurnRow.id == turn_id, TurnRow.state == TurnState.RUNNING)
            .values(state=TurnState.READY, ended_at=now)
            .returning(TurnRow.id)
        ).scalar_one_or_none()
        is not None
    )


def is_ready(session: Session, turn_id: int, generation: int) -> bool:
    """Whether a turn is ready with the answers of this generation."""
    turn = session.get_one(TurnRow, turn_id)
    return turn.state is TurnState.READY and turn.generation == generation


def add_replies(session: Session, replies: Sequence[ReplyRow]) -> None:
    """Keep what both sides said."""
    session.add_all(replies)


def current(turn: TurnRow) -> list[ReplyRow]:
    """The answers of the newest generation, side A first; earlier ones stay on record only."""
    return sorted(
        (reply for reply in turn.replies if reply.generation == turn.generation), key=lambda reply: reply.side
    )

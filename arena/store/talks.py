"""Queries about talks, which are blind battles and chats with chosen models: what runs in them, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from sqlalchemy import select, update

from arena.errors import BattleNotFound, ChatNotFound
from arena.store.tables import BattleRow, ChatReplyRow, ChatRow, ChatTurnRow, ReplyRow, TurnRow
from arena.terms import BattleState, Part, TurnState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from arena.errors import NotFound

Talk: TypeAlias = BattleRow | ChatRow
Turn: TypeAlias = TurnRow | ChatTurnRow
Reply: TypeAlias = ReplyRow | ChatReplyRow
T = TypeVar("T", bound=Talk)
T_co = TypeVar("T_co", bound=Talk, covariant=True)


@dataclass(frozen=True, slots=True)
class Book(Generic[T_co]):
    """Where one kind of talk is written; `of` is the talk of a turn, `missing` the error of one that is not there.

    `part` is what an operator closes, so that none of this kind begins.
    """

    talk: type[T_co]
    turn: type[TurnRow | ChatTurnRow]
    reply: type[ReplyRow | ChatReplyRow]
    of: ColumnElement[str]
    missing: type[NotFound]
    part: Part


AnyBook: TypeAlias = Book[Talk]
BATTLES: Final = Book(BattleRow, TurnRow, ReplyRow, TurnRow.__table__.c.battle_id, BattleNotFound, Part.BATTLES)
CHATS: Final = Book(ChatRow, ChatTurnRow, ChatReplyRow, ChatTurnRow.__table__.c.chat_id, ChatNotFound, Part.CHATS)
BOOKS: Final[tuple[AnyBook, ...]] = (BATTLES, CHATS)


def owned(session: Session, book: Book[T], talk_id: str, voter_key: str) -> T:
    """The talk, for the voter who holds it.

    Raises:
        BattleNotFound, ChatNotFound: Unknown, or another voter's: nobody can tell which.
    """
    return _owned(book, session.get(book.talk, talk_id), voter_key)


def held(session: Session, book: Book[T], talk_id: str, voter_key: str) -> T:
    """The same for a change: until this transaction ends, nobody else changes the talk.

    Raises:
        BattleNotFound, ChatNotFound: As above.
    """
    talk = session.get(book.talk, talk_id, with_for_update={"key_share": True, "of": book.talk}, populate_existing=True)
    return _owned(book, talk, voter_key)


def overdue(session: Session, book: AnyBook, now: datetime) -> Sequence[int]:
    """Running turns whose time is up: their process has died or lost them."""
    turn = book.turn
    return session.scalars(select(turn.id).where(turn.state == TurnState.RUNNING, turn.deadline_at <= now)).all()


def running(session: Session, book: AnyBook, process: str) -> Sequence[int]:
    """Every turn that is said to run in one process, or in any if it is the only one and has no name."""
    turns = select(book.turn.id).where(book.turn.state == TurnState.RUNNING)
    return session.scalars(turns.where(book.turn.process == process) if process else turns).all()


def running_at(session: Session, book: AnyBook, talk_id: str) -> str | None:
    """Where the process is reached in which a turn of this talk is being answered."""
    turns = select(book.turn.process).where(book.of == talk_id, book.turn.state == TurnState.RUNNING)
    return session.scalar(turns.limit(1))


def abandon_before(session: Session, book: AnyBook, created_before: datetime, now: datetime) -> None:
    """End open talks that began long ago and in which nothing runs."""
    running_in = select(book.of).where(book.turn.state == TurnState.RUNNING)
    session.execute(
        update(book.talk)
        .where(book.talk.state == BattleState.OPEN, book.talk.created_at < created_before)
        .where(book.talk.id.not_in(running_in))
        .values(state=BattleState.ABANDONED, ended_at=now)
    )


def fail_turn(
    session: Session, book: AnyBook, turn_id: int, *, failure: str, state: BattleState, now: datetime
) -> bool:
    """End a running turn without answers, and its talk with it; False if it had ended already."""
    ended = session.execute(
        update(book.turn)
        .where(book.turn.id == turn_id, book.turn.state == TurnState.RUNNING)
        .values(state=TurnState.FAILED, failure=failure, ended_at=now)
        .returning(book.of)
    ).scalar_one_or_none()
    if ended is None:
        return False
    session.execute(
        update(book.talk)
        .where(book.talk.id == ended, book.talk.state == BattleState.OPEN)
        .values(state=state, ended_at=now)
    )
    return True


def finish_turn(session: Session, book: AnyBook, turn_id: int, *, now: datetime) -> bool:
    """Mark a running turn as ready; False if it had ended already."""
    return (
        session.execute(
            update(book.turn)
            .where(book.turn.id == turn_id, book.turn.state == TurnState.RUNNING)
            .values(state=TurnState.READY, ended_at=now)
            .returning(book.turn.id)
        ).scalar_one_or_none()
        is not None
    )


def is_ready(session: Session, book: AnyBook, turn_id: int, generation: int) -> bool:
    """Whether a turn is ready with the answers of this generation."""
    turn = session.get_one(book.turn, turn_id)
    return turn.state is TurnState.READY and turn.generation == generation


def current(turn: Turn) -> list[Reply]:
    """The answers of the newest generation, side A first; earlier ones stay on record only."""
    return sorted(
        (reply for reply in turn.replies if reply.generation == turn.generation), key=lambda reply: reply.side
    )


def _owned(book: Book[T], talk: T | None, voter_key: str) -> T:
    if talk is None or talk.voter_key != voter_key:
        raise book.missing
    return talk

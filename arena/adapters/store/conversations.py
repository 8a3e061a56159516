"""Queries about conversations (blind battles and named chats) and their turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, cast

from sqlalchemy import Integer, bindparam, insert, select, true, union, update

from arena.adapters.store import budgets
from arena.adapters.store.tables.chats import ChatReplyRow, ChatRow, ChatTurnRow
from arena.adapters.store.tables.conversations import BattleRow, ReplyRow, TurnRow
from arena.domain.errors import BattleNotFound, ChatNotFound
from arena.domain.terms import BattleKind, BattleState, Part, TurnState
from arena_providers.terms import Finish

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Table
    from sqlalchemy.orm import Session

    from arena.adapters.store.budgets import Share
    from arena.domain.errors import NotFound
    from arena.domain.terms import JsonObject, Side


Conversation: TypeAlias = BattleRow | ChatRow
Turn: TypeAlias = TurnRow | ChatTurnRow
Reply: TypeAlias = ReplyRow | ChatReplyRow
T = TypeVar("T", bound=Conversation)
T_co = TypeVar("T_co", bound=Conversation, covariant=True)


@dataclass(frozen=True, slots=True)
class ConversationKind(Generic[T_co]):
    """Tables of one kind of conversation; `of` is a turn's foreign key, `missing` the error for an unknown id.

    `part` is its part of the service, which the operator can close; `share` is the budget of its calls.
    """

    conversation: type[T_co]
    turn: type[TurnRow | ChatTurnRow]
    reply: type[ReplyRow | ChatReplyRow]
    of: ColumnElement[str]
    missing: type[NotFound]
    part: Part
    share: Share


AnyKind: TypeAlias = ConversationKind[Conversation]
BATTLES: Final = ConversationKind(
    BattleRow, TurnRow, ReplyRow, TurnRow.__table__.c.battle_id, BattleNotFound, Part.BATTLES, budgets.BATTLES
)
CHATS: Final = ConversationKind(
    ChatRow, ChatTurnRow, ChatReplyRow, ChatTurnRow.__table__.c.chat_id, ChatNotFound, Part.CHATS, budgets.CHATS
)
_NOTHING: Final[Mapping[str, object]] = {}
KINDS: Final[tuple[AnyKind, ...]] = (BATTLES, CHATS)


def add(session: Session, kind: ConversationKind[T], conversation: T) -> None:
    """Insert a new conversation with its first turn, and set the turn's id; seven times as fast as a unit of work."""
    (turn,) = conversation.turns
    _insert(session, conversation)
    turn.id = _insert(session, turn, {str(kind.of.key): conversation.id})


def add_replies(session: Session, replies: Iterable[Reply]) -> None:
    """Insert the answers of a turn."""
    for reply in replies:
        _insert(session, reply)


def owned(session: Session, kind: ConversationKind[T], conversation_id: str, voter_key: str) -> T:
    """The conversation, for the voter who owns it.

    Raises:
        BattleNotFound, ChatNotFound: It is unknown or another voter's; the error is the same.
    """
    return _owned(kind, session.get(kind.conversation, conversation_id), voter_key)


def owned_for_update(session: Session, kind: ConversationKind[T], conversation_id: str, voter_key: str) -> T:
    """The conversation, for the voter who owns it, locked until the end of the transaction (`FOR UPDATE`).

    Raises:
        BattleNotFound, ChatNotFound: As for `owned`.
    """
    conversation = session.get(
        kind.conversation,
        conversation_id,
        with_for_update={"key_share": True, "of": kind.conversation},
        populate_existing=True,
    )
    return _owned(kind, conversation, voter_key)


class RunningTurn(NamedTuple):
    """A turn that has not ended, with what it holds until then."""

    id: int
    reservation: JsonObject | None


def overdue(session: Session, kind: AnyKind, now: datetime) -> Sequence[RunningTurn]:
    """Running turns past their deadline, whose process has died or lost them."""
    return _running(session, kind, kind.turn.deadline_at <= now)


def running(session: Session, kind: AnyKind, processes: Collection[str]) -> Sequence[RunningTurn]:
    """Running turns of these processes."""
    return _running(session, kind, kind.turn.process.in_(processes)) if processes else []


def all_running(session: Session, kind: AnyKind) -> Sequence[RunningTurn]:
    """All running turns."""
    return _running(session, kind, true())


def _running(session: Session, kind: AnyKind, condition: ColumnElement[bool]) -> Sequence[RunningTurn]:
    """Running turns, locked, so that none ends and begins anew meanwhile."""
    query = select(kind.turn.id, kind.turn.reservation).where(kind.turn.state == TurnState.RUNNING, condition)
    rows = session.execute(query.order_by(kind.turn.id).with_for_update())
    return [RunningTurn(*row) for row in rows]


def running_processes(session: Session) -> set[str]:
    """The processes that running turns belong to, as far as they have a name."""
    turns = [select(kind.turn.process).where(kind.turn.state == TurnState.RUNNING) for kind in KINDS]
    return {process for process in session.scalars(union(*turns)) if process}


def running_at(session: Session, kind: AnyKind, conversation_id: str, voter_key: str) -> str | None:
    """Name of the process that runs a turn of this voter's conversation, or None."""
    turns = select(kind.turn.process).join(kind.conversation, kind.conversation.id == kind.of)
    turns = turns.where(kind.of == conversation_id, kind.turn.state == TurnState.RUNNING)
    return session.scalar(turns.where(kind.conversation.voter_key == voter_key).limit(1))


def abandon_before(session: Session, kind: AnyKind, created_before: datetime, now: datetime) -> None:
    """End open conversations from before `created_before` without a running turn."""
    running_in = select(kind.of).where(kind.turn.state == TurnState.RUNNING)
    session.execute(
        update(kind.conversation)
        .where(kind.conversation.state == BattleState.OPEN, kind.conversation.created_at < created_before)
        .where(kind.conversation.id.not_in(running_in))
        .values(state=BattleState.ABANDONED, ended_at=now)
    )


def fail_turn(
    session: Session, kind: AnyKind, turn_id: int, *, failure: str, state: BattleState, now: datetime
) -> bool:
    """End a running turn without answers, and its conversation; False if the turn has already ended."""
    ended = session.execute(
        update(kind.turn)
        .where(kind.turn.id == turn_id, kind.turn.state == TurnState.RUNNING)
        .values(state=TurnState.FAILED, failure=failure, ended_at=now, reservation=None)
        .returning(kind.of)
    ).scalar_one_or_none()
    if ended is None:
        return False
    session.execute(
        update(kind.conversation)
        .where(kind.conversation.id == ended, kind.conversation.state == BattleState.OPEN)
        .values(state=state, ended_at=now)
    )
    return True


def finish_turn(session: Session, kind: AnyKind, turn_id: int, *, shown_at: datetime | None, now: datetime) -> bool:
    """Mark a running turn as ready; False if it has already ended."""
    return (
        session.execute(
            update(kind.turn)
            .where(kind.turn.id == turn_id, kind.turn.state == TurnState.RUNNING)
            .values(state=TurnState.READY, shown_at=shown_at, ended_at=now, reservation=None)
            .returning(kind.turn.id)
        ).scalar_one_or_none()
        is not None
    )


def is_ready(session: Session, kind: AnyKind, turn_id: int, generation: int) -> bool:
    """Whether a turn is ready with the answers of this generation."""
    turn = session.get_one(kind.turn, turn_id)
    return turn.state is TurnState.READY and turn.generation == generation


def current(turn: Turn) -> list[Reply]:
    """The answers of the newest generation, side A first."""
    return sorted(
        (reply for reply in turn.replies if reply.generation == turn.generation), key=lambda reply: reply.side
    )


def cut_sides(replies: Iterable[Reply]) -> list[Side]:
    """The sides of answers that ended at a limit of their length."""
    return [reply.side for reply in replies if reply.finish is Finish.LENGTH]


def failed_sides(replies: Iterable[Reply]) -> list[Side]:
    """The sides of answers that ended with an error."""
    return [reply.side for reply in replies if reply.error]


def _insert(session: Session, row: Conversation | Turn | Reply, extra: Mapping[str, object] = _NOTHING) -> Any:  # noqa: ANN401 - of the type of its primary key
    """Insert the columns of a new row that are set, without a unit of work; returns its id."""
    table = cast("Table", row.__table__)
    values = {name: value for name, value in vars(row).items() if name in table.c}
    (number,) = session.connection().execute(insert(table), {**values, **extra}).inserted_primary_key or (None,)
    return number


def _owned(kind: ConversationKind[T], conversation: T | None, voter_key: str) -> T:
    if conversation is None or conversation.voter_key != voter_key:
        raise kind.missing
    return conversation


_BATTLE: Final = BattleRow.__table__.c
_TURN: Final = TurnRow.__table__.c
_PAIR: Final = bindparam("pair", expanding=True, type_=Integer)
_FIRST_PROMPTS: Final = (
    select(_TURN.prompt)
    .join(BattleRow.__table__, _TURN.battle_id == _BATTLE.id)
    .where(_BATTLE.voter_key == bindparam("voter"), _BATTLE.kind == bindparam("kind", type_=_BATTLE.kind.type))
    .where(_BATTLE.state.in_((BattleState.OPEN, BattleState.VOTED)))
    .where(_BATTLE.endpoint_a_id.in_(_PAIR), _BATTLE.endpoint_b_id.in_(_PAIR), _TURN.number == 1)
)


def first_prompts(session: Session, voter_key: str, pair: tuple[int, int], kind: BattleKind) -> Sequence[str]:
    """The first prompts of a voter's open and voted battles of a kind between two endpoints, on either side."""
    values = {"voter": voter_key, "pair": pair, "kind": kind}
    return session.connection().execute(_FIRST_PROMPTS, values).scalars().all()

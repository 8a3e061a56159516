"""Turns of conversations: the write of a turn with the plan of its run, and its view for the voter.

A function that takes a session runs inside its caller's transaction.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

from arena.adapters.store import budgets, endpoints, site
from arena.adapters.store import conversations as stored
from arena.adapters.store.tables.conversations import BattleRow
from arena.calls import token_costs
from arena.calls.targets import target_of
from arena.domain.errors import (
    BattleClosed,
    KeyLost,
    ModelAway,
    ModelSpent,
    PracticeModelsOnly,
    RegenerateLimitReached,
    TurnLimitReached,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.schemas.battles import TurnView
from arena.domain.sensitive_topics import topic_of
from arena.domain.terms import REGENERATE_LIMIT, TURN_LIMIT, BattleKind, BattleState, EndpointState, TurnState
from arena.usecases.battles import attachments
from arena.usecases.battles.reservations import Reservation
from arena.usecases.battles.turn_failures import failed_event
from arena_providers.page_request import with_instruction
from arena_providers.terms import Finish, Message, Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.conversations import AnyKind, Conversation, ConversationKind, Turn
    from arena.adapters.store.endpoints import CalledEndpoint
    from arena.calls.targets import Keys
    from arena.domain.errors import ArenaError
    from arena.domain.terms import Neighbourhood, Side
    from arena.usecases.battles.feed import Feed
    from arena.usecases.battles.runtime import Runtime
    from arena_providers.base import Target
    from arena_providers.terms import Image

T = TypeVar("T", bound="Conversation")
_INACTIVE: Final = (EndpointState.IMPORTED, EndpointState.SUSPENDED)

log = logging.getLogger(__name__)


class Prompt(NamedTuple):
    """A prompt as it is stored: its text, and the ids of its images."""

    text: str
    images: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """The data of a turn's run, which needs no database session while the models answer.

    `reservation` has the tokens of endpoints with a cap, and the neighbourhood whose daily count has the battle, if the
    turn opened one.
    """

    kind: AnyKind
    conversation_id: str
    turn_id: int
    number: int
    generation: int
    endpoints: dict[Side, int]
    targets: dict[Side, Target]
    messages: dict[Side, tuple[Message, ...]]
    reservation: Reservation

    @property
    def is_named(self) -> bool:
        """Whether the voter knows the models' names."""
        return self.kind is stored.CHATS

    @property
    def day(self) -> date:
        """The day whose budgets pay for the turn."""
        return self.reservation.day


class NotCallable(Exception):
    """Endpoints of a conversation cannot be asked; `endpoints` is in the order of their sides.

    `why` is the class of the error for a voter who knows their names.
    """

    def __init__(self, why: type[ArenaError], endpoints: Sequence[int]) -> None:
        super().__init__(why, endpoints)
        self.why = why
        self.endpoints = endpoints


def day_of(now: datetime) -> date:
    """The day (UTC) whose budgets pay for a turn that starts now."""
    return now.astimezone(UTC).date()


def askable(session: Session, kind: ConversationKind[T], voter_key: str, conversation_id: str) -> T:
    """A conversation that may have a further prompt.

    Raises:
        TurnRunning, TurnNotReady, BattleClosed: Its last turn is running or has failed, or it is not open.
        BattleNotFound, ChatNotFound: Unknown, or another voter's.
    """
    return _check(stored.owned(session, kind, conversation_id, voter_key))


def write_first(
    session: Session,
    runtime: Runtime,
    kind: ConversationKind[T],
    conversation: T,
    prompt: Prompt,
    now: datetime,
    *,
    place: Neighbourhood | None = None,
) -> TurnPlan:
    """Store a new conversation with its first turn running, in the daily count of `place`, if there is one.

    Raises:
        Closed: The operator has closed this kind of conversation.
        ModelBlind, ImageNotFound: It cannot have these images.
        PracticeModelsOnly: One of the endpoints is a practice model, which must not be asked about this.
        NotCallable: One of the endpoints cannot be asked.
    """
    site.check_open(session, kind.part)
    _append(session, runtime, kind, conversation, prompt, now)
    plan = _plan(session, kind, conversation, day_of(now), runtime.keys, place)
    stored.add(session, kind, conversation)
    return replace(plan, turn_id=conversation.turns[-1].id)


def write_next(
    session: Session,
    runtime: Runtime,
    kind: ConversationKind[T],
    voter_key: str,
    conversation_id: str,
    prompt: Prompt | None,
) -> tuple[TurnPlan, T]:
    """Store the next turn of an open conversation, or set the last one running again if `prompt` is None.

    Raises:
        TooManyImages, ImagesLate, ModelBlind, ImageNotFound: It cannot have these images.
        ImagesGone: Images of its earlier turns have been deleted.
        PracticeModelsOnly: One of the endpoints is a practice model, which must not be asked about this.
        TurnLimitReached, RegenerateLimitReached: It may have no more turns, or the turn no more answers.
        TurnRunning, TurnNotReady, BattleClosed, BattleNotFound, ChatNotFound: As in `askable`.
        NotCallable: One of the endpoints cannot be asked.
    """
    conversation, now = _check(stored.owned_for_update(session, kind, conversation_id, voter_key)), runtime.now()
    if prompt is None:
        _restart(runtime, conversation.turns[-1], now)
    elif len(conversation.turns) >= TURN_LIMIT:
        raise TurnLimitReached
    else:
        _append(session, runtime, kind, conversation, prompt, now)
    session.flush()
    return _plan(session, kind, conversation, day_of(now), runtime.keys), conversation


def view(turn: Turn, live: Feed | None, *, is_blind: bool) -> TurnView:
    """A turn with the answers that its voter may see; those of the running turn come from its feed.

    Of a failed turn the answers are kept where the names are known: the other model has no part in the failure.
    """
    shown = (TurnState.READY,) if is_blind else (TurnState.READY, TurnState.FAILED)
    replies = stored.current(turn) if turn.state in shown else []
    answers = {reply.side: reply.text for reply in replies}
    if live is not None and (live.start.turn, live.start.generation) == (turn.number, turn.generation):
        answers = answers or dict(live.shown)
    return TurnView(
        number=turn.number,
        prompt=turn.prompt,
        images=turn.images or [],
        state=turn.state,
        generation=turn.generation,
        answers=answers,
        failure=failed_event(turn.failure).code if turn.state is TurnState.FAILED else None,
        stopped=any(reply.finish is Finish.STOPPED for reply in replies),
        cut=[] if is_blind else stored.cut_sides(replies),
    )


def _check(conversation: T) -> T:
    if conversation.state is not BattleState.OPEN:
        raise BattleClosed
    if conversation.turns[-1].state is TurnState.RUNNING:
        raise TurnRunning
    if conversation.turns[-1].state is TurnState.FAILED:
        raise TurnNotReady
    return conversation


def _append(
    session: Session, runtime: Runtime, kind: ConversationKind[T], conversation: T, prompt: Prompt, now: datetime
) -> None:
    """Append a running turn."""
    turn = kind.turn(
        number=len(conversation.turns) + 1,
        generation=0,
        prompt=prompt.text,
        images=list(prompt.images) or None,
        state=TurnState.RUNNING,
        started_at=now,
        deadline_at=runtime.deadline(now),
        process=runtime.name,
    )
    # The turns of a conversation are all of its own kind, which the type of the union cannot express.
    cast("list[Turn]", conversation.turns).append(turn)
    if prompt.images:
        attachments.attach(session, conversation, prompt.images, now)


def _restart(runtime: Runtime, turn: Turn, now: datetime) -> None:
    """Set a turn running again, for new answers."""
    if turn.generation >= REGENERATE_LIMIT:
        raise RegenerateLimitReached
    turn.generation += 1
    turn.state, turn.shown_at, turn.ended_at = TurnState.RUNNING, None, None
    turn.started_at, turn.deadline_at, turn.process = (
        now,
        runtime.deadline(now),
        runtime.name,
    )


def _plan(
    session: Session,
    kind: ConversationKind[T],
    conversation: T,
    day: date,
    keys: Keys,
    place: Neighbourhood | None = None,
) -> TurnPlan:
    """Reserve what the last turn needs; returns its plan, without the id of a turn that has none yet."""
    numbers = conversation.sides
    rows = endpoints.called(session, numbers.values())
    if inactive := [number for number in numbers.values() if rows[number].state in _INACTIVE]:
        raise NotCallable(ModelAway, inactive)
    turn = conversation.turns[-1]
    if any(row.demo for row in rows.values()):
        _check_topics(conversation)
    targets = {side: _target(session, rows[number], keys) for side, number in numbers.items()}
    images = attachments.read(session, conversation)
    messages = {side: _messages(conversation, side, images) for side in numbers}
    tokens = {number: token_costs.reserve(targets[side], messages[side]) for side, number in numbers.items()}
    if capped := budgets.take_each(session, rows, day, tokens, kind.share):
        raise NotCallable(ModelSpent, [number for number in numbers.values() if number in capped])
    counts = {number: count for number, count in tokens.items() if budgets.capped(rows[number])}
    reservation = Reservation(day, counts, place)
    turn.reservation = reservation.row()
    return TurnPlan(
        kind=kind,
        conversation_id=conversation.id,
        turn_id=turn.id,
        number=turn.number,
        generation=turn.generation,
        endpoints=numbers,
        targets=targets,
        messages=messages,
        reservation=reservation,
    )


def _check_topics(conversation: Conversation) -> None:
    """Check that no prompt of a conversation with a practice model is about a sensitive topic."""
    if topic := next(filter(None, map(topic_of, (turn.prompt for turn in conversation.turns))), None):
        raise PracticeModelsOnly(rule=topic.value)


def _target(session: Session, row: CalledEndpoint, keys: Keys) -> Target:
    """The target of an endpoint; for the voter, one whose key is lost is away, not for a few seconds."""
    try:
        return target_of(session, row, keys)
    except KeyLost as error:
        log.warning("the endpoint %s cannot be asked: %s", row.id, error)
        raise NotCallable(ModelAway, [row.id]) from None


def _messages(conversation: Conversation, side: Side, images: Mapping[int, tuple[Image, ...]]) -> tuple[Message, ...]:
    """The messages for one side: all prompts with their images, and the side's own answers to the earlier ones."""
    messages: list[Message] = []
    pages = isinstance(conversation, BattleRow) and conversation.kind is BattleKind.WEB_PAGE
    for turn in conversation.turns:
        prompt = with_instruction(turn.prompt) if pages else turn.prompt
        messages.append(Message(Role.USER, prompt, images.get(turn.number, ())))
        if turn is not conversation.turns[-1]:
            messages += [Message(Role.ASSISTANT, reply.text) for reply in stored.current(turn) if reply.side is side]
    return tuple(messages)

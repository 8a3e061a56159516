"""Writing a turn into the database, and reading back what its voter may see of it.

Every function here runs inside one transaction and decides by what that transaction sees.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Final, TypeVar, cast

from arena import costs
from arena.battles.runs import Script
from arena.errors import (
    BattleClosed,
    KeyLost,
    ModelAway,
    ModelResting,
    ModelSpent,
    RegenerateLimitReached,
    TurnLimitReached,
    TurnNotReady,
    TurnRunning,
)
from arena.pairing import Candidate
from arena.store import budgets, endpoints, flags, secrets
from arena.store import talks as stored
from arena.targets import target_of
from arena.terms import REGENERATE_LIMIT, TURN_LIMIT, BattleState, EndpointState, Message, Role, TurnState

if TYPE_CHECKING:
    from datetime import date, datetime, timedelta

    from sqlalchemy.orm import Session

    from arena.battles.feeds import Feed
    from arena.errors import ArenaError
    from arena.providers.base import Target
    from arena.store.keyring import Keyring
    from arena.store.tables import EndpointRow
    from arena.store.talks import Book, Talk, Turn
    from arena.targets import Keys
    from arena.terms import Side

T = TypeVar("T", bound="Talk")
_AWAY: Final = (EndpointState.IMPORTED, EndpointState.SUSPENDED)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Moment:
    """When and where a turn starts, and how long it may run before it counts as lost."""

    now: datetime
    patience: timedelta
    process: str | None = None

    @property
    def deadline(self) -> datetime:
        """The end of our patience."""
        return self.now + self.patience

    @property
    def day(self) -> date:
        """The day (UTC) whose budget pays."""
        return self.now.astimezone(UTC).date()


class Unable(Exception):
    """Some endpoints of a talk cannot be asked; `why` is the error for a voter who knows their names."""

    def __init__(self, why: type[ArenaError], endpoints: set[int]) -> None:
        super().__init__(why, endpoints)
        self.why = why
        self.endpoints = endpoints


def pool(session: Session, keyring: Keyring, day: date) -> list[Candidate]:
    """Everybody who may be drawn; not those whose keys nobody can open or whose budget of the day is spent."""
    out = secrets.lost(session, keyring) | budgets.spent(session, day)
    return [Candidate(row.id, row.weight, row.group_name) for row in endpoints.active(session) if row.id not in out]


def askable(session: Session, book: Book[T], voter_key: str, talk_id: str) -> T:
    """A talk that may go on.

    Raises:
        TurnRunning, TurnNotReady, BattleClosed, BattleNotFound, ChatNotFound: It may not.
    """
    return _check(stored.owned(session, book, talk_id, voter_key))


def first(session: Session, book: Book[T], talk: T, prompt: str, moment: Moment, keys: Keys) -> tuple[Script, T]:
    """Store a new talk with its first turn running.

    Raises:
        Unable: Here and in the other two that store a turn; nothing is stored.
    """
    flags.check_open(session, book.part)
    _begin(book, talk, prompt, moment)
    session.add(talk)
    session.flush()
    return _script(session, book, talk, moment.day, keys), talk


def following(
    session: Session, book: Book[T], voter_key: str, talk_id: str, moment: Moment, keys: Keys, *, prompt: str
) -> tuple[Script, T]:
    """Store the next turn of an open talk."""
    talk = _open(session, book, voter_key, talk_id)
    if len(talk.turns) >= TURN_LIMIT:
        raise TurnLimitReached
    _begin(book, talk, prompt, moment)
    session.flush()
    return _script(session, book, talk, moment.day, keys), talk


def repeated(
    session: Session, book: Book[T], voter_key: str, talk_id: str, moment: Moment, keys: Keys
) -> tuple[Script, T]:
    """Set the last turn running once more."""
    talk = _open(session, book, voter_key, talk_id)
    turn = talk.turns[-1]
    if turn.generation >= REGENERATE_LIMIT:
        raise RegenerateLimitReached
    turn.generation += 1
    turn.state, turn.ended_at = TurnState.RUNNING, None
    turn.started_at, turn.deadline_at, turn.process = moment.now, moment.deadline, moment.process
    session.flush()
    return _script(session, book, talk, moment.day, keys), talk


def shown(turn: Turn, live: Feed | None) -> dict[Side, str]:
    """The answers of a turn as far as its voter may see them; those of the running one come from its feed."""
    answers = {reply.side: reply.text for reply in stored.current(turn)} if turn.state is TurnState.READY else {}
    if live is not None and (live.start.turn, live.start.generation) == (turn.number, turn.generation):
        answers = answers or dict(live.shown)
    return answers


def _open(session: Session, book: Book[T], voter_key: str, talk_id: str) -> T:
    return _check(stored.held(session, book, talk_id, voter_key))


def _check(talk: T) -> T:
    if talk.state is not BattleState.OPEN:
        raise BattleClosed
    if talk.turns[-1].state is TurnState.RUNNING:
        raise TurnRunning
    if talk.turns[-1].state is TurnState.FAILED:
        raise TurnNotReady
    return talk


def _begin(book: Book[T], talk: T, prompt: str, moment: Moment) -> None:
    """Append a running turn."""
    turn = book.turn(
        number=len(talk.turns) + 1,
        generation=0,
        prompt=prompt,
        state=TurnState.RUNNING,
        started_at=moment.now,
        deadline_at=moment.deadline,
        process=moment.process,
    )
    # A book holds turns of one kind, which the types of its two columns cannot say.
    cast("list[Turn]", talk.turns).append(turn)


def _script(session: Session, book: Book[T], talk: T, day: date, keys: Keys) -> Script:
    numbers = talk.sides
    rows = endpoints.by_id(session, numbers.values())
    able = {side: rows[number] for side, number in numbers.items()}
    if away := {row.id for row in able.values() if row.state in _AWAY}:
        raise Unable(ModelAway, away)
    turn = talk.turns[-1]
    targets = {side: _target(session, row, keys) for side, row in able.items()}
    messages = {side: _messages(talk, side) for side in numbers}
    reserved = {side: costs.reserve(targets[side], messages[side]) for side in numbers}
    if capped := budgets.take_each(session, rows, day, {numbers[side]: reserved[side] for side in numbers}):
        raise Unable(ModelSpent, capped)
    return Script(
        book=book,
        talk_id=talk.id,
        turn_id=turn.id,
        number=turn.number,
        generation=turn.generation,
        endpoints=numbers,
        targets=targets,
        messages=messages,
        day=day,
        reserved={side: tokens for side, tokens in reserved.items() if budgets.capped(able[side])},
    )


def _target(session: Session, row: EndpointRow, keys: Keys) -> Target:
    """Whom to ask; a voter is not told that a key is lost."""
    try:
        return target_of(session, row, keys)
    except KeyLost as error:
        log.warning("the endpoint %s cannot be asked: %s", row.id, error)
        raise Unable(ModelResting, {row.id}) from None


def _messages(talk: Talk, side: Side) -> tuple[Message, ...]:
    """The conversation as one side knows it: all prompts, and its own answers to the earlier ones."""
    messages: list[Message] = []
    for turn in talk.turns[:-1]:
        messages.append(Message(Role.USER, turn.prompt))
        messages += [Message(Role.ASSISTANT, reply.text) for reply in stored.current(turn) if reply.side is side]
    return (*messages, Message(Role.USER, talk.turns[-1].prompt))

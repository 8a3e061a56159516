"""Writing a turn into the database, and reading a battle back as what its voter may see.

Every function here runs inside one transaction and decides by what that transaction sees.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from arena import costs
from arena.battles.runs import Script
from arena.errors import (
    BattleClosed,
    KeyLost,
    ModelsBusy,
    RegenerateLimitReached,
    TurnLimitReached,
    TurnNotReady,
    TurnRunning,
    Unavailable,
)
from arena.pairing import Candidate
from arena.store import battles as stored
from arena.store import budgets, endpoints, flags, secrets
from arena.store.tables import BattleRow, EndpointRow, TurnRow
from arena.targets import target_of
from arena.terms import REGENERATE_LIMIT, TURN_LIMIT, BattleState, EndpointState, Message, Part, Role, Side, TurnState
from arena.wire import BattleView, TurnView

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime, timedelta

    from sqlalchemy.orm import Session

    from arena.battles.feeds import Feed
    from arena.providers.base import Target
    from arena.store.keyring import Keyring
    from arena.targets import Keys

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


class CapReached(Exception):
    """Some of the endpoints may not be asked again on this day."""

    def __init__(self, endpoints: set[int]) -> None:
        super().__init__(endpoints)
        self.endpoints = endpoints


def pool(session: Session, keyring: Keyring, day: date) -> list[Candidate]:
    """Everybody who may be drawn; not those whose keys nobody can open or whose budget of the day is spent."""
    out = secrets.lost(session, keyring) | budgets.spent(session, day)
    return [Candidate(row.id, row.weight, row.group_name) for row in endpoints.active(session) if row.id not in out]


def sides(session: Session, voter_key: str, battle_id: str) -> dict[Side, int]:
    """Whom the next turn of an open battle would ask.

    Raises:
        TurnRunning, TurnNotReady, BattleClosed, BattleNotFound: There can be none.
    """
    return _sides(_check(stored.owned(session, battle_id, voter_key)))


def first(session: Session, battle: BattleRow, prompt: str, moment: Moment, keys: Keys) -> tuple[Script, BattleRow]:
    """Store a new battle with its first turn running.

    Raises:
        CapReached: Here and in the other two that store a turn; nothing is stored.
    """
    flags.check_open(session, Part.BATTLES)
    battle.turns = [_turn(1, prompt, moment)]
    session.add(battle)
    session.flush()
    return _script(session, battle, moment.day, keys), battle


def following(
    session: Session, voter_key: str, battle_id: str, prompt: str, moment: Moment, keys: Keys
) -> tuple[Script, BattleRow]:
    """Store the next turn of an open battle."""
    battle = _open(session, voter_key, battle_id)
    if len(battle.turns) >= TURN_LIMIT:
        raise TurnLimitReached
    battle.turns.append(_turn(len(battle.turns) + 1, prompt, moment))
    session.flush()
    return _script(session, battle, moment.day, keys), battle


def repeated(session: Session, voter_key: str, battle_id: str, moment: Moment, keys: Keys) -> tuple[Script, BattleRow]:
    """Set the last turn running once more."""
    battle = _open(session, voter_key, battle_id)
    turn = battle.turns[-1]
    if turn.generation >= REGENERATE_LIMIT:
        raise RegenerateLimitReached
    turn.generation += 1
    turn.state, turn.ended_at = TurnState.RUNNING, None
    turn.started_at, turn.deadline_at, turn.process = moment.now, moment.deadline, moment.process
    session.flush()
    return _script(session, battle, moment.day, keys), battle


def view(battle: BattleRow, live: Feed | None) -> BattleView:
    """All that the voter may see; the running turn's text comes from its feed."""
    return BattleView(
        id=battle.id,
        state=battle.state,
        outcome=battle.vote.outcome if battle.state is BattleState.VOTED and battle.vote else None,
        turns=[_turn_view(turn, live if turn is battle.turns[-1] else None) for turn in battle.turns],
    )


def _open(session: Session, voter_key: str, battle_id: str) -> BattleRow:
    return _check(stored.held(session, battle_id, voter_key))


def _check(battle: BattleRow) -> BattleRow:
    if battle.state is not BattleState.OPEN:
        raise BattleClosed
    if battle.turns[-1].state is TurnState.RUNNING:
        raise TurnRunning
    if battle.turns[-1].state is TurnState.FAILED:
        raise TurnNotReady
    return battle


def _turn(number: int, prompt: str, moment: Moment) -> TurnRow:
    return TurnRow(
        number=number,
        generation=0,
        prompt=prompt,
        state=TurnState.RUNNING,
        started_at=moment.now,
        deadline_at=moment.deadline,
        process=moment.process,
    )


def _sides(battle: BattleRow) -> dict[Side, int]:
    return dict(zip(Side, (battle.endpoint_a_id, battle.endpoint_b_id), strict=True))


def _script(session: Session, battle: BattleRow, day: date, keys: Keys) -> Script:
    numbers = _sides(battle)
    rows = endpoints.by_id(session, numbers.values())
    able = {side: rows[number] for side, number in numbers.items()}
    if any(row.state is EndpointState.IMPORTED for row in able.values()):
        raise Unavailable(retry_after=60)
    if any(row.state is EndpointState.SUSPENDED for row in able.values()):
        raise ModelsBusy
    turn = battle.turns[-1]
    targets = _targets(session, able, keys)
    messages = {side: _messages(battle, side) for side in Side}
    reserved = {side: costs.reserve(targets[side], messages[side]) for side in Side}
    if capped := budgets.take_each(session, rows, day, {numbers[side]: reserved[side] for side in Side}):
        raise CapReached(capped)
    return Script(
        battle_id=battle.id,
        turn_id=turn.id,
        number=turn.number,
        generation=turn.generation,
        endpoints=numbers,
        targets=targets,
        messages=messages,
        day=day,
        reserved={side: tokens for side, tokens in reserved.items() if budgets.capped(able[side])},
    )


def _targets(session: Session, rows: Mapping[Side, EndpointRow], keys: Keys) -> dict[Side, Target]:
    """Whom to ask; a voter is not told that a key is lost, because it is one side's."""
    try:
        return {side: target_of(session, row, keys) for side, row in rows.items()}
    except KeyLost as error:
        log.warning("one of the endpoints %s cannot be asked: %s", [row.id for row in rows.values()], error)
        raise ModelsBusy from None


def _messages(battle: BattleRow, side: Side) -> tuple[Message, ...]:
    """The conversation as one side knows it: all prompts, and its own answers to the earlier ones."""
    messages: list[Message] = []
    for turn in battle.turns[:-1]:
        messages.append(Message(Role.USER, turn.prompt))
        messages += [Message(Role.ASSISTANT, reply.text) for reply in stored.current(turn) if reply.side is side]
    return (*messages, Message(Role.USER, battle.turns[-1].prompt))


def _turn_view(turn: TurnRow, live: Feed | None) -> TurnView:
    answers = {reply.side: reply.text for reply in stored.current(turn)} if turn.state is TurnState.READY else {}
    if live is not None and (live.start.turn, live.start.generation) == (turn.number, turn.generation):
        answers = answers or dict(live.shown)
    return TurnView(
        number=turn.number, prompt=turn.prompt, state=turn.state, generation=turn.generation, answers=answers
    )

"""The end of a turn in the database: answers are stored or both sides fail, and what the turn held is settled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import budgets, neighbourhoods
from arena.adapters.store import conversations as stored
from arena.adapters.store.engine.database import refuses_value
from arena.calls import token_costs
from arena.calls.stream import ReceivedAnswer
from arena.domain.errors import DataRefused
from arena.domain.terms import BattleState
from arena.usecases.battles.reservations import Reservation
from arena.usecases.battles.turn_failures import LOST
from arena_providers.errors import BadReply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.conversations import AnyKind, Reply, RunningTurn
    from arena.domain.terms import Side
    from arena.usecases.battles.turns import TurnPlan


@dataclass(slots=True)
class Draft(ReceivedAnswer):
    """One side's answer before it is stored; `error` is the kind of the error that ended it."""

    error: str | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ends: with answers, or with a `failure` that gives its conversation a `state`."""

    failure: str | None = None
    state: BattleState = BattleState.VOID


def save(
    session: Session,
    plan: TurnPlan,
    drafts: Mapping[Side, Draft],
    ending: Ending,
    shown_at: datetime | None,
    now: datetime,
) -> bool:
    """End a running turn and store its answers; False if it has already ended otherwise."""
    if ending.failure is not None:
        if not _fail(session, plan.kind, plan.turn_id, ending, now):
            return False
    elif not stored.finish_turn(session, plan.kind, plan.turn_id, shown_at=shown_at, now=now):
        # The turn has ended before: by the sweeper, or by an earlier attempt whose commit went unnoticed.
        return stored.is_ready(session, plan.kind, plan.turn_id, plan.generation)
    stored.add_replies(session, [_reply(plan, side, draft) for side, draft in drafts.items()])
    _settle(session, plan.kind, plan.reservation, ending, _used(plan, drafts))
    return True


def save_failure(
    session: Session, plan: TurnPlan, drafts: Mapping[Side, Draft], ending: Ending, now: datetime
) -> Sequence[Side]:
    """Fail a turn whose end could not be stored; returns the sides whose answers the database refuses.

    These get an empty answer with an error, so that their endpoints are known to have failed.
    """
    if not _fail(session, plan.kind, plan.turn_id, ending, now):
        return ()
    refused = [side for side, draft in drafts.items() if not _try_reply(session, plan, side, draft)]
    for side in refused:
        _try_reply(session, plan, side, Draft(error=BadReply.kind))
    storable = {side: draft for side, draft in drafts.items() if side not in refused}
    _settle(session, plan.kind, plan.reservation, ending, _used(plan, storable))
    return refused


def lose(session: Session, kind: AnyKind, turn: RunningTurn, now: datetime) -> bool:
    """Fail a turn whose process has died; False if it has already ended."""
    ending = Ending(LOST)
    if not _fail(session, kind, turn.id, ending, now):
        return False
    if turn.reservation:
        _settle(session, kind, Reservation.of_row(turn.reservation), ending, {})
    return True


def _fail(session: Session, kind: AnyKind, turn_id: int, ending: Ending, now: datetime) -> bool:
    return stored.fail_turn(session, kind, turn_id, failure=ending.failure or "", state=ending.state, now=now)


def _settle(session: Session, kind: AnyKind, reservation: Reservation, ending: Ending, used: Mapping[int, int]) -> None:
    """Charge the tokens `used` by endpoint in place of the reserved ones, and give a void battle's place back."""
    differences = {number: used.get(number, 0) - tokens for number, tokens in reservation.tokens.items()}
    budgets.settle(session, reservation.day, differences, kind.share)
    if reservation.place and ending.failure is not None and ending.state is BattleState.VOID:
        neighbourhoods.give_back(session, reservation.place)


def _used(plan: TurnPlan, drafts: Mapping[Side, Draft]) -> dict[int, int]:
    return {
        plan.endpoints[side]: token_costs.used(plan.targets[side], plan.messages[side], draft.text, draft.usage)
        for side, draft in drafts.items()
    }


def _try_reply(session: Session, plan: TurnPlan, side: Side, draft: Draft) -> bool:
    """Store one answer; False if the database refuses it, which leaves the transaction as it was."""
    try:
        with session.begin_nested():
            stored.add_replies(session, [_reply(plan, side, draft)])
    except Exception as error:
        if is_refusal(error):
            return False
        raise
    return True


def is_refusal(error: Exception) -> bool:
    """Whether a write failed because of the values of an answer."""
    return isinstance(error, DataRefused | IntegrityError) or refuses_value(error)


def _reply(plan: TurnPlan, side: Side, draft: Draft) -> Reply:
    return plan.kind.reply(
        turn_id=plan.turn_id,
        endpoint_id=plan.endpoints[side],
        generation=plan.generation,
        side=side,
        text=draft.text,
        reasoning=draft.reasoning or None,
        finish=draft.finish,
        error=draft.error,
        first_token_ms=draft.first_token_ms,
        total_ms=draft.total_ms or draft.elapsed(),
        input_tokens=draft.usage.input_tokens if draft.usage else None,
        output_tokens=draft.usage.output_tokens if draft.usage else None,
    )

"""Queries about the results of one endpoint: counted votes, battles, and newest calls."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.adapters.store.tables import BattleRow, EndpointRow, ExclusionRow, ReplyRow, TurnRow, VoteRow
from arena.domain.terms import Outcome, TurnState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.adapters.store.conversations import AnyKind

_MIRRORED = {Outcome.A: Outcome.B, Outcome.B: Outcome.A}


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one call."""

    error: str | None
    first_token_ms: int | None
    total_ms: int


def outcomes(session: Session, endpoint_id: int) -> Counter[Outcome]:
    """The counted votes on an endpoint by outcome, as if it were always on side A."""
    found: Counter[Outcome] = Counter()
    # Listing all opponents lets the second query use the index of pairs too.
    everybody = VoteRow.endpoint_a_id.in_(select(EndpointRow.id))
    for where, mirrored in (
        ((VoteRow.endpoint_a_id == endpoint_id,), {}),
        ((VoteRow.endpoint_b_id == endpoint_id, everybody), _MIRRORED),
    ):
        query = (
            select(VoteRow.outcome, func.count())
            .where(*where, VoteRow.not_counted.is_(None))
            .where(VoteRow.number.not_in(select(ExclusionRow.vote_number)))
            .group_by(VoteRow.outcome)
        )
        for outcome, count in session.execute(query):
            found[mirrored.get(outcome, outcome)] += count
    return found


def votes(session: Session, endpoint_id: int) -> int:
    """How many counted votes an endpoint has."""
    return outcomes(session, endpoint_id).total()


def battles(session: Session, endpoint_id: int, until: datetime | None = None) -> int:
    """Number of battles an endpoint was drawn for, whatever their result; all, or those that had ended by `until`."""
    over = () if until is None else (BattleRow.ended_at <= until,)
    sides = (BattleRow.endpoint_a_id, BattleRow.endpoint_b_id)
    return sum(session.scalar(select(func.count()).where(side == endpoint_id, *over)) or 0 for side in sides)


def answers(session: Session, endpoint_id: int, limit: int, until: datetime | None = None) -> Sequence[Answer]:
    """Results of an endpoint's newest calls in battles; all, or those that had ended by `until`."""
    query = (
        select(ReplyRow.error, ReplyRow.first_token_ms, ReplyRow.total_ms)
        .where(ReplyRow.endpoint_id == endpoint_id)
        .order_by(ReplyRow.id.desc())
        .limit(limit)
    )
    if until is not None:
        query = query.join(TurnRow, TurnRow.id == ReplyRow.turn_id).join(BattleRow, BattleRow.id == TurnRow.battle_id)
        query = query.where(BattleRow.ended_at <= until)
    return [Answer(*row) for row in session.execute(query)]


def on_day(
    session: Session, endpoint_id: int, day: date, kind: AnyKind, until: datetime | None = None
) -> tuple[int, int]:
    """Calls of an endpoint in turns that began on one day (UTC) and have ended, and the tokens that it reported.

    All of them, or those of conversations that had ended by `until`.
    """
    midnight, turn, reply = datetime.combine(day, time(), UTC), kind.turn, kind.reply
    used = func.coalesce(reply.input_tokens, 0) + func.coalesce(reply.output_tokens, 0)
    # The deadline is later than the start, and is indexed together with the state.
    query = (
        select(func.count(), func.coalesce(func.sum(used), 0))
        .select_from(turn)
        .join(reply, reply.turn_id == turn.id)
        .where(turn.state.in_((TurnState.READY, TurnState.FAILED)), turn.deadline_at >= midnight)
        .where(turn.started_at >= midnight, reply.endpoint_id == endpoint_id)
    )
    if until is not None:
        query = query.join(kind.conversation, kind.conversation.id == kind.of).where(
            kind.conversation.ended_at <= until
        )
    calls, tokens = session.execute(query).one()
    return calls, tokens

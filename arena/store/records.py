"""Queries about how one endpoint has done: its counted votes, its battles, its newest answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from arena.store.tables import (
    BattleRow,
    ChatReplyRow,
    ChatTurnRow,
    EndpointRow,
    ExclusionRow,
    ReplyRow,
    TurnRow,
    VoteRow,
)
from arena.terms import Outcome, TurnState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy.orm import Session

_MIRRORED = {Outcome.A: Outcome.B, Outcome.B: Outcome.A}


@dataclass(frozen=True, slots=True)
class Answer:
    """How one call went."""

    error: str | None
    first_token_ms: int | None
    total_ms: int


def outcomes(session: Session, endpoint_id: int) -> Counter[Outcome]:
    """The counted votes on an endpoint by outcome, as if it always stood on side A."""
    found: Counter[Outcome] = Counter()
    # Naming all opponents lets the second question use the index of pairs too.
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


def battles(session: Session, endpoint_id: int) -> int:
    """How many battles an endpoint was drawn for, however they ended."""
    sides = (BattleRow.endpoint_a_id, BattleRow.endpoint_b_id)
    return sum(session.scalar(select(func.count()).where(side == endpoint_id)) or 0 for side in sides)


def answers(session: Session, endpoint_id: int, limit: int) -> Sequence[Answer]:
    """How the newest calls of an endpoint in battles went."""
    query = (
        select(ReplyRow.error, ReplyRow.first_token_ms, ReplyRow.total_ms)
        .where(ReplyRow.endpoint_id == endpoint_id)
        .order_by(ReplyRow.id.desc())
        .limit(limit)
    )
    return [Answer(*row) for row in session.execute(query)]


def today(session: Session, endpoint_id: int, day: date) -> tuple[int, int]:
    """Calls of an endpoint in turns that began on one day (UTC) and have ended, and the tokens that it reported."""
    midnight, calls, tokens = datetime.combine(day, time(), UTC), 0, 0
    for turn, reply in ((TurnRow, ReplyRow), (ChatTurnRow, ChatReplyRow)):
        used = func.coalesce(reply.input_tokens, 0) + func.coalesce(reply.output_tokens, 0)
        # Its deadline lies behind a turn's start and is in an index beside its state.
        query = (
            select(func.count(), func.coalesce(func.sum(used), 0))
            .select_from(turn)
            .join(reply, reply.turn_id == turn.id)
            .where(turn.state.in_((TurnState.READY, TurnState.FAILED)), turn.deadline_at >= midnight)
            .where(turn.started_at >= midnight, reply.endpoint_id == endpoint_id)
        )
        found = session.execute(query).one()
        calls, tokens = calls + found[0], tokens + found[1]
    return calls, tokens

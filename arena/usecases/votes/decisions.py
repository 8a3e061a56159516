"""Acts of people on decisions of the gate: the operator confirms and undoes them, and answers objections of owners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.store import decisions as stored
from arena.adapters.store import endpoints
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.integrity import DecisionRow, ObjectionRow
from arena.domain.errors import AlreadyAnswered, NoDecision, NoObjection, ObjectionOpen
from arena.domain.schemas.integrity import DecisionView, GatedRatingView, GateEffectView, ObjectionView, VotersView
from arena_trust.integrity.weights_in_force import FULL_QUARTERS

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

OPERATOR: Final = "operator"
CONFIRMED: Final = "confirmed"
UNDONE: Final = "undone"
SHOWN: Final = 100
"""Number of decisions in the operator's list."""
_VOTES_SHOWN: Final = 10


def latest(session: Session, reason: str | None = None) -> list[DecisionView]:
    """The newest decisions, newest first; only those with this `reason` if it is not None."""
    return [_view(row) for row in stored.newest(session, SHOWN, reason)]


def doubtful_voters(session: Session) -> VotersView:
    """The voters that the newest run of the gate suggests for inspection."""
    run = stored.newest_run(session)
    return VotersView.model_validate(run.boards.get("voters", {}) if run else {})


def confirm(session: Session, number: int, now: datetime) -> DecisionView:
    """Fix the weight of a decision, which later runs of the gate do not change.

    Raises:
        NoDecision: There is no such decision.
    """
    return _hold(session, number, CONFIRMED, None, now)


def undo(session: Session, number: int, now: datetime) -> DecisionView:
    """Give the votes of a decision their full weight, which later runs of the gate do not change.

    Raises:
        NoDecision: There is no such decision.
    """
    return _hold(session, number, UNDONE, FULL_QUARTERS, now)


def _hold(session: Session, number: int, reason: str, quarters: int | None, now: datetime) -> DecisionView:
    result = stored.by_number(session, number)
    if result is None:
        raise NoDecision
    row = DecisionRow(
        quarters=result.quarters if quarters is None else quarters,
        reason=reason,
        method=result.method,
        votes=result.votes,
        finding=result.finding,
        by=OPERATOR,
        created_at=now,
    )
    stored.add(session, [row])
    return _view(row)


def effect(session: Session, endpoint_id: int, owner_id: int) -> GateEffectView:
    """The effect of the gate on an owner's endpoint, and their objections.

    Raises:
        EndpointNotFound: Unknown, or another owner's.
    """
    endpoint = endpoints.owned(session, endpoint_id, owner_id)
    run = stored.newest_run(session)
    rows = [GatedRatingView(**row) for row in run.boards["rows"] if row["name"] == endpoint.name] if run else []
    row = rows[0] if rows else None
    objections = [_objection(objection, endpoint.name) for objection in stored.objections(session, endpoint_id)]
    return GateEffectView(row=row, notable=row is not None and _notable(row), objections=objections)


def _notable(row: GatedRatingView) -> bool:
    """Whether the rating without the gate is outside the interval of the rating with it."""
    if row.bt_without is None or row.bt_low is None or row.bt_high is None:
        return False
    return not row.bt_low <= row.bt_without <= row.bt_high


def object_to(session: Session, endpoint_id: int, owner_id: int, text: str, now: datetime) -> ObjectionView:
    """Object to the decisions that touch an endpoint.

    Raises:
        EndpointNotFound: Unknown, or another owner's.
        ObjectionOpen: An earlier objection has no answer yet.
    """
    endpoint = endpoints.owned(session, endpoint_id, owner_id)
    one_at_a_time(session, f"objection {endpoint_id}")
    if any(row.answer is None for row in stored.objections(session, endpoint_id)):
        raise ObjectionOpen
    row = ObjectionRow(endpoint_id=endpoint_id, text=text, created_at=now)
    session.add(row)
    session.flush()
    return _objection(row, endpoint.name)


def objections(session: Session) -> list[ObjectionView]:
    """All objections: first those without an answer, each part newest first."""
    rows = stored.objections(session)
    names = {number: row.name for number, row in endpoints.by_id(session, {row.endpoint_id for row in rows}).items()}
    views = [_objection(row, names[row.endpoint_id]) for row in rows]
    return sorted(views, key=lambda view: view.answer is not None)


def answer(session: Session, number: int, text: str, now: datetime) -> ObjectionView:
    """Answer an objection, once.

    Raises:
        NoObjection: There is no such objection.
        AlreadyAnswered: It has an answer.
    """
    one_at_a_time(session, f"answer {number}")
    row = stored.objection(session, number)
    if row is None:
        raise NoObjection
    if row.answer is not None:
        raise AlreadyAnswered
    row.answer, row.answered_at = text, now
    (endpoint,) = endpoints.by_id(session, [row.endpoint_id]).values()
    return _objection(row, endpoint.name)


def _view(row: DecisionRow) -> DecisionView:
    first_votes = row.votes[:_VOTES_SHOWN]
    weight = row.quarters / FULL_QUARTERS
    return DecisionView.from_row(row, weight=weight, votes=len(row.votes), first_votes=first_votes)


def _objection(row: ObjectionRow, endpoint: str) -> ObjectionView:
    return ObjectionView.from_row(row, endpoint=endpoint)

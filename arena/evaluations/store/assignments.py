"""Queries about assignments of items to annotators, in SQLAlchemy Core for speed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, exists, func, insert, select, update
from sqlalchemy.orm import Session, aliased

from arena.adapters.store.tables.questions import QuestionRow
from arena.evaluations.domain.terms import AssignmentState
from arena.evaluations.store.tables.annotations import (
    AnnotationRow,
    AnnotatorNetworkRow,
    AnnotatorRow,
    AssignmentRow,
    EvaluationItemRow,
    WithdrawalRow,
)
from arena.evaluations.store.tables.answers import EvaluationAnswerRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from arena.evaluations.store.annotators import Annotator


_ANNOTATOR: Final[BindParameter[Any]] = bindparam("annotator")
_OPEN: Final = aliased(AssignmentRow)
_FIRST_ANSWER: Final = aliased(EvaluationAnswerRow)
_SECOND_ANSWER: Final = aliased(EvaluationAnswerRow)


class OpenAssignment(NamedTuple):
    """An assignment that is shown to an annotator, or has expired."""

    id: int
    item_id: int
    attempt: int
    position: int
    state: AssignmentState
    shown_at: datetime


class Work(NamedTuple):
    """Progress of an annotator: last position, items done, items shown since a time, and open assignments."""

    last_position: int
    done: int
    recent: int
    network_known: bool
    open_assignments: list[OpenAssignment]


class ShownItem(NamedTuple):
    """An item for its annotator, with the answers in the order of the models."""

    position: int
    swapped: bool
    form: str
    body: dict[str, object]
    first: list[str]
    second: list[str] | None


class LockedAssignment(NamedTuple):
    """An assignment and its item, whose row is locked."""

    id: int
    state: AssignmentState
    attempt: int
    round: int
    swapped: bool
    item_id: int
    form: str
    taken: int
    disputed: bool


def _of_annotator(column: ColumnElement[Any], *conditions: ColumnElement[bool]) -> ColumnElement[Any]:
    return select(column).where(AssignmentRow.annotator_id == _ANNOTATOR, *conditions).scalar_subquery()


_COUNTS: Final = (
    _of_annotator(func.coalesce(func.max(AssignmentRow.position), 0)),
    _of_annotator(func.count(), AssignmentRow.state == AssignmentState.DONE),
    _of_annotator(func.count(), AssignmentRow.shown_at >= bindparam("since")),
    exists().where(AnnotatorNetworkRow.annotator_id == _ANNOTATOR, AnnotatorNetworkRow.digest == bindparam("network")),
)
_WORK: Final = (
    select(
        *(count.label(f"count_{place}") for place, count in enumerate(_COUNTS)),
        *(_OPEN.id, _OPEN.item_id, _OPEN.attempt, _OPEN.position, _OPEN.state, _OPEN.shown_at),
    )
    .select_from(AnnotatorRow)
    .outerjoin(
        _OPEN,
        and_(_OPEN.annotator_id == AnnotatorRow.id, _OPEN.state.in_((AssignmentState.SHOWN, AssignmentState.EXPIRED))),
    )
    .where(AnnotatorRow.id == _ANNOTATOR)
    .order_by(_OPEN.position)
)
_ADD: Final = insert(AssignmentRow)
_SHOW: Final = update(AssignmentRow).where(AssignmentRow.id.in_(bindparam("ids", expanding=True)))
_SHOWN_ITEMS: Final = (
    select(AssignmentRow.position, AssignmentRow.swapped, EvaluationItemRow.form, QuestionRow.body)
    .add_columns(_FIRST_ANSWER.texts, _SECOND_ANSWER.texts)
    .join_from(AssignmentRow, EvaluationItemRow, EvaluationItemRow.id == AssignmentRow.item_id)
    .join(QuestionRow, QuestionRow.id == EvaluationItemRow.question_id)
    .join(
        _FIRST_ANSWER,
        and_(_FIRST_ANSWER.question_id == QuestionRow.id, _FIRST_ANSWER.model_id == EvaluationItemRow.first_id),
    )
    .outerjoin(
        _SECOND_ANSWER,
        and_(_SECOND_ANSWER.question_id == QuestionRow.id, _SECOND_ANSWER.model_id == EvaluationItemRow.second_id),
    )
    .where(AssignmentRow.annotator_id == _ANNOTATOR, AssignmentRow.state == AssignmentState.SHOWN)
    .order_by(AssignmentRow.position)
)
_LOCK: Final = (
    select(AssignmentRow.id, AssignmentRow.state, AssignmentRow.attempt, AssignmentRow.round, AssignmentRow.swapped)
    .add_columns(EvaluationItemRow.id, EvaluationItemRow.form, EvaluationItemRow.taken, EvaluationItemRow.disputed)
    .join_from(AssignmentRow, EvaluationItemRow, EvaluationItemRow.id == AssignmentRow.item_id)
    .where(AssignmentRow.annotator_id == _ANNOTATOR, AssignmentRow.position == bindparam("position"))
    .with_for_update(of=EvaluationItemRow)
)
_ANNOTATE: Final = insert(AnnotationRow)
_FINISH: Final = (
    update(AssignmentRow).where(AssignmentRow.id == bindparam("assignment")).values(state=AssignmentState.DONE)
)
_VALUE: Final = select(AnnotationRow.value).where(
    AnnotationRow.annotator_id == _ANNOTATOR,
    AnnotationRow.item_id == bindparam("item"),
    AnnotationRow.attempt == bindparam("attempt"),
    AnnotationRow.round == bindparam("round"),
)
_VALUES: Final = (
    select(AnnotationRow.value)
    .outerjoin(WithdrawalRow, WithdrawalRow.annotation_number == AnnotationRow.number)
    .where(AnnotationRow.item_id == bindparam("item"), AnnotationRow.attempt == 0)
    .where(WithdrawalRow.annotation_number.is_(None))
)
_DISPUTE: Final = (
    update(EvaluationItemRow)
    .where(EvaluationItemRow.id == bindparam("item"), EvaluationItemRow.disputed.is_(False))
    .where(EvaluationItemRow.needed > 0)
    .values(disputed=True, needed=EvaluationItemRow.needed + 1)
)
_REOPEN: Final = (
    update(AssignmentRow)
    .where(AssignmentRow.id == bindparam("assignment"))
    .values(state=AssignmentState.SHOWN, round=AssignmentRow.round + 1)
)
_TAKE_PLACES: Final = (
    update(EvaluationItemRow)
    .where(EvaluationItemRow.id == bindparam("item"))
    .values(taken=EvaluationItemRow.taken + bindparam("people"))
)
_SETTLE: Final = (
    update(EvaluationItemRow)
    .where(EvaluationItemRow.id == bindparam("item"), EvaluationItemRow.disputed.is_(True))
    .values(disputed=False, needed=bindparam("per_item"))
)


def work(session: Session, annotator: Annotator, network: str, since: datetime) -> Work:
    """Progress of an annotator, whether the network is known, and the assignments that are shown or expired."""
    values = {"annotator": annotator.id, "network": network, "since": since}
    rows = session.connection().execute(_WORK, values).all()
    last_position, done, recent, network_known = rows[0][: len(_COUNTS)]
    open_assignments = [OpenAssignment._make(row[len(_COUNTS) :]) for row in rows if row.id is not None]
    return Work(last_position, done, recent, network_known, open_assignments)


def add(session: Session, annotator: Annotator, item_id: int, now: datetime, **fields: object) -> None:
    """Give an item to an annotator."""
    row = {
        "annotator_id": annotator.id,
        "item_id": item_id,
        "state": AssignmentState.SHOWN,
        "round": 0,
        "shown_at": now,
        **fields,
    }
    session.connection().execute(_ADD, row)


def show(session: Session, assignments: Sequence[OpenAssignment], now: datetime) -> None:
    """Set assignments to shown, from now on."""
    if assignments:
        session.connection().execute(
            _SHOW.values(state=AssignmentState.SHOWN, shown_at=now),
            {"ids": [assignment.id for assignment in assignments]},
        )


def shown_items(session: Session, annotator: Annotator) -> list[ShownItem]:
    """The items that an annotator has to judge, in order."""
    rows = session.connection().execute(_SHOWN_ITEMS, {"annotator": annotator.id})
    return [ShownItem._make(row) for row in rows]


def lock_assignment(session: Session, annotator: Annotator, position: int) -> LockedAssignment | None:
    """An annotator's assignment at a position, if there is one."""
    row = session.connection().execute(_LOCK, {"annotator": annotator.id, "position": position}).first()
    return LockedAssignment._make(row) if row else None


def judge(session: Session, assignment: LockedAssignment, row: Mapping[str, object]) -> None:
    """Append an annotation and end its assignment."""
    session.connection().execute(_ANNOTATE, row)
    session.connection().execute(_FINISH, {"assignment": assignment.id})


def value(session: Session, annotator: Annotator, assignment: LockedAssignment) -> str | None:
    """The value of the annotation that ended an assignment; None for one that has not ended."""
    place = {"item": assignment.item_id, "attempt": assignment.attempt, "round": assignment.round}
    return session.connection().execute(_VALUE, {"annotator": annotator.id, **place}).scalar_one_or_none()


def reopen(session: Session, assignment: LockedAssignment) -> None:
    """Show an item again whose annotation was withdrawn."""
    session.connection().execute(_REOPEN, {"assignment": assignment.id})


def item_values(session: Session, item_id: int) -> list[str]:
    """The values of an item, without those of repeats and withdrawn ones."""
    return list(session.connection().execute(_VALUES, {"item": item_id}).scalars())


def dispute(session: Session, item_id: int) -> None:
    """Assign an item to the reviewers, who add one annotation, unless it is theirs already or nobody is asked it."""
    session.connection().execute(_DISPUTE, {"item": item_id})


def settle(session: Session, item_id: int, per_item: int) -> None:
    """Take an item back from the reviewers, if it is theirs."""
    session.connection().execute(_SETTLE, {"item": item_id, "per_item": per_item})


def in_states(session: Session, annotator_id: int, *states: AssignmentState) -> Sequence[AssignmentRow]:
    """An annotator's assignments in these states, by position."""
    query = select(AssignmentRow).where(AssignmentRow.annotator_id == annotator_id, AssignmentRow.state.in_(states))
    return session.scalars(query.order_by(AssignmentRow.position)).all()


def take_places(session: Session, people: Mapping[int, int]) -> None:
    """Take so many places of each of these items, although none may be free."""
    if people:
        rows = [{"item": item, "people": number} for item, number in people.items()]
        session.connection().execute(_TAKE_PLACES, rows)


def free_place(session: Session, item_id: int) -> None:
    """Free one place of an item for another annotator."""
    statement = update(EvaluationItemRow).where(EvaluationItemRow.id == item_id)
    session.execute(statement.values(taken=EvaluationItemRow.taken - 1))


def expire(session: Session, evaluation_id: int, limit: datetime) -> int:
    """Expire assignments that are shown since before `limit`; returns their number."""
    annotators_of_evaluation = select(AnnotatorRow.id).where(AnnotatorRow.evaluation_id == evaluation_id)
    conditions = (
        AssignmentRow.state == AssignmentState.SHOWN,
        AssignmentRow.shown_at < limit,
        AssignmentRow.annotator_id.in_(annotators_of_evaluation),
    )
    rows = session.scalars(select(AssignmentRow).where(*conditions).with_for_update(skip_locked=True)).all()
    for row in rows:
        row.state = AssignmentState.EXPIRED
        if not row.attempt:
            free_place(session, row.item_id)
    return len(rows)


def newest_annotation(session: Session, annotator_id: int) -> AnnotationRow | None:
    """An annotator's last annotation that is not withdrawn."""
    query = select(AnnotationRow).outerjoin(WithdrawalRow).where(WithdrawalRow.annotation_number.is_(None))
    rows = query.where(AnnotationRow.annotator_id == annotator_id)
    return session.scalars(rows.order_by(AnnotationRow.number.desc()).limit(1)).first()

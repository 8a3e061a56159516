"""Queries about assignments: who has which item. A conditional update decides who gets the last place at one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import func, select, update

from arena.adapters.store.tables import (
    AnnotationRow,
    AnnotatorNetworkRow,
    AnnotatorRow,
    AssignmentRow,
    EvaluationAnswerRow,
    EvaluationItemRow,
    WithdrawalRow,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, CursorResult
    from sqlalchemy.orm import Session


def annotator(session: Session, link: str) -> AnnotatorRow | None:
    """The annotator with this link's digest, locked until the end of the transaction."""
    return session.scalar(select(AnnotatorRow).where(AnnotatorRow.link == link).with_for_update())


def annotators(session: Session, evaluation_id: int) -> Sequence[AnnotatorRow]:
    """All annotators of an evaluation, in the order in which they joined."""
    query = select(AnnotatorRow).where(AnnotatorRow.evaluation_id == evaluation_id)
    return session.scalars(query.order_by(AnnotatorRow.id)).all()


def note_network(session: Session, annotator_id: int, digest: str) -> None:
    """Remember that an annotator worked from a network."""
    if session.get(AnnotatorNetworkRow, (annotator_id, digest)) is None:
        session.add(AnnotatorNetworkRow(annotator_id=annotator_id, digest=digest))


def networks(session: Session, evaluation_id: int) -> dict[int, int]:
    """The number of networks that each annotator worked from, counted anew each day."""
    query = select(AnnotatorNetworkRow.annotator_id, func.count()).join(AnnotatorRow)
    rows = session.execute(
        query.where(AnnotatorRow.evaluation_id == evaluation_id).group_by(AnnotatorNetworkRow.annotator_id)
    )
    return {number: count for number, count in rows}  # noqa: C416 - a row is no pair to the types


def of(session: Session, annotator_id: int, *states: str) -> Sequence[AssignmentRow]:
    """An annotator's assignments in these states, in order."""
    query = select(AssignmentRow).where(AssignmentRow.annotator_id == annotator_id, AssignmentRow.state.in_(states))
    return session.scalars(query.order_by(AssignmentRow.position)).all()


def done(session: Session, annotator_id: int) -> int:
    """How many items an annotator has judged."""
    mine = AssignmentRow.annotator_id == annotator_id, AssignmentRow.state == "done"
    return session.scalar(select(func.count()).select_from(AssignmentRow).where(*mine)) or 0


def since(session: Session, annotator_id: int, start: datetime) -> int:
    """How many items an annotator has been shown since then."""
    mine = AssignmentRow.annotator_id == annotator_id, AssignmentRow.shown_at >= start
    return session.scalar(select(func.count()).select_from(AssignmentRow).where(*mine)) or 0


def at(session: Session, annotator_id: int, position: int) -> AssignmentRow | None:
    """An annotator's assignment with this number."""
    mine = AssignmentRow.annotator_id == annotator_id, AssignmentRow.position == position
    return session.scalar(select(AssignmentRow).where(*mine))


def last(session: Session, annotator_id: int) -> int:
    """The number of an annotator's last assignment, 0 without one."""
    query = select(func.max(AssignmentRow.position)).where(AssignmentRow.annotator_id == annotator_id)
    return session.scalar(query) or 0


def unseen(session: Session, who: AnnotatorRow, *, overlap: bool) -> EvaluationItemRow | None:
    """The next item for an annotator who has not had it: one for everybody, or the open one that most have judged."""
    query = select(EvaluationItemRow).where(*_unseen(who), _wanted(who, overlap=overlap))
    return session.scalars(query.order_by(EvaluationItemRow.taken.desc(), EvaluationItemRow.number).limit(1)).first()


def left(session: Session, who: AnnotatorRow) -> int:
    """How many items an annotator could still get."""
    wanted = _wanted(who, overlap=True) | _wanted(who, overlap=False)
    return session.scalar(select(func.count()).select_from(EvaluationItemRow).where(*_unseen(who), wanted)) or 0


def take(session: Session, item: EvaluationItemRow) -> bool:
    """Take one of the places at an item; False if others were faster. Items for everybody have a place for each."""
    free = EvaluationItemRow.overlap | (EvaluationItemRow.taken < EvaluationItemRow.needed)
    statement = update(EvaluationItemRow).where(EvaluationItemRow.id == item.id, free)
    return _changed(session, statement.values(taken=EvaluationItemRow.taken + 1)) == 1


def give_back(session: Session, item_id: int) -> None:
    """Give one place at an item back."""
    statement = update(EvaluationItemRow).where(EvaluationItemRow.id == item_id)
    session.execute(statement.values(taken=EvaluationItemRow.taken - 1))


def add(session: Session, who: AnnotatorRow, item_id: int, now: datetime, **fields: Any) -> AssignmentRow:  # noqa: ANN401 - columns
    """Give an item to an annotator."""
    row = AssignmentRow(annotator_id=who.id, item_id=item_id, state="shown", round=0, shown_at=now, **fields)
    session.add(row)
    session.flush()
    return row


def expire(session: Session, evaluation_id: int, before: datetime) -> int:
    """Give back what was shown before this time and never judged; returns how many."""
    mine = select(AnnotatorRow.id).where(AnnotatorRow.evaluation_id == evaluation_id)
    stale = AssignmentRow.state == "shown", AssignmentRow.shown_at < before, AssignmentRow.annotator_id.in_(mine)
    rows = session.scalars(select(AssignmentRow).where(*stale).with_for_update(skip_locked=True)).all()
    for row in rows:
        row.state = "expired"
        if not row.attempt:
            give_back(session, row.item_id)
    return len(rows)


def texts(session: Session, item: EvaluationItemRow) -> list[list[str]]:
    """The answers of an item, of the first model and of the second if there is one."""
    models = [each for each in (item.first_id, item.second_id) if each is not None]
    query = select(EvaluationAnswerRow.model_id, EvaluationAnswerRow.texts).where(
        EvaluationAnswerRow.question_id == item.question_id, EvaluationAnswerRow.model_id.in_(models)
    )
    found = {row.model_id: row.texts for row in session.execute(query)}
    return [found[model] for model in models]


def said(session: Session, item_id: int) -> list[str]:
    """The standing values of an item, without repeats."""
    query = select(AnnotationRow.value).outerjoin(WithdrawalRow)
    standing = AnnotationRow.item_id == item_id, AnnotationRow.attempt == 0
    return list(session.scalars(query.where(*standing, WithdrawalRow.annotation_number.is_(None))))


def newest(session: Session, annotator_id: int) -> AnnotationRow | None:
    """An annotator's last annotation that stands."""
    query = select(AnnotationRow).outerjoin(WithdrawalRow).where(WithdrawalRow.annotation_number.is_(None))
    mine = query.where(AnnotationRow.annotator_id == annotator_id)
    return session.scalars(mine.order_by(AnnotationRow.number.desc()).limit(1)).first()


def _unseen(who: AnnotatorRow) -> tuple[ColumnElement[bool], ...]:
    had = select(AssignmentRow.id).where(
        AssignmentRow.annotator_id == who.id, AssignmentRow.item_id == EvaluationItemRow.id
    )
    open_to = EvaluationItemRow.evaluation_id == who.evaluation_id, EvaluationItemRow.needed > 0, ~had.exists()
    return open_to if who.voter_key is None else (*open_to, ~_had_nearby(who))


def _had_nearby(who: AnnotatorRow) -> ColumnElement[bool]:
    """Whether one of the public who shares a network with this one has the item: that may be the same person."""
    own = select(AnnotatorNetworkRow.digest).where(AnnotatorNetworkRow.annotator_id == who.id)
    near = (
        select(AnnotatorRow.id)
        .join(AnnotatorNetworkRow)
        .where(AnnotatorRow.evaluation_id == who.evaluation_id, AnnotatorRow.voter_key.is_not(None))
        .where(AnnotatorNetworkRow.digest.in_(own))
    )
    had = select(AssignmentRow.id).where(
        AssignmentRow.item_id == EvaluationItemRow.id,
        AssignmentRow.state != "expired",
        AssignmentRow.annotator_id.in_(near),
    )
    return had.exists()


def _wanted(who: AnnotatorRow, *, overlap: bool) -> ColumnElement[bool]:
    if overlap:
        return EvaluationItemRow.overlap.is_(True)
    free = ~EvaluationItemRow.overlap & (EvaluationItemRow.taken < EvaluationItemRow.needed)
    return free & (EvaluationItemRow.disputed == who.reviewer)


def _changed(session: Session, statement: Any) -> int:  # noqa: ANN401 - an update
    return cast("CursorResult[Any]", session.execute(statement)).rowcount

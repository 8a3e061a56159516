"""Items that an annotator may get next. A conditional update decides who gets the last place at one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CursorResult,
    Select,
    and_,
    bindparam,
    exists,
    false,
    func,
    select,
    true,
    update,
)

from arena.adapters.store.tables.questions import QuestionRow
from arena.evaluations.domain.terms import AssignmentState
from arena.evaluations.store.tables.annotations import (
    AnnotatorNetworkRow,
    AnnotatorRow,
    AssignmentRow,
    EvaluationItemRow,
)

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.evaluations.store.annotators import Annotator


LEFT: Final = 1_000
"""Most items that are counted as left."""
_ME: Final[BindParameter[Any]] = bindparam("annotator")
_FREE: Final = EvaluationItemRow.taken < EvaluationItemRow.needed
_OVERLAP: Final = EvaluationItemRow.overlap == true()
_OTHERS: Final = and_(
    EvaluationItemRow.overlap == false(),
    EvaluationItemRow.disputed == bindparam("reviewer"),
    EvaluationItemRow.taken < bindparam("most"),
    _FREE,
)
"""Items that are not for everybody; `limit` says nothing new, but an index knows it."""
_KINDS: Final = [(public, limited) for public in (False, True) for limited in (False, True)]
"""Whether an annotator is one of the public, and whether they have areas of their own."""


def _had_nearby() -> ColumnElement[bool]:
    """Whether one of the public who shares a network with this one has the item: that may be the same person."""
    networks = select(AnnotatorNetworkRow.digest).where(AnnotatorNetworkRow.annotator_id == _ME)
    neighbours = (
        select(AnnotatorRow.id)
        .join(AnnotatorNetworkRow)
        .where(AnnotatorRow.evaluation_id == bindparam("evaluation"), AnnotatorRow.voter_key.is_not(None))
        .where(AnnotatorNetworkRow.digest.in_(networks))
    )
    return exists().where(
        AssignmentRow.item_id == EvaluationItemRow.id,
        AssignmentRow.state != AssignmentState.EXPIRED,
        AssignmentRow.annotator_id.in_(neighbours),
    )


def _in_areas() -> ColumnElement[bool]:
    """Whether the item's question is of one of the annotator's areas."""
    condition = QuestionRow.area.in_(bindparam("areas", expanding=True))
    return exists().where(QuestionRow.id == EvaluationItemRow.question_id, condition)


def _unseen(condition: ColumnElement[bool], *, public: bool, limited: bool) -> Select[int]:
    """The items that an annotator has not had, those that most have judged first."""
    had = exists().where(AssignmentRow.annotator_id == _ME, AssignmentRow.item_id == EvaluationItemRow.id)
    query = select(EvaluationItemRow.id).where(
        EvaluationItemRow.evaluation_id == bindparam("evaluation"), EvaluationItemRow.needed > 0, condition, ~had
    )
    rows = query.where(~_had_nearby()) if public else query
    allowed_rows = rows.where(_in_areas()) if limited else rows
    return allowed_rows.order_by(EvaluationItemRow.taken.desc(), EvaluationItemRow.number.desc())


def _count(condition: ColumnElement[bool], *, public: bool, limited: bool) -> ColumnElement[int]:
    rows = _unseen(condition, public=public, limited=limited).order_by(None).limit(LEFT).subquery()
    return select(func.count()).select_from(rows).scalar_subquery()


_UNSEEN: Final = {
    (overlap, public, limited): _unseen(_OVERLAP if overlap else _OTHERS, public=public, limited=limited).limit(1)
    for overlap in (False, True)
    for public, limited in _KINDS
}
_LEFT: Final = {
    (public, limited): select(
        _count(_OVERLAP, public=public, limited=limited) + _count(_OTHERS, public=public, limited=limited)
    )
    for public, limited in _KINDS
}
_TAKE: Final = (
    update(EvaluationItemRow)
    .where(EvaluationItemRow.id == bindparam("item"), EvaluationItemRow.overlap | _FREE)
    .values(taken=EvaluationItemRow.taken + 1)
)


def unseen(session: Session, annotator: Annotator, *, overlap: bool) -> int | None:
    """The next item for an annotator who has not had it: one for everybody, or the open one that most have judged."""
    query = _UNSEEN[overlap, annotator.voter_key is not None, bool(annotator.areas)]
    return session.connection().execute(query, _bounds(annotator)).scalar()


def count_left(session: Session, annotator: Annotator) -> int:
    """How many items an annotator could still get, counted up to `LEFT`."""
    query = _LEFT[annotator.voter_key is not None, bool(annotator.areas)]
    return min(LEFT, session.connection().execute(query, _bounds(annotator)).scalar_one())


def take(session: Session, item_id: int) -> bool:
    """Take one of the places at an item; False if others were faster. Items for everybody have a place for each."""
    return cast("CursorResult[Any]", session.connection().execute(_TAKE, {"item": item_id})).rowcount == 1


def _bounds(annotator: Annotator) -> dict[str, object]:
    limit = annotator.per_item + annotator.reviewer
    areas: dict[str, object] = {"areas": annotator.areas} if annotator.areas else {}
    return areas | {
        "annotator": annotator.id,
        "evaluation": annotator.evaluation_id,
        "reviewer": annotator.reviewer,
        "most": limit,
    }

"""Items that an annotator may get next. A conditional update decides between annotators for the last place."""

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
"""Limit up to which remaining items are counted."""
_ANNOTATOR: Final[BindParameter[Any]] = bindparam("annotator")
_HAS_PLACE: Final = EvaluationItemRow.taken < EvaluationItemRow.needed
_OVERLAP: Final = EvaluationItemRow.overlap == true()
_OTHERS: Final = and_(
    EvaluationItemRow.overlap == false(),
    EvaluationItemRow.disputed == bindparam("reviewer"),
    EvaluationItemRow.taken < bindparam("most"),
    _HAS_PLACE,
)
"""Items that are not for everybody; the redundant `taken < :most` lets the database use an index."""
_KINDS: Final = [(public, limited) for public in (False, True) for limited in (False, True)]
"""Whether an annotator is one of the public, and whether they have areas."""


def _network_has_item() -> ColumnElement[bool]:
    """Whether another public annotator from the same network, perhaps the same person, has the item."""
    networks = select(AnnotatorNetworkRow.digest).where(AnnotatorNetworkRow.annotator_id == _ANNOTATOR)
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


def _is_in_areas() -> ColumnElement[bool]:
    """Whether the item's question is of one of the annotator's areas."""
    condition = QuestionRow.area.in_(bindparam("areas", expanding=True))
    return exists().where(QuestionRow.id == EvaluationItemRow.question_id, condition)


def _unseen_items(condition: ColumnElement[bool], *, public: bool, limited: bool) -> Select[int]:
    """The items that an annotator has not had, those with the most annotators first."""
    has_item = exists().where(AssignmentRow.annotator_id == _ANNOTATOR, AssignmentRow.item_id == EvaluationItemRow.id)
    query = select(EvaluationItemRow.id).where(
        EvaluationItemRow.evaluation_id == bindparam("evaluation"), EvaluationItemRow.needed > 0, condition, ~has_item
    )
    rows = query.where(~_network_has_item()) if public else query
    allowed_rows = rows.where(_is_in_areas()) if limited else rows
    return allowed_rows.order_by(EvaluationItemRow.taken.desc(), EvaluationItemRow.number.desc())


def _count(condition: ColumnElement[bool], *, public: bool, limited: bool) -> ColumnElement[int]:
    rows = _unseen_items(condition, public=public, limited=limited).order_by(None).limit(LEFT).subquery()
    return select(func.count()).select_from(rows).scalar_subquery()


_NEXT: Final = {
    (overlap, public, limited): _unseen_items(_OVERLAP if overlap else _OTHERS, public=public, limited=limited).limit(1)
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
    .where(EvaluationItemRow.id == bindparam("item"))
    .where(EvaluationItemRow.overlap | (_HAS_PLACE & (EvaluationItemRow.disputed == bindparam("reviewer"))))
    .values(taken=EvaluationItemRow.taken + 1)
)


def next_item(session: Session, annotator: Annotator, *, overlap: bool) -> int | None:
    """The next item that an annotator has not had, if any: one for everybody, or the one with the most annotators."""
    query = _NEXT[overlap, annotator.voter_key is not None, bool(annotator.areas)]
    return session.connection().execute(query, _parameters(annotator)).scalar()


def count_left(session: Session, annotator: Annotator) -> int:
    """The number of items that an annotator can still get, counted up to `LEFT`."""
    query = _LEFT[annotator.voter_key is not None, bool(annotator.areas)]
    return min(LEFT, session.connection().execute(query, _parameters(annotator)).scalar_one())


def take(session: Session, annotator: Annotator, item_id: int) -> bool:
    """Take a place of an item; False if none is free for them. Items for everybody have unlimited places."""
    parameters = {"item": item_id, "reviewer": annotator.reviewer}
    return cast("CursorResult[Any]", session.connection().execute(_TAKE, parameters)).rowcount == 1


def _parameters(annotator: Annotator) -> dict[str, object]:
    parameters: dict[str, object] = {"areas": annotator.areas} if annotator.areas else {}
    return parameters | {
        "annotator": annotator.id,
        "evaluation": annotator.evaluation_id,
        "reviewer": annotator.reviewer,
        "most": annotator.per_item + annotator.reviewer,
    }

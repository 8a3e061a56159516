"""Annotating: the next items for the holder of a link, what they say of one, and taking that back.

Every step locks the annotator's row, so a link in ten browsers works like one: whoever comes second meets a conflict.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Final

from arena.adapters.store import annotations, assignments, questions
from arena.adapters.store import evaluations as stored
from arena.domain.errors import AlreadyAnnotated, AnnotatorNotFound, EvaluationNotOpen, UndoTooLate
from arena.domain.evaluations import (
    disputed,
    form_of,
    overlap_is_due,
    protocol,
    repeat_is_due,
    repeat_of,
    turned,
    written,
)
from arena.domain.schemas import Question
from arena.domain.schemas.evaluations import AnnotatingView, ItemView
from arena.usecases.evaluations.annotators import digest

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables import AnnotatorRow, AssignmentRow, EvaluationItemRow, EvaluationRow
    from arena.domain.schemas.evaluations import AnnotationRequest

HELD: Final = 2
"""Items that an annotator has at once: the one in view, and the next, which the page loads ahead."""
UNDO: Final = 3.0
"""Seconds in which an answer can be taken back."""
_SLACK: Final = timedelta(seconds=UNDO + 2)
"""Undo may be on its way for a while."""
PUBLIC_DAILY: Final = 300
"""Items that one of the public gets in a day: more than three hours of work, and no evaluation is one person's."""
STALE: Final = timedelta(hours=1)
"""Time after which an item that was not judged goes to others, once they have nothing else to do."""


async def items(database: Database, link: str, network: str, now: datetime) -> AnnotatingView:
    """Return the items that an annotator has, after giving them more if there are any.

    Raises:
        AnnotatorNotFound: Nobody has this link, or no longer.
        EvaluationNotOpen: There is nothing to do yet, or any more.
    """
    return await database.write(_items, link, network, now)


async def annotate(database: Database, link: str, number: int, request: AnnotationRequest, now: datetime) -> None:
    """Keep what an annotator says of an item.

    Raises:
        AnnotatorNotFound: Nobody has this link, or no longer.
        EvaluationNotOpen: It is closed.
        AlreadyAnnotated: It has its answer, or is somebody else's.
        Invalid: The protocol does not know what was said.
    """
    await database.write(_annotate, link, number, request, now)


async def undo(database: Database, link: str, number: int, now: datetime) -> None:
    """Withdraw an annotator's last annotation, and give them the item again.

    Raises:
        AnnotatorNotFound: Nobody has this link, or no longer.
        UndoTooLate: It is older than three seconds, or not the last.
    """
    await database.write(_undo, link, number, now)


def _known(session: Session, link: str) -> tuple[AnnotatorRow, EvaluationRow]:
    who = assignments.annotator(session, digest(link))
    if who is None or who.revoked_at is not None:
        raise AnnotatorNotFound
    row = stored.by_id(session, who.evaluation_id)
    if row.state != "open":
        raise EvaluationNotOpen
    return who, row


def _items(session: Session, link: str, network: str, now: datetime) -> AnnotatingView:
    who, row = _known(session, link)
    assignments.note_network(session, who.id, network)
    held = _revived(session, who, now)
    while len(held) < HELD and _may_have_more(session, who, now) and (new := _next(session, who, row, now)):
        held.append(new)
    return AnnotatingView(
        evaluation=row.name,
        protocol=protocol(row.protocol),
        reviewer=who.reviewer,
        done=assignments.done(session, who.id),
        left=len(held) + assignments.left(session, who),
        undo_seconds=UNDO,
        items=[_view(session, row, each) for each in held],
    )


def _may_have_more(session: Session, who: AnnotatorRow, now: datetime) -> bool:
    """Whether one of the public is below the cap of a day; whoever is invited has none."""
    return who.voter_key is None or assignments.since(session, who.id, now - timedelta(days=1)) < PUBLIC_DAILY


def _revived(session: Session, who: AnnotatorRow, now: datetime) -> list[AssignmentRow]:
    """The items in an annotator's hands, and those that went stale there and nobody else took."""
    for each in assignments.of(session, who.id, "expired"):
        if each.attempt or assignments.take(session, stored.item(session, each.item_id)):
            each.state = "shown"
    held = list(assignments.of(session, who.id, "shown"))
    for each in held:
        each.shown_at = now
    return held


def _next(session: Session, who: AnnotatorRow, row: EvaluationRow, now: datetime) -> AssignmentRow | None:
    position = assignments.last(session, who.id) + 1
    rng = Random(f"{row.seed} {who.id} {position}")
    if again := _repeat(session, who, row, position, rng, now):
        return again
    first = overlap_is_due(position) and not who.reviewer
    item = _taken(session, who, overlap=first) or _taken(session, who, overlap=not first)
    if item is None and assignments.expire(session, row.id, now - STALE):
        item = _taken(session, who, overlap=False)
    if item is None:
        return None
    swapped = rng.random() < 0.5  # noqa: PLR2004 - either side
    return assignments.add(session, who, item.id, now, attempt=0, position=position, swapped=swapped)


def _repeat(
    session: Session, who: AnnotatorRow, row: EvaluationRow, position: int, rng: Random, now: datetime
) -> AssignmentRow | None:
    """A hidden repeat of what the annotator has judged, with the sides swapped."""
    if not repeat_is_due(position, row.repeats, rng):
        return None
    rows = assignments.of(session, who.id, "done", "shown")
    again = {each.item_id for each in rows if each.attempt}
    done = {each.position: each for each in rows if each.state == "done" and each.item_id not in again}
    chosen = repeat_of(sorted(done), position, rng)
    if chosen is None:
        return None
    old = done[chosen]
    return assignments.add(session, who, old.item_id, now, attempt=1, position=position, swapped=not old.swapped)


def _taken(session: Session, who: AnnotatorRow, *, overlap: bool) -> EvaluationItemRow | None:
    while item := assignments.unseen(session, who, overlap=overlap):
        if assignments.take(session, item):
            return item
        session.expire(item)
    return None


def _view(session: Session, row: EvaluationRow, assignment: AssignmentRow) -> ItemView:
    item = stored.item(session, assignment.item_id)
    asked = _question(session, item)
    texts = assignments.texts(session, item)
    return ItemView(
        number=assignment.position,
        form=form_of(protocol(row.protocol), asked).name,
        prompts=asked.turns,
        reference=asked.reference or asked.hint or asked.key,
        answers=texts[::-1] if assignment.swapped else texts,
    )


def _question(session: Session, item: EvaluationItemRow) -> Question:
    return Question.model_validate(questions.by_row(session, item.question_id).body)


def _annotate(session: Session, link: str, number: int, request: AnnotationRequest, now: datetime) -> None:
    who, row = _known(session, link)
    assignment = assignments.at(session, who.id, number)
    if assignment is None or assignment.state != "shown":
        raise AlreadyAnnotated
    item, judging = stored.item(session, assignment.item_id), protocol(row.protocol)
    value = written(judging, form_of(judging, _question(session, item)), request.said)
    annotations.add(
        session,
        [
            {
                "evaluation_id": row.id,
                "item_id": item.id,
                "annotator_id": who.id,
                "attempt": assignment.attempt,
                "round": assignment.round,
                "swapped": assignment.swapped,
                "value": turned(value) if assignment.swapped else value,
                "milliseconds": request.milliseconds,
                "created_at": now,
            }
        ],
    )
    assignment.state = "done"
    if disputed(assignments.said(session, item.id), row.per_item) and not item.disputed:
        item.disputed, item.needed = True, item.needed + 1


def _undo(session: Session, link: str, number: int, now: datetime) -> None:
    who, row = _known(session, link)
    assignment, newest = assignments.at(session, who.id, number), assignments.newest(session, who.id)
    if assignment is None or newest is None or newest.created_at < now - _SLACK:
        raise UndoTooLate
    if (newest.item_id, newest.attempt) != (assignment.item_id, assignment.attempt) or assignment.state != "done":
        raise UndoTooLate
    annotations.withdraw(session, newest.number, annotations.UNDONE, now)
    assignment.state, assignment.round = "shown", assignment.round + 1
    item = stored.item(session, assignment.item_id)
    if item.disputed and not who.reviewer:
        item.disputed, item.needed = False, row.per_item

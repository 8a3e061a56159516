"""Annotations by a link: the next items for its holder, annotation of one, and undo.

Every step locks the annotator's row, so a link in ten browsers works like one; the second browser gets a conflict.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final

from sqlalchemy.orm import Session

from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import AlreadyAnnotated, ArenaError
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.errors import AnnotatorNotFound, EvaluationClosed, EvaluationNotOpen, UndoTooLate
from arena.evaluations.domain.people.designs import draw_repeat, is_disputed, overlap_is_due, repeat_is_due
from arena.evaluations.domain.people.protocols import form_named, protocol, stored_value, swap_sides
from arena.evaluations.domain.schemas.evaluations import AnnotatingView, AnnotationRequest, ItemView
from arena.evaluations.domain.terms import AssignmentState, EvaluationState
from arena.evaluations.store import annotations, annotators, assignments, evaluations, free_items
from arena.evaluations.store.annotators import Annotator
from arena.evaluations.store.assignments import LockedAssignment, OpenAssignment, ShownItem, Work
from arena.evaluations.usecases.people.annotators import closed_to_annotators, digest

ITEMS_AT_ONCE: Final = 2
"""Items assigned to an annotator at once: the current one, and the next, which the page preloads."""
UNDO: Final = 3.0
"""Seconds within which an annotation can be undone."""
_SLACK: Final = timedelta(seconds=UNDO + 2)
"""`UNDO` plus time for the request."""
PUBLIC_DAILY: Final = 300
"""Items per day for a public annotator, more than three hours of work, so that nobody dominates an evaluation."""
STALE: Final = timedelta(hours=1)
"""Age at which an assignment may expire, once another annotator has no other items."""

FRESH: Final = timedelta(minutes=5)
"""Age up to which the time of a shown assignment is not updated."""


@write_transaction
def items(session: Session, link: str, network: str, now: datetime) -> AnnotatingView:
    """Return the items of an annotator, after assigning more if there are any.

    Raises:
        AnnotatorNotFound: Nobody has this link, or no longer.
        EvaluationNotOpen, EvaluationClosed: There is nothing to do yet, or any more.
    """
    annotator = _holder(session, link)
    work = assignments.work(session, annotator, network, now - timedelta(days=1))
    if not work.network_known:
        annotators.add_network(session, annotator, network)
    number = _renew(session, annotator, work.open_assignments, now)
    for position in range(work.last_position + 1, work.last_position + 1 + _items_due(annotator, work, number)):
        if not _assign_item(session, annotator, position, now):
            break
    rows = assignments.shown_items(session, annotator)
    return AnnotatingView(
        evaluation=annotator.name,
        protocol=protocol(annotator.protocol),
        reviewer=annotator.reviewer,
        done=work.done,
        left=len(rows) + free_items.count_left(session, annotator),
        undo_seconds=UNDO,
        items=[_view(row, hints=annotator.hints) for row in rows],
    )


@write_transaction
def annotate(session: Session, link: str, number: int, request: AnnotationRequest, now: datetime) -> None:
    """Store an annotation of an item.

    Raises:
        AnnotatorNotFound: Nobody has this link, or no longer.
        EvaluationNotOpen, EvaluationClosed: There is nothing to do yet, or any more.
        AlreadyAnnotated: The item is annotated, or not assigned to them.
        Invalid: The annotation does not fit the protocol.
    """
    annotator = _annotator(session, link)
    refusal = _state_refusal(session, annotator)
    assignment = assignments.lock_assignment(session, annotator, number)
    if assignment is None or assignment.state is AssignmentState.EXPIRED:
        raise refusal or AlreadyAnnotated(rule="given")
    if assignment.state is AssignmentState.DONE:
        is_same = _value(annotator, assignment, request) == assignments.value(session, annotator, assignment)
        raise _sent_again(refusal, is_same=is_same)
    if refusal:
        raise refusal
    row = {
        "evaluation_id": annotator.evaluation_id,
        "item_id": assignment.item_id,
        "annotator_id": annotator.id,
        "attempt": assignment.attempt,
        "round": assignment.round,
        "swapped": assignment.swapped,
        "value": _value(annotator, assignment, request),
        "milliseconds": request.milliseconds,
        "created_at": now,
    }
    assignments.judge(session, assignment, row)
    complete = assignment.taken >= annotator.per_item and not assignment.disputed
    if complete and is_disputed(assignments.item_values(session, assignment.item_id), annotator.per_item):
        assignments.dispute(session, assignment.item_id)


@write_transaction
def undo(session: Session, link: str, number: int, now: datetime) -> None:
    """Withdraw an annotator's last annotation, and show the item again.

    Raises:
        AnnotatorNotFound: Nobody has this link, or no longer.
        UndoTooLate: It is older than three seconds, or not the last.
    """
    annotator = _holder(session, link)
    assignment = assignments.lock_assignment(session, annotator, number)
    newest = assignments.newest_annotation(session, annotator.id)
    if assignment is None or newest is None or newest.created_at < now - _SLACK:
        raise UndoTooLate
    is_newest = (newest.item_id, newest.attempt) == (assignment.item_id, assignment.attempt)
    if not is_newest or assignment.state is not AssignmentState.DONE:
        raise UndoTooLate
    annotations.withdraw(session, newest.number, annotations.UNDONE, now)
    assignments.reopen(session, assignment)
    if assignment.disputed and not assignment.attempt and not annotator.reviewer:
        assignments.settle(session, assignment.item_id, annotator.per_item)


def _holder(session: Session, link: str) -> Annotator:
    annotator = _annotator(session, link)
    if refusal := _state_refusal(session, annotator):
        raise refusal
    return annotator


def _annotator(session: Session, link: str) -> Annotator:
    annotator = annotators.holder(session, digest(link))
    if annotator is None or annotator.revoked_at is not None:
        raise AnnotatorNotFound
    return annotator


def _state_refusal(session: Session, annotator: Annotator) -> EvaluationNotOpen | EvaluationClosed | None:
    """The error of an evaluation that is not open; an open one stays so until the end of this transaction."""
    state = evaluations.hold_state(session, annotator.evaluation_id)
    if state is EvaluationState.CLOSED:
        return closed_to_annotators(session, annotator.evaluation_id, annotator.name)
    return None if state is EvaluationState.OPEN else EvaluationNotOpen()


def _value(annotator: Annotator, assignment: LockedAssignment, request: AnnotationRequest) -> str:
    rules = protocol(annotator.protocol)
    value = stored_value(rules, form_named(rules, assignment.form), request.said)
    return swap_sides(value) if assignment.swapped else value


def _sent_again(refusal: ArenaError | None, *, is_same: bool) -> ArenaError:
    """The error for a judgement of an item that has one: the answer to it may have been lost."""
    if refusal is None:
        return AlreadyAnnotated(rule="same" if is_same else "other")
    if is_same:
        refusal.params["kept"] = True
    return refusal


def _items_due(annotator: Annotator, work: Work, number: int) -> int:
    """The number of further items to assign, for public annotators up to their daily cap."""
    free_places = ITEMS_AT_ONCE - number
    return free_places if annotator.voter_key is None else min(free_places, PUBLIC_DAILY - work.recent)


def _renew(session: Session, annotator: Annotator, open_assignments: Sequence[OpenAssignment], now: datetime) -> int:
    """Show expired assignments again whose place is still free; returns the number of the annotator's items."""
    live_assignments = [
        assignment
        for assignment in open_assignments
        if assignment.state is AssignmentState.SHOWN
        or assignment.attempt
        or free_items.take(session, annotator, assignment.item_id)
    ]
    assignments.show(
        session,
        [
            assignment
            for assignment in live_assignments
            if assignment.state is not AssignmentState.SHOWN or assignment.shown_at < now - FRESH
        ],
        now,
    )
    return len(live_assignments)


def _assign_item(session: Session, annotator: Annotator, position: int, now: datetime) -> bool:
    """Assign one more item; False if there is none."""
    rng = Random(f"{annotator.seed} {annotator.id} {position}")
    if _assign_repeat(session, annotator, position, rng, now):
        return True
    item = _draw_item(session, annotator, position, now)
    if item is None:
        return False
    is_swapped = rng.random() < 0.5
    assignments.add(session, annotator, item, now, attempt=0, position=position, swapped=is_swapped)
    return True


def _draw_item(session: Session, annotator: Annotator, position: int, now: datetime) -> int | None:
    overlap = overlap_is_due(position) and not annotator.reviewer
    item = _take_item(session, annotator, overlap=overlap) or _take_item(session, annotator, overlap=not overlap)
    if item is None and assignments.expire(session, annotator.evaluation_id, now - STALE):
        item = _take_item(session, annotator, overlap=False)
    return item


def _assign_repeat(session: Session, annotator: Annotator, position: int, rng: Random, now: datetime) -> bool:
    """Assign a hidden repeat of an annotated item, with the sides swapped; False if none is due."""
    if not repeat_is_due(position, annotator.repeats, rng):
        return False
    rows = assignments.in_states(session, annotator.id, AssignmentState.DONE, AssignmentState.SHOWN)
    newest = {row.item_id: row for row in sorted(rows, key=lambda row: row.attempt)}.values()
    judged_rows = {
        row.position: row
        for row in newest
        if row.state is AssignmentState.DONE and row.attempt < annotator.attempts - 1
    }
    # Items with a repeat come first, so that few items get all their attempts instead of many getting two.
    repeat = draw_repeat(sorted(place for place, row in judged_rows.items() if row.attempt), position, rng)
    repeat_place = repeat or draw_repeat(sorted(judged_rows), position, rng)
    if repeat_place is None:
        return False
    row = judged_rows[repeat_place]
    facts = {"attempt": row.attempt + 1, "position": position, "swapped": not row.swapped}
    assignments.add(session, annotator, row.item_id, now, **facts)
    return True


def _take_item(session: Session, annotator: Annotator, *, overlap: bool) -> int | None:
    if overlap and not annotator.overlap:
        return None
    while item := free_items.next_item(session, annotator, overlap=overlap):
        if free_items.take(session, annotator, item):
            return item
    return None


def _view(row: ShownItem, *, hints: bool) -> ItemView:
    question = QuestionView.model_validate(row.body)
    texts = [entry for entry in (row.first, row.second) if entry is not None]
    return ItemView(
        number=row.position,
        form=row.form,
        prompts=question.turns,
        reference=question.reference or question.hint or question.key if hints else None,
        answers=texts[::-1] if row.swapped else texts,
    )

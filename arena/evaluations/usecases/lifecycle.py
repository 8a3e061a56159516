"""Opening of an evaluation, which fixes its answers and makes the items, and closing, which fixes the annotations."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Final

from arena.adapters.store import log_leaves, questions
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.domain.errors import Conflict, Invalid
from arena.evaluations.domain.errors import EvaluationIncomplete
from arena.evaluations.domain.people.designs import describe_waiting, is_disputed
from arena.evaluations.domain.people.protocols import check_reference, form_of, is_judged, protocol, right_answer
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import annotations
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.annotations import AnnotationRow
from arena.evaluations.usecases.definition import evaluation_row, locked_evaluation, questions_of
from arena.evaluations.usecases.planned_items import Key, answered_keys
from arena.evaluations.usecases.reports.export import lines
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.evaluations.domain.schemas.evaluation_reports import EvaluationReportView
    from arena.evaluations.store.tables.annotations import EvaluationItemRow
    from arena.evaluations.store.tables.evaluations import EvaluationRow

_NAMED: Final = 3
"""Most models to list in a message about missing answers."""


def open_draft(session: Session, name: str, *, partial: bool = False) -> int:
    """Open an evaluation to annotators, and return the number of items; with `partial` answers may be missing.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is open or closed already.
        Invalid: Answers or references are missing, or there is nothing to judge.
    """
    row = locked_evaluation(session, name)
    if row.state is not EvaluationState.DRAFT:
        raise Conflict(rule="no_draft", name=name, state=row.state)
    if not is_judged(row.protocol):
        raise Invalid(rule="judged_alone", name=name)
    answers = stored.good_answers(session, row.id)
    keys = list(answered_keys(session, row, answers))
    if not partial:
        _check_complete(session, row, answers)
    if not keys:
        raise Invalid(rule="nothing_to_judge", name=name)
    for question in questions_of(session, row.set_id).values():
        check_reference(protocol(row.protocol), question)
    _add_items(session, row, keys)
    row.state = EvaluationState.OPEN
    return len(keys)


open_evaluation = write_transaction(open_draft)


@write_transaction
def close_evaluation(
    session: Session,
    name: str,
    now: datetime,
    *,
    incomplete: bool = True,
) -> str:
    """Close an evaluation, add its digest to the transparency log, and return the digest.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is closed already.
        EvaluationIncomplete: Answers or annotations are missing, and `incomplete` is false.
    """
    row = locked_evaluation(session, name)
    if row.state is EvaluationState.CLOSED:
        raise Conflict(f"{name} is closed already{_offer_report(session, row)}.", rule="closed", name=name)
    if not incomplete and (gaps := _describe_gap(session, row)):
        raise EvaluationIncomplete(gaps)
    row.state, row.closed_at = EvaluationState.CLOSED, now
    content = sha256()
    for line in lines(session, row):
        content.update(line)
    row.digest = digest = content.hexdigest()
    log_leaves.add(
        session,
        LeafKind.EVALUATION,
        name=row.name,
        protocol=row.protocol,
        annotations=annotations.count(session, row.id),
        digest=digest,
    )
    return digest


def _offer_report(session: Session, row: EvaluationRow) -> str:
    return "" if stored.has_report(session, row.id) else "; closing it with `publish` publishes its report"


@read_transaction
def is_unpublished(session: Session, name: str) -> bool:
    """Whether an evaluation is closed without a published report, as after a close that was interrupted.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    row = evaluation_row(session, name)
    return row.state is EvaluationState.CLOSED and not stored.has_report(session, row.id)


async def publish_report(
    database: Database, name: str, compute: Callable[[Database, str], Awaitable[EvaluationReportView]]
) -> None:
    """Compute the report of a closed evaluation and publish it; it covers what the digest does, as nothing is added.

    Raises:
        EvaluationNotFound: There is none of this name.
        Conflict: It is not closed.
    """
    await database.read(_check_closed, name)
    report = await compute(database, name)
    await database.write(_put_report, name, report.model_dump(mode="json"))


def _check_closed(session: Session, name: str) -> None:
    if evaluation_row(session, name).state is not EvaluationState.CLOSED:
        raise Conflict(rule="not_closed", name=name)


def _put_report(session: Session, name: str, content: dict[str, object]) -> None:
    stored.put_report(session, locked_evaluation(session, name).id, content)


@read_transaction
def describe_gap(session: Session, name: str) -> str:
    """A sentence with the numbers of answers and annotations that are missing, or an empty text.

    Of a closed one nothing is missing any more.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    row = evaluation_row(session, name)
    return "" if row.state is EvaluationState.CLOSED else _describe_gap(session, row)


def _describe_gap(session: Session, row: EvaluationRow) -> str:
    answers = sum(fault is None for fault in stored.faults_by_answer(session, row.id).values())
    answers_needed = len(stored.models(session, row.id)) * questions.by_id(session, row.set_id).questions
    size = stored.size(session, row.id)
    annotations_needed = size.needed if is_judged(row.protocol) and row.state is not EvaluationState.DRAFT else 0
    counts = (answers, answers_needed, "answers"), (size.done, annotations_needed, "annotations")
    parts = [f"{count} of {total} {noun}" for count, total, noun in counts if count < total]
    reviews = f" {describe_waiting(size.waiting, row.name)}" if size.waiting else ""
    return f"{row.name} has {' and '.join(parts)}.{reviews}" if parts else ""


def _check_complete(session: Session, row: EvaluationRow, answers: set[tuple[int, int]]) -> None:
    questions = questions_of(session, row.set_id)
    gaps = {
        model.name: sum((model.id, number) not in answers for number in questions)
        for model in stored.models(session, row.id)
    }
    parts = [f"{name} {count}" for name, count in gaps.items() if count]
    if parts:
        summary = ", ".join(parts[:_NAMED]) + (" and others" if len(parts) > _NAMED else "")
        raise Invalid(
            f"Answers are missing: {summary}; run, import or retry them, or open it without them:"
            f" `arena evaluations open {row.name} --partial`.",
            rule="answers_missing",
            names=parts[:_NAMED],
        )


def _add_items(session: Session, row: EvaluationRow, keys: list[Key]) -> None:
    """Store the items in random order; imported ones stay, with their annotations, and may be for a reviewer.

    Items with a right answer come first in the overlap, by which people are compared (TencentLLMEval, 2.4.1).
    """
    questions, rules = questions_of(session, row.set_id), protocol(row.protocol)
    items: dict[Key, EvaluationItemRow] = {
        (entry.question_id, entry.first_id, entry.second_id): entry for entry in stored.items(session, row.id)
    }
    last_number = stored.last_item(session, row.id)
    by_item = annotations.first_values(session, AnnotationRow.evaluation_id == row.id)
    Random(row.seed).shuffle(keys)
    overlap_keys = set(sorted(keys, key=lambda key: right_answer(questions[key[0]]) is None)[: row.overlap])
    new: list[dict[str, object]] = []
    for number, key in enumerate(keys, last_number + 1):
        overlap = key in overlap_keys
        if key in items:
            item, values = items[key], by_item.get(items[key].id, [])
            item.overlap, item.taken, item.disputed = overlap, len(values), is_disputed(values, row.per_item)
            item.needed = row.per_item + item.disputed
            continue
        names = {"question_id": key[0], "first_id": key[1], "second_id": key[2]}
        facts = {"evaluation_id": row.id, "number": number, "overlap": overlap, "needed": row.per_item}
        new.append({**names, **facts, "form": form_of(rules, questions[key[0]]).name})
    stored.add_items(session, new)

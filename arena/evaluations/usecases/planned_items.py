"""Items of an evaluation's design, with or without their answers."""

from __future__ import annotations

from collections.abc import Container, Iterator

from sqlalchemy.orm import Session

from arena.evaluations.domain.people.designs import drawn_pairs, pairs
from arena.evaluations.domain.people.protocols import is_judged, protocol
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.evaluations import EvaluationRow

Key = tuple[int, int, int | None]
"""Ids of an item's question, first and second model."""


def planned_keys(session: Session, row: EvaluationRow) -> Iterator[Key]:
    """Every item of the design."""
    models = [model.id for model in stored.models(session, row.id)]
    for place, number in enumerate(stored.question_ids(session, row.set_id).values()):
        if protocol(row.protocol).pairwise:
            for first, second in pairs_of(row, len(models), place):
                yield number, models[first], models[second]
        else:
            yield from ((number, model, None) for model in models)


def answered_keys(session: Session, row: EvaluationRow, answers: Container[tuple[int, int]]) -> Iterator[Key]:
    """Every item of the design whose answers, of a model to a question, are among these."""
    for question, first, second in planned_keys(session, row):
        if all((model, question) in answers for model in (first, second) if model is not None):
            yield question, first, second


def is_openable(session: Session, row: EvaluationRow) -> bool:
    """Whether people judge an evaluation, and have an item to judge."""
    if not is_judged(row.protocol):
        return False
    return any(answered_keys(session, row, stored.good_answers(session, row.id)))


def planned_annotations(session: Session, row: EvaluationRow) -> tuple[int, int]:
    """Annotations that a draft will need once it is open, if it has all answers, and those that are there by files."""
    if not is_judged(row.protocol):
        return 0, 0
    judged = {(item.question_id, item.first_id, item.second_id): item.taken for item in stored.items(session, row.id)}
    done = [min(judged.get(key, 0), row.per_item) for key in planned_keys(session, row)]
    return len(done) * row.per_item, sum(done)


def pairs_of(row: EvaluationRow, models: int, question: int) -> list[tuple[int, int]]:
    """The pairs of models (i < j) to compare on the question with this number."""
    if row.draw is None:
        return pairs(row.design, models, question)
    return drawn_pairs(row.draw["chances"], models, question, row.seed)

"""The file of an evaluation: facts, answers and annotations as JSON lines, which import as the same evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from sqlalchemy.orm import Session

from arena.adapters.store import questions
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.schemas.questions import QuestionView
from arena.domain.terms import Side
from arena.evaluations.domain.people.protocols import SKIP, form_of, protocol, scores
from arena.evaluations.store import annotations
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.annotations import AnnotatorRow, EvaluationItemRow
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.definition import MARGIN, evaluation_row, questions_of

FORMAT: Final = "arena-evaluation/1"
"""Value of `format` in the first line."""


@read_transaction
def export(session: Session, name: str) -> list[bytes]:
    """Return the lines of an evaluation's file.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    return list(lines(session, evaluation_row(session, name)))


def lines(session: Session, row: EvaluationRow) -> Iterator[bytes]:
    """The lines of an evaluation's file, with withdrawn annotations and the reasons."""
    questions = questions_of(session, row.set_id)
    models = {model.id: model.name for model in stored.models(session, row.id)}
    yield _line(_facts(session, row, list(models.values())))
    for answer in stored.stream_answers(session, row.id):
        facts = {"settings": answer.settings, "tokens": answer.tokens, "milliseconds": answer.milliseconds}
        content = {"fault": answer.fault} if answer.fault else {"answers": answer.texts}
        names = {"question": questions[answer.question_id].id, "model": models[answer.model_id]}
        yield _line({"kind": "answer", **names, **content, **facts})
    items = {item.id: item for item in stored.items(session, row.id)}
    for annotation, reason, annotator in annotations.all_rows(session, row.id):
        item = items[annotation.item_id]
        content = _answer_fields(row.protocol, questions[item.question_id], annotation.value)
        facts = {
            "annotator": annotator.label,
            **_annotator_fields(annotator),
            "attempt": annotation.attempt,
            "swapped": annotation.swapped,
        }
        facts |= {"milliseconds": annotation.milliseconds} | ({"withdrawn": reason} if reason else {})
        yield _line({"kind": "annotation", **_item_fields(item, questions, models), **content, **facts})


def _facts(session: Session, row: EvaluationRow, models: list[str]) -> dict[str, object]:
    questions_row = questions.by_id(session, row.set_id)
    configurations = {
        model.name: model.configuration for model in stored.models(session, row.id) if model.configuration
    }
    return {
        "format": FORMAT,
        "name": row.name,
        "questions": {"name": questions_row.name, "version": questions_row.version, "digest": questions_row.digest},
        "protocol": row.protocol,
        "design": row.design,
        "per_item": row.per_item,
        "models": models,
        **({"configurations": configurations} if configurations else {}),
        **{name: limit for name in ("least_consistency", "least_right") if (limit := getattr(row, name)) is not None},
        **({"margin": row.margin} if row.margin != MARGIN else {}),
        **({"draw": row.draw | {"seed": row.seed}} if row.draw is not None else {}),
    }


def _item_fields(item: EvaluationItemRow, questions: dict[int, QuestionView], models: dict[int, str]) -> dict[str, str]:
    question = questions[item.question_id].id
    if item.second_id is None:
        return {"question": question, "model": models[item.first_id]}
    sides = dict(zip(Side, (models[item.first_id], models[item.second_id]), strict=True))
    return {"question": question, **sides}


def _annotator_fields(annotator: AnnotatorRow) -> dict[str, str | bool]:
    return ({"team": annotator.team} if annotator.team else {}) | ({} if annotator.hints else {"hints": False})


def _answer_fields(name: str, question: QuestionView, value: str) -> dict[str, str | int]:
    rules = protocol(name)
    if rules.pairwise or value == SKIP:
        return {"outcome": value}
    criteria = form_of(rules, question).criteria
    return {criterion.id: score for criterion, score in zip(criteria, scores(value), strict=True)}


def _line(content: dict[str, object]) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

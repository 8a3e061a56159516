"""Evaluations of a given size, inserted in bulk: judged by people or judges, open to annotators, or only answered."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import combinations, islice, product
from random import Random
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import insert

from arena.domain.schemas.questions import QuestionView, SetFactsView
from arena.domain.terms import EndpointState, Outcome
from arena.evaluations.domain.judges.rubric import rubric
from arena.evaluations.domain.questions import lines
from arena.evaluations.store import annotation_columns, annotations, annotators
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.annotations import EvaluationItemRow
from arena.evaluations.store.tables.answers import EvaluationAnswerRow
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.store.tables.judgements import JudgementRow
from arena.evaluations.usecases import definition, lifecycle
from arena.evaluations.usecases.definition import NewEvaluation
from arena.evaluations.usecases.people import annotators as annotator_acts
from arena.evaluations.usecases.sets import importer
from benchmarks.load.store import ANSWER, PROMPT, add_endpoints

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

NAME: Final = "bench"
AREAS: Final = ("Coding", "Mathematics", "Writing", "Knowledge", "Reasoning")
MODELS: Final = tuple(f"model-{number}" for number in range(20))
PEOPLE: Final = 200
PER_ITEM: Final = 3
JUDGES: Final = ("judge-1", "judge-2")
RUBRIC: Final = "grades"
PIECE: Final = 50_000
_FACTS: Final = SetFactsView(name=NAME, licence="CC0-1.0", source="benchmark", language="en")
_START: Final = datetime(2026, 1, 1, tzinfo=UTC)


async def add_judged(database: Database, number: int) -> None:
    """Add an evaluation of 20 models with `number` annotations of 200 people, three per item."""
    pairs = len(MODELS) * (len(MODELS) - 1) // 2
    await _add(database, -(-number // (PER_ITEM * pairs)))
    await database.write(_judge, number)


async def add_judgements(database: Database, number: int) -> None:
    """Add an evaluation of 20 models with about `number` judgements of two judges, and three annotations per item."""
    pairs = len(MODELS) * (len(MODELS) - 1) // 2
    questions = -(-number // (len(JUDGES) * 2 * pairs))
    await _add(database, questions)
    await database.write(_answer_at_lengths)
    await database.write(_judge, questions * pairs * PER_ITEM)
    await database.write(_refer, number)


async def add_open(database: Database, items: int, people: int) -> list[str]:
    """Add an open evaluation of about `items` items; returns links for `people`."""
    models = MODELS[:4]
    await _add(database, -(-items // 6), models)
    await database.write(_answer)
    await lifecycle.open_evaluation(database, NAME)
    return [link for _, link in await annotator_acts.invite(database, NAME, people, _START)]


async def add_answered(database: Database, answers: int, models: int) -> None:
    """Add an evaluation of `models` models with about `answers` answers, without the last one of each model."""
    names = tuple(f"model-{number}" for number in range(models))
    await _add(database, -(-answers // models), names)
    await database.write(_answer_but_last)


async def _add(database: Database, questions: int, models: tuple[str, ...] = MODELS) -> None:
    await importer.import_set(database, _FACTS, _questions(questions), _START)
    await definition.create(database, NewEvaluation(NAME, NAME, "pairwise", others=models), _START)


def _answer(session: Session) -> None:
    _put_answers(session)


def _answer_but_last(session: Session) -> None:
    _put_answers(session, but=1)


def _put_answers(session: Session, but: int = 0) -> None:
    """Insert the answers of all models to all questions except the last `but`."""
    row = _evaluation(session)
    facts: dict[str, Any] = {"texts": [ANSWER], "fault": None, "settings": {}, "tokens": None, "milliseconds": None}
    models = [model.id for model in stored.models(session, row.id)]
    questions = list(stored.question_ids(session, row.set_id).values())
    places = product(models, questions[: len(questions) - but])
    while piece := list(islice(places, PIECE)):
        rows = [
            {"model_id": model, "question_id": question, "created_at": _START, **facts} for model, question in piece
        ]
        session.execute(insert(EvaluationAnswerRow), rows)


def _answer_at_lengths(session: Session) -> None:
    """Insert all answers, with different lengths."""
    _put_answers(session)
    rng = Random(2)
    for row in stored.stream_answers(session, _evaluation(session).id):
        row.texts = [ANSWER * rng.randrange(1, 8)]


def _refer(session: Session, number: int) -> None:
    """Insert judgements of all pairs by each judge in both orders, up to `number`."""
    row = _evaluation(session)
    judges = add_endpoints(session, JUDGES, _START, EndpointState.ACTIVE, dialect="demo", url="demo:")
    columns = annotation_columns.item_columns(session, row.id)
    pairs = zip(*(columns[name].tolist() for name in ("question", "first", "second")), strict=True)
    rows = islice(_verdicts(row.id, pairs, judges), number)
    while piece := list(islice(rows, PIECE)):
        session.execute(insert(JudgementRow), piece)


def _verdicts(
    evaluation_id: int, pairs: Iterable[tuple[int, int, int]], judges: list[int]
) -> Iterator[dict[str, object]]:
    rng = Random(3)
    for (question, first, second), judge, is_swapped in product(pairs, judges, (False, True)):
        yield {
            "evaluation_id": evaluation_id,
            "question_id": question,
            "turn": 1,
            "first_id": first,
            "second_id": second,
            "judge_id": judge,
            "rubric": RUBRIC,
            "rubric_version": rubric(RUBRIC).version,
            "language": "en",
            "swapped": is_swapped,
            "text": ANSWER,
            "outcome": rng.choices((*(outcome.value for outcome in Outcome), None), (40, 30, 18, 10, 2))[0],
            "strong": rng.random() < 0.3,  # a share
            "tokens": rng.randrange(200, 2_000),
            "cost": rng.random() / 100,
            "milliseconds": 2_000,
            "created_at": _START,
        }


def _evaluation(session: Session) -> EvaluationRow:
    row = stored.by_name(session, NAME)
    assert row is not None  # noqa: S101 - it was just created
    return row


def _judge(session: Session, number: int) -> None:
    row = _evaluation(session)
    items = _items(session, row.id, row.set_id)
    people = [annotators.add_annotator(session, row.id, str(entry), _START).id for entry in range(PEOPLE)]
    rows = islice(_annotation_rows(row.id, items, people), number)
    while piece := list(islice(rows, PIECE)):
        annotations.add(session, piece)


def _items(session: Session, evaluation_id: int, set_id: int) -> list[int]:
    models = [model.id for model in stored.models(session, evaluation_id)]
    questions = stored.question_ids(session, set_id).values()
    facts = {"form": "pair", "overlap": False, "needed": PER_ITEM, "taken": PER_ITEM, "disputed": False}
    rows = [
        {"evaluation_id": evaluation_id, "question_id": question, "first_id": first, "second_id": second, **facts}
        for question, (first, second) in product(questions, combinations(models, 2))
    ]
    session.execute(insert(EvaluationItemRow), [{**row, "number": place} for place, row in enumerate(rows, 1)])
    return annotation_columns.item_columns(session, evaluation_id)["item"].tolist()


def _annotation_rows(evaluation_id: int, items: list[int], people: list[int]) -> Iterator[dict[str, object]]:
    rng = Random(1)
    for item in items:
        for person in rng.sample(people, PER_ITEM):
            yield {
                "evaluation_id": evaluation_id,
                "item_id": item,
                "annotator_id": person,
                "attempt": 0,
                "round": 0,
                "swapped": rng.random() < 0.5,  # either side
                "value": rng.choices(list(Outcome), (4, 3, 2, 1))[0].value,
                "milliseconds": rng.randrange(3_000, 60_000),
                "created_at": _START,
            }


def question_file(number: int) -> bytes:
    """A file of `number` questions."""
    return b"".join(lines(_FACTS, _questions(number)))


def _questions(number: int) -> list[QuestionView]:
    return [QuestionView(id=str(entry), turns=[PROMPT], area=AREAS[entry % len(AREAS)]) for entry in range(number)]

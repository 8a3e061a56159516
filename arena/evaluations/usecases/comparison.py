"""A comparison: an evaluation by people made from files of questions or finished answers, up to the invitations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import questions as question_store
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import Conflict
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import MARGIN, NewEvaluation, add_draft
from arena.evaluations.usecases.generation import AT_ONCE, ModelRun, generate
from arena.evaluations.usecases.lifecycle import open_draft
from arena.evaluations.usecases.people.annotators import add_invited
from arena.evaluations.usecases.sets.importer import store_set

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.evaluations.store.tables.evaluations import EvaluationRow
    from arena.evaluations.usecases.answer_files.material import Material, MaterialAnswer


SCORER_LIMIT: Final = 80
"""Most characters of the name of a scorer."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Settings of a comparison: its material, the models to ask, the annotations per item, and the people to invite."""

    name: str
    material: Material
    models: Sequence[str] = ()
    per_item: int = 3
    people: int = 3
    protocol: str = "pairwise"
    margin: float = MARGIN
    public: bool = False


@dataclass(frozen=True, slots=True)
class OpenComparison:
    """Result of opening a comparison: its models, its items, and label and link of each invited person.

    While answers are missing there are no items and links; `runs` have the progress of each model that is asked.
    """

    name: str
    questions: int
    models: list[str]
    items: int
    links: list[tuple[str, str]]
    runs: list[ModelRun]


async def open_comparison(
    caller: Caller,
    comparison: Comparison,
    *,
    at_once: int = AT_ONCE,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> OpenComparison:
    """Store questions and answers, ask the models, open the evaluation and invite people; a second call resumes.

    Raises:
        Invalid: There are fewer than two models, or one may not be asked.
        Conflict: An evaluation of this name is open, or has other questions.
    """
    database, now = caller.database, caller.now()
    finished_models = [name for name in comparison.material.models if name not in comparison.models]
    if await database.read(has_begun, comparison):
        await store_answers(database, comparison.name, comparison.material, now)
    else:
        await define(database, comparison, now)
    runs = await generate(caller, comparison.name, retry=True, at_once=at_once, begin=begin, step=step)
    result = OpenComparison(
        comparison.name, len(comparison.material.questions), [*comparison.models, *finished_models], 0, [], runs
    )
    if any(run.left or run.failed for run in runs):
        return result
    items, links = await database.write(_open, comparison, caller.now())
    return OpenComparison(result.name, result.questions, result.models, items, links, runs)


async def define(database: Database, comparison: Comparison, now: datetime) -> None:
    """Store questions and finished answers as a draft, all in one transaction.

    Raises:
        Invalid: There are fewer than two models, or one may not be asked.
        Conflict: There is an evaluation of this name.
    """
    try:
        await database.write(_define, comparison, now)
    except IntegrityError:
        raise Conflict(rule="evaluation_taken", name=comparison.name) from None


def _define(session: Session, comparison: Comparison, now: datetime) -> None:
    if stored.by_name(session, comparison.name) is not None:
        raise Conflict(rule="evaluation_taken", name=comparison.name)
    finished_models = [name for name in comparison.material.models if name not in comparison.models]
    terms: dict[str, Any] = {"per_item": comparison.per_item, "public": comparison.public, "others": finished_models}
    terms["margin"] = comparison.margin
    definition = NewEvaluation(comparison.name, comparison.name, comparison.protocol, comparison.models, **terms)
    store_set(session, comparison.material.facts, comparison.material.questions, now)
    add_draft(session, definition, now)
    _store_answers(session, comparison.name, comparison.material, now)


def _store_answers(session: Session, name: str, material: Material, now: datetime) -> None:
    """Store those finished answers to the questions of a draft that it does not have, with their scores."""
    row = stored.by_name(session, name)
    if row is None or row.state is not EvaluationState.DRAFT:
        raise Conflict(f"{name} takes no answers any more.")
    numbers = stored.question_ids(session, row.set_id)
    models = {model.name: model.id for model in stored.models(session, row.id)}
    answers = {(models[answer.model], numbers[answer.question]): answer for answer in reversed(material.answers)}
    new = stored.put_answers(session, {key: _columns(answer, now) for key, answer in answers.items()})
    stored.put_scores(
        session,
        (
            (*key, scorer[:SCORER_LIMIT], value)
            for key, answer in answers.items()
            if key in new
            for scorer, value in answer.scores.items()
        ),
    )


def _columns(answer: MaterialAnswer, now: datetime) -> dict[str, object]:
    """The columns of a finished answer, with its cost among the settings as calls have their prices."""
    return {
        "texts": answer.texts,
        "fault": None,
        "settings": {} if answer.cost is None else {"cost": answer.cost},
        "sent": answer.sent,
        "tokens": answer.tokens,
        "milliseconds": answer.milliseconds,
        "created_at": answer.asked_at or now,
    }


store_answers = write_transaction(_store_answers)


def _open(session: Session, comparison: Comparison, now: datetime) -> tuple[int, list[tuple[str, str]]]:
    """Open the evaluation and invite its people, both or neither; returns its items, and label and link of each."""
    items = open_draft(session, comparison.name, partial=not comparison.models)
    return items, add_invited(session, comparison.name, comparison.people, now)


def has_begun(session: Session, comparison: Comparison) -> bool:
    """Whether an earlier call has begun this comparison; raises Conflict if it is open or different."""
    row = stored.by_name(session, comparison.name)
    if row is None:
        return False
    if row.state is not EvaluationState.DRAFT:
        links = f" `arena evaluations invite {row.name}` makes more links." if row.state is EvaluationState.OPEN else ""
        raise Conflict(
            f"There is an evaluation {row.name} already, and it is {row.state}; choose another --name.{links}"
        )
    if difference := _difference(session, row, comparison):
        raise Conflict(f"There is another evaluation {comparison.name} with {difference}; choose a --name.")
    return True


def _difference(session: Session, row: EvaluationRow, comparison: Comparison) -> str:
    """The terms of a draft that differ from those of a comparison that would go on with it; empty if none do."""
    bodies = [entry.body for entry in question_store.list_all(session, row.set_id)]
    models = {model.name for model in stored.models(session, row.id)}
    if [QuestionView.model_validate(body) for body in bodies] != list(comparison.material.questions) or models != {
        *comparison.models,
        *comparison.material.models,
    }:
        return "other questions or models"
    if row.per_item != comparison.per_item:
        return f"--per-item {row.per_item}"
    return "" if row.margin == comparison.margin else f"--margin {row.margin:g}"

"""A comparison: questions or finished answers of files as an evaluation by people, from nothing to the invitations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.store import questions as question_store
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import Conflict
from arena.evaluations.domain.terms import EvaluationState
from arena.evaluations.store import evaluations as stored
from arena.evaluations.usecases.definition import NewEvaluation, create
from arena.evaluations.usecases.generation import AT_ONCE, generate
from arena.evaluations.usecases.lifecycle import open_evaluation
from arena.evaluations.usecases.people.annotators import invite
from arena.evaluations.usecases.sets.importer import import_set

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.calls.caller import Caller
    from arena.evaluations.usecases.answer_files import Material
    from arena.evaluations.usecases.generation import ModelRun


SCORER_LIMIT: Final = 80
"""Most characters of the name of a scorer."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison as it is wanted: its material, the models that are asked, and how many people judge each item."""

    name: str
    material: Material
    models: Sequence[str] = ()
    per_item: int = 3
    people: int = 3
    protocol: str = "pairwise"
    public: bool = False


@dataclass(frozen=True, slots=True)
class OpenComparison:
    """A comparison that people can judge: its models, its items, and label and link of each invited person.

    While answers are missing there are no links, and `runs` say of each asked model what is left and why.
    """

    name: str
    questions: int
    models: list[str]
    items: int
    links: list[tuple[str, str]]
    runs: list[ModelRun]


async def open_comparison(
    caller: Caller,
    wanted: Comparison,
    *,
    at_once: int = AT_ONCE,
    begin: Callable[[int], None] = lambda _: None,
    step: Callable[[], None] = lambda: None,
) -> OpenComparison:
    """Keep questions and answers, ask the models, let people judge, and invite them; a second call goes on.

    Raises:
        Invalid: There are fewer than two models, or one may not be asked.
        Conflict: An evaluation of this name is open, or has other questions.
    """
    database, now = caller.database, caller.now()
    others = [name for name in wanted.material.models if name not in wanted.models]
    if not await database.read(_goes_on, wanted):
        await define(database, wanted, now)
    runs = await generate(caller, wanted.name, retry=True, at_once=at_once, begin=begin, step=step)
    result = OpenComparison(wanted.name, len(wanted.material.questions), [*wanted.models, *others], 0, [], runs)
    if any(run.left or run.failed for run in runs):
        return result
    items = await open_evaluation(database, wanted.name, partial=not wanted.models)
    links = await invite(database, wanted.name, wanted.people, caller.now())
    return OpenComparison(result.name, result.questions, result.models, items, links, runs)


async def define(database: Database, wanted: Comparison, now: datetime) -> None:
    """Keep questions and finished answers as a draft.

    Raises:
        Invalid: There are fewer than two models, or one may not be asked.
        Conflict: There is an evaluation of this name.
    """
    others = [name for name in wanted.material.models if name not in wanted.models]
    terms: dict[str, Any] = {"per_item": wanted.per_item, "public": wanted.public, "others": others}
    new = NewEvaluation(wanted.name, wanted.name, wanted.protocol, wanted.models, **terms)
    await import_set(database, wanted.material.facts, wanted.material.questions, now)
    await create(database, new, now)
    await keep_answers(database, wanted.name, wanted.material, now)


@write_transaction
def keep_answers(session: Session, name: str, material: Material, now: datetime) -> None:
    """Keep finished answers of the questions of a draft."""
    row = stored.by_name(session, name)
    if row is None or row.state is not EvaluationState.DRAFT:
        raise Conflict(f"{name} takes no answers any more.")
    numbers = stored.question_ids(session, row.set_id)
    models = {model.name: model.id for model in stored.models(session, row.id)}
    facts: dict[str, Any] = {"fault": None, "settings": {}, "tokens": None, "milliseconds": None, "created_at": now}
    for answer in material.answers:
        number = numbers[answer.question]
        stored.put_answer(session, models[answer.model], number, texts=answer.texts, **facts)
    stored.put_scores(
        session,
        (
            (models[answer.model], numbers[answer.question], scorer[:SCORER_LIMIT], value)
            for answer in material.answers
            for scorer, value in answer.scores.items()
        ),
    )


def _goes_on(session: Session, wanted: Comparison) -> bool:
    """Whether an earlier call has begun this comparison."""
    row = stored.by_name(session, wanted.name)
    if row is None:
        return False
    if row.state is not EvaluationState.DRAFT:
        raise Conflict(f"There is an evaluation {wanted.name} already, and it is {row.state}; choose another --name.")
    kept = [entry.name for entry in question_store.every(session, row.set_id)]
    models = {model.name for model in stored.models(session, row.id)}
    if kept != [question.id for question in wanted.material.questions] or models != {
        *wanted.models,
        *wanted.material.models,
    }:
        raise Conflict(f"There is another evaluation {wanted.name} with other questions or models; choose a --name.")
    return True

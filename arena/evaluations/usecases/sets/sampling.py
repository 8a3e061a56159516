"""Samples of sets: so many questions of each task, as a set of their own (TencentLLMEval, section 2.4.1)."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from arena.domain.errors import Invalid
from arena.domain.schemas.questions import SetFactsView
from arena.evaluations.usecases.sets.importer import import_set, questions_of
from arena.evaluations.usecases.sets.sets import set_row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.schemas.questions import QuestionView
    from arena.evaluations.usecases.sets.importer import SetImport


def sampled(questions: Sequence[QuestionView], per_task: int, seed: int) -> list[QuestionView]:
    """At most so many questions of each task, drawn at random, in their order.

    A task is a place in the tree: where a question has no task or category, the node above is the task.
    """
    rng, by_task = Random(seed), dict[tuple[str | None, ...], list[int]]()
    for number, question in enumerate(questions):
        by_task.setdefault((question.area, question.category, question.task), []).append(number)
    chosen = [number for mine in by_task.values() for number in rng.sample(mine, min(per_task, len(mine)))]
    return [questions[number] for number in sorted(chosen)]


async def sample_set(
    database: Database, name: str, into: str, now: datetime, *, per_task: int, seed: int, version: int | None = None
) -> tuple[SetImport, int]:
    """Keep a sample as a set of another name; returns its import and the number of its questions.

    Raises:
        QuestionSetNotFound: There is no such set or version.
        Invalid: Both have one name, and a version of the whole would be replaced by a part of it.
    """
    if into == name:
        raise Invalid("A sample has a name of its own, as the whole set keeps its name.")
    facts, questions = await database.read(_read, name, version)
    chosen = sampled(questions, per_task, seed)
    source = f"{per_task} of each task of {facts.source}, seed {seed}"
    sample = facts.model_copy(update={"name": into, "source": source[:300], "plan": []})
    return await import_set(database, SetFactsView.model_validate(sample.model_dump()), chosen, now), len(chosen)


def _read(session: Session, name: str, version: int | None) -> tuple[SetFactsView, list[QuestionView]]:
    row = set_row(session, name, version)
    facts = SetFactsView.model_validate(row)
    return facts.model_copy(update={"source": f"{name} {row.version} ({facts.source})"}), questions_of(session, row)

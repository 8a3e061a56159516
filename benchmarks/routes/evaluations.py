"""Evaluations of finished answers: one that everybody may judge, with an annotator's link, and a closed one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from arena.domain.schemas.questions import QuestionView, SetFactsView
from arena.evaluations.usecases import definition, importer, lifecycle
from arena.evaluations.usecases.definition import NewEvaluation
from arena.evaluations.usecases.people import annotators
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.sets import sets
from arena.evaluations.usecases.sets.importer import import_set

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from arena.adapters.store.engine import Database

OPEN: Final = "open to all"
CLOSED: Final = "told to all"
_SET: Final = "benchmark"
_MODELS: Final = ("gull", "tern")
_QUESTIONS: Final = 200


async def add_evaluations(database: Database, folder: Path, now: datetime) -> str:
    """Add both; returns the secret of the annotator's link."""
    questions = [QuestionView(id=f"q{number}", turns=[f"What is {number} + 2?"]) for number in range(_QUESTIONS)]
    facts = SetFactsView(name=_SET, licence="CC0", source="benchmark", language="en")
    await import_set(database, facts, questions, now)
    await sets.publish(database, _SET, public=True)
    rows = [{"question": question.id, "model": model, "answer": "So."} for question in questions for model in _MODELS]
    file = folder / "answers.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for name in (OPEN, CLOSED):
        new = NewEvaluation(name, _SET, "pairwise", others=_MODELS, per_item=1_000, public=True)
        await definition.create(database, new, now)
        await importer.import_file(database, name, file, now)
        await lifecycle.open_evaluation(database, name, partial=True)
    ((_, link),) = await annotators.invite(database, OPEN, 1, now)
    await lifecycle.close_evaluation(database, CLOSED, now)
    await lifecycle.publish_report(database, CLOSED, report)
    return link

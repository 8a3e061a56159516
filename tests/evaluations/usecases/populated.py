"""A question set and evaluations of it."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

from arena.adapters.store import endpoints
from arena.adapters.store.questions import Filter
from arena.calls.caller import Caller
from arena.calls.targets import Keys
from arena.domain.schemas.questions import QuestionView, SetFactsView
from arena.evaluations.usecases import definition, importer, lifecycle
from arena.evaluations.usecases.definition import NewEvaluation
from arena.evaluations.usecases.people import annotators
from arena.evaluations.usecases.reports.report import report
from arena.evaluations.usecases.sets import importer as set_importer
from arena.evaluations.usecases.sets import sets
from arena_providers.deadlines import TimeLimits
from tests.conftest import NAMES, START, add_endpoints

EVALUATION = "open to all"
QUESTIONS = (
    QuestionView(id="sum", turns=["What is 2 + 2?", "And 3 + 3?"], area="Mathematics", reference="4"),
    QuestionView(id="poem", turns=["Write a poem."], area="Writing"),
    QuestionView(id="sea", turns=["Name a sea."], area="Geography", hint="Any will do."),
)


async def keep_set(database, questions=QUESTIONS) -> None:
    facts = SetFactsView(name="ours", licence="CC0", source="tests", language="en")
    await set_importer.import_set(database, facts, list(questions), START)


async def add_evaluation(database, name="taste", questions=QUESTIONS, **fields) -> None:
    """An evaluation of two scripted endpoints, unless others are given."""
    if not await database.read(endpoints.list_all):
        await database.write(add_endpoints)
    await keep_set(database, questions)
    chosen = {"models": NAMES, "protocol": "pairwise", **fields}
    await definition.create(database, NewEvaluation(name=name, questions="ours", **chosen), START)


async def open_public(database, questions: str, folder: Path, now: datetime) -> str:
    """Open an evaluation of two models from a file to everybody; returns the link of an annotator."""
    await _open(database, EVALUATION, questions, folder, now)
    ((_, link),) = await annotators.invite(database, EVALUATION, 1, now)
    return link


async def publish_report(database, questions: str, folder: Path, now: datetime) -> str:
    """Close such an evaluation with a report; returns its name."""
    name = "told to all"
    await _open(database, name, questions, folder, now)
    await lifecycle.close_evaluation(database, name, now)
    await lifecycle.publish_report(database, name, report)
    return name


async def _open(database, name: str, questions: str, folder: Path, now: datetime) -> None:
    new = NewEvaluation(name, questions, "pairwise", others=("gull", "tern"), per_item=1_000_000, public=True)
    await definition.create(database, new, now)
    page_questions = (await sets.page(database, questions, None, Filter(several_turns=False), 0, public=True)).questions
    rows = [
        {"question": question.id, "model": model, "answer": "So."}
        for question in page_questions
        for model in new.others
    ]
    file = folder / "answers.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    await importer.import_file(database, name, file, now)
    await lifecycle.open_evaluation(database, name, partial=True)


def caller(database, scripted) -> Caller:
    times = TimeLimits(connect=60, first_token=60, between_tokens=60, total=60)
    keys = Keys(defaultdict(lambda: None).get)
    return Caller(database, {"scripted": scripted}, keys, lambda: datetime.now(UTC), times)

"""Stored sets of questions: list, read, compare, sample and export them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Final

from sqlalchemy.orm import Session

from arena.adapters.store import questions as stored
from arena.adapters.store.engine import Database
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.adapters.store.questions import Filter
from arena.adapters.store.tables.questions import QuestionSetRow
from arena.domain.errors import Invalid, QuestionNotFound, QuestionSetNotFound
from arena.domain.schemas.questions import (
    QuestionPageView,
    QuestionView,
    SetDetailView,
    SetFactsView,
    SetView,
)
from arena.evaluations.domain.questions import Difference, difference, lines, tree
from arena.evaluations.usecases.sets.importer import SetImport, import_set, questions_of

PAGE: Final = 50
"""Most questions of one page."""


@read_transaction
def list_sets(session: Session, *, public: bool) -> list[SetView]:
    """List the newest version of each set, or of each public one."""
    return [SetView.model_validate(row) for row in stored.newest(session, public=public)]


@read_transaction
def record(session: Session, name: str, version: int | None = None, *, public: bool) -> SetDetailView:
    """Return a version, by default the newest, with its tree; with `public` only of a public set.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    row = set_row(session, name, version, public=public)
    return SetDetailView(
        **dict(SetView.model_validate(row)),
        versions=list(stored.versions(session, name)),
        tree=tree(stored.places(session, row.id), SetFactsView.model_validate(row).plan),
    )


@read_transaction
def page(
    session: Session, name: str, version: int | None, query: Filter, start: int, *, public: bool
) -> QuestionPageView:
    """Return up to `PAGE` questions that match a query.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    row = set_row(session, name, version, public=public)
    matching, rows = stored.search(session, row.id, query, start, PAGE)
    return QuestionPageView(
        matching=matching,
        start=start,
        questions=[QuestionView.model_validate(entry.body) for entry in rows],
    )


@read_transaction
def question(session: Session, name: str, version: int | None, question_id: str) -> QuestionView:
    """Return one question.

    Raises:
        QuestionSetNotFound: There is no such set or version.
        QuestionNotFound: It has no such question.
    """
    row = stored.one(session, set_row(session, name, version).id, question_id)
    if row is None:
        raise QuestionNotFound
    return QuestionView.model_validate(row.body)


@write_transaction
def publish(session: Session, name: str, *, public: bool) -> bool:
    """Make a set public, or visible to operators only; False if it is so already.

    Raises:
        QuestionSetNotFound: There is no such set.
    """
    is_new = stored.put_public(session, name, public=public)
    if is_new is None:
        raise QuestionSetNotFound
    return is_new


@read_transaction
def export(session: Session, name: str, version: int | None = None) -> list[bytes]:
    """Return the file of a version; its SHA-256 is the digest of the version.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    row = set_row(session, name, version)
    return list(lines(SetFactsView.model_validate(row), questions_of(session, row)))


@read_transaction
def compare(session: Session, name: str, version: int, next_version: int | None = None) -> Difference:
    """Compare two versions of a set, by default with the newest.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    versions = (set_row(session, name, number) for number in (version, next_version))
    return difference(*(questions_of(session, row) for row in versions))


def set_row(session: Session, name: str, version: int | None, *, public: bool = False) -> QuestionSetRow:
    """A version of a set, by default the newest; with `public` only of a public set.

    Raises:
        QuestionSetNotFound: There is none.
    """
    row = stored.version(session, name, version)
    if row is None or (public and not row.public):
        raise QuestionSetNotFound
    return row


def draw_sample(questions: Sequence[QuestionView], per_task: int, seed: int) -> list[QuestionView]:
    """Up to `per_task` random questions of each task, in their order.

    A task is a place in the tree; without a task or category it is the node above.
    """
    rng, by_task = Random(seed), dict[tuple[str | None, ...], list[int]]()
    for number, question in enumerate(questions):
        by_task.setdefault((question.area, question.category, question.task), []).append(number)
    draws = [number for numbers in by_task.values() for number in rng.sample(numbers, min(per_task, len(numbers)))]
    return [questions[number] for number in sorted(draws)]


async def sample_set(
    database: Database, name: str, into: str, now: datetime, *, per_task: int, seed: int, version: int | None = None
) -> tuple[SetImport, int]:
    """Store a sample as a set of another name; returns its import and the number of its questions.

    Raises:
        QuestionSetNotFound: There is no such set or version.
        Invalid: Both names are the same, so that the sample would be a version of the whole set.
    """
    if into == name:
        raise Invalid("A sample has a name of its own, as the whole set keeps its name.")
    facts, questions = await database.read(_read_set, name, version)
    draws = draw_sample(questions, per_task, seed)
    source = f"{per_task} of each task of {facts.source}, seed {seed}"
    sample = facts.model_copy(update={"name": into, "source": source[:300], "plan": []})
    return await import_set(database, SetFactsView.model_validate(sample.model_dump()), draws, now), len(draws)


def _read_set(session: Session, name: str, version: int | None) -> tuple[SetFactsView, list[QuestionView]]:
    row = set_row(session, name, version)
    facts = SetFactsView.model_validate(row)
    return facts.model_copy(update={"source": f"{name} {row.version} ({facts.source})"}), questions_of(session, row)

"""Sets that are kept: listed, read, compared and given out as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.store import questions as stored
from arena.domain.errors import QuestionNotFound, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionPageView, QuestionView, SetDetailView, SetFactsView, SetView
from arena.evaluations.domain.questions import difference, lines, tree
from arena.evaluations.usecases.sets.importer import questions_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.questions import Filter
    from arena.adapters.store.tables.labels import QuestionSetRow
    from arena.evaluations.domain.questions import Difference

PAGE: Final = 50
"""Most questions of one page."""


async def listed(database: Database, *, public: bool) -> list[SetView]:
    """List the newest version of each set, or of each public one."""
    return await database.read(
        lambda session: [SetView.model_validate(row) for row in stored.newest(session, public=public)]
    )


async def record(database: Database, name: str, version: int | None = None, *, public: bool) -> SetDetailView:
    """Return a version, by default the newest, with its tree; with `public` a set that is not is unknown.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    return await database.read(_record, name, version, public=public)


async def page(
    database: Database, name: str, version: int | None, wanted: Filter, start: int, *, public: bool
) -> QuestionPageView:
    """Return at most `PAGE` questions that match.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    return await database.read(_page, name, version, wanted, start, public=public)


async def question(database: Database, name: str, version: int | None, question_id: str) -> QuestionView:
    """Return one question.

    Raises:
        QuestionSetNotFound: There is no such set or version.
        QuestionNotFound: It has no such question.
    """
    return await database.read(_question, name, version, question_id)


async def publish(database: Database, name: str, *, public: bool) -> None:
    """Show a set to everybody, or to the operator only.

    Raises:
        QuestionSetNotFound: There is no such set.
    """
    if not await database.write(stored.put_public, name, public=public):
        raise QuestionSetNotFound


async def export(database: Database, name: str, version: int | None = None) -> list[bytes]:
    """Return the file of a version; its SHA-256 is the digest of the version.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    return await database.read(_export, name, version)


async def compare(database: Database, name: str, old: int, new: int | None = None) -> Difference:
    """Compare two versions of a set, by default with the newest.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    return await database.read(_compare, name, old, new)


def _found(session: Session, name: str, version: int | None, *, public: bool = False) -> QuestionSetRow:
    row = stored.version(session, name, version)
    if row is None or (public and not row.public):
        raise QuestionSetNotFound
    return row


def _record(session: Session, name: str, version: int | None, *, public: bool) -> SetDetailView:
    row = _found(session, name, version, public=public)
    return SetDetailView(
        **dict(SetView.model_validate(row)),
        versions=list(stored.versions(session, name)),
        tree=tree(stored.places(session, row.id)),
    )


def _page(
    session: Session, name: str, version: int | None, wanted: Filter, start: int, *, public: bool
) -> QuestionPageView:
    row = _found(session, name, version, public=public)
    rows = stored.matching(session, row.id, wanted, start, PAGE)
    return QuestionPageView(
        matching=stored.count(session, row.id, wanted),
        start=start,
        questions=[QuestionView.model_validate(entry.body) for entry in rows],
    )


def _question(session: Session, name: str, version: int | None, question_id: str) -> QuestionView:
    row = stored.one(session, _found(session, name, version).id, question_id)
    if row is None:
        raise QuestionNotFound
    return QuestionView.model_validate(row.body)


def _export(session: Session, name: str, version: int | None) -> list[bytes]:
    row = _found(session, name, version)
    return list(lines(SetFactsView.model_validate(row), questions_of(session, row)))


def _compare(session: Session, name: str, old: int, new: int | None) -> Difference:
    versions = (_found(session, name, number) for number in (old, new))
    return difference(*(questions_of(session, row) for row in versions))

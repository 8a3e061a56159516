"""Sets that are kept: listed, read, compared and given out as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.adapters.store import questions as stored
from arena.adapters.store.engine.transactions import read_transaction
from arena.domain.errors import QuestionNotFound, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionPageView, QuestionView, SetDetailView, SetFactsView, SetView
from arena.evaluations.domain.questions import difference, lines, tree
from arena.evaluations.usecases.sets.importer import questions_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.questions import Filter
    from arena.adapters.store.tables.questions import QuestionSetRow
    from arena.evaluations.domain.questions import Difference

PAGE: Final = 50
"""Most questions of one page."""


@read_transaction
def listed(session: Session, *, public: bool) -> list[SetView]:
    """List the newest version of each set, or of each public one."""
    return [SetView.model_validate(row) for row in stored.newest(session, public=public)]


@read_transaction
def record(session: Session, name: str, version: int | None = None, *, public: bool) -> SetDetailView:
    """Return a version, by default the newest, with its tree; with `public` a set that is not is unknown.

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
    """Return at most `PAGE` questions that match.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    row = set_row(session, name, version, public=public)
    rows = stored.matching(session, row.id, query, start, PAGE)
    return QuestionPageView(
        matching=stored.count(session, row.id, query),
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


async def publish(database: Database, name: str, *, public: bool) -> None:
    """Show a set to everybody, or to the operator only.

    Raises:
        QuestionSetNotFound: There is no such set.
    """
    if not await database.write(stored.put_public, name, public=public):
        raise QuestionSetNotFound


@read_transaction
def export(session: Session, name: str, version: int | None = None) -> list[bytes]:
    """Return the file of a version; its SHA-256 is the digest of the version.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    row = set_row(session, name, version)
    return list(lines(SetFactsView.model_validate(row), questions_of(session, row)))


@read_transaction
def compare(session: Session, name: str, old: int, new: int | None = None) -> Difference:
    """Compare two versions of a set, by default with the newest.

    Raises:
        QuestionSetNotFound: There is no such set or version.
    """
    versions = (set_row(session, name, number) for number in (old, new))
    return difference(*(questions_of(session, row) for row in versions))


def set_row(session: Session, name: str, version: int | None, *, public: bool = False) -> QuestionSetRow:
    """A version of a set, by default the newest; with `public` a set that is not is unknown.

    Raises:
        QuestionSetNotFound: There is none.
    """
    row = stored.version(session, name, version)
    if row is None or (public and not row.public):
        raise QuestionSetNotFound
    return row

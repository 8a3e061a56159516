"""Import of a set as a new version, in one transaction; an unchanged set adds none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import questions as stored
from arena.domain.errors import Conflict
from arena.domain.schemas.questions import QuestionView, SetFactsView
from arena.evaluations.domain.questions import Difference, difference, digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.questions import QuestionSetRow


@dataclass(frozen=True, slots=True)
class SetImport:
    """Result of an import: the version with these questions, and its difference to the previous one.

    `difference` is None if the newest version was the same, and nothing was added.
    """

    version: int
    digest: str
    difference: Difference | None

    @property
    def summary(self) -> str:
        """The difference as the end of a sentence."""
        if self.difference is None:
            return "known already"
        return "the first version" if self.version == 1 else f"against the version before: {self.difference}"


async def import_set(
    database: Database,
    facts: SetFactsView,
    questions: Sequence[QuestionView],
    now: datetime,
    *,
    public: bool | None = None,
) -> SetImport:
    """Store a set as the next version of its name, unless the newest one is the same.

    A new version is public if the previous one is, unless `public` is given.

    Raises:
        Conflict: Another import of the same set came first; nothing was added.
        StoreUnavailable: Nothing was added.
    """
    try:
        return await database.write(store_set, facts, questions, now, public=public)
    except IntegrityError:
        raise Conflict(rule="set_changed", name=facts.name) from None


def store_set(
    session: Session,
    facts: SetFactsView,
    questions: Sequence[QuestionView],
    now: datetime,
    *,
    public: bool | None = None,
) -> SetImport:
    """Store a set as `import_set` does, in the transaction of the caller."""
    set_digest = digest(facts, questions)
    newest = stored.version(session, facts.name)
    if newest is not None and newest.digest == set_digest:
        return SetImport(newest.version, set_digest, None)
    previous = questions_of(session, newest) if newest else []
    number = newest.version if newest else 0
    is_public = public if public is not None else bool(newest and newest.public)
    row = stored.add(session, facts, questions, digest=set_digest, after=number, public=is_public, now=now)
    return SetImport(row.version, set_digest, difference(previous, questions))


def questions_of(session: Session, row: QuestionSetRow) -> list[QuestionView]:
    """All questions of a version."""
    return [QuestionView.model_validate(question.body) for question in stored.list_all(session, row.id)]

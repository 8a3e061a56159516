"""Import of a set as a new version, in one transaction; a set that is known already adds nothing."""

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
    """Result of an import: the version that has these questions, and its difference to the one before.

    `difference` is None where the newest version was the same already, and nothing was added.
    """

    version: int
    digest: str
    difference: Difference | None

    @property
    def summary(self) -> str:
        """The difference as the end of a sentence."""
        return f"against the version before: {self.difference}" if self.difference else "known already"


async def import_set(
    database: Database,
    facts: SetFactsView,
    questions: Sequence[QuestionView],
    now: datetime,
    *,
    public: bool | None = None,
) -> SetImport:
    """Keep a set as the version after the newest of its name, unless that one is the same.

    A new version is as public as the one before unless `public` says.

    Raises:
        Conflict: Somebody else imports the same set; nothing was added.
        StoreUnavailable: Nothing was added.
    """
    name = digest(facts, questions)
    try:
        return await database.write(_keep, facts, questions, name, now, public=public)
    except IntegrityError:
        raise Conflict(f"The set {facts.name} changed during the import; nothing was added.") from None


def _keep(
    session: Session,
    facts: SetFactsView,
    questions: Sequence[QuestionView],
    name: str,
    now: datetime,
    *,
    public: bool | None,
) -> SetImport:
    newest = stored.version(session, facts.name)
    if newest is not None and newest.digest == name:
        return SetImport(newest.version, name, None)
    previous = questions_of(session, newest) if newest else []
    number = newest.version if newest else 0
    is_public = public if public is not None else bool(newest and newest.public)
    row = stored.add(session, facts, questions, digest=name, after=number, public=is_public, now=now)
    return SetImport(row.version, name, difference(previous, questions))


def questions_of(session: Session, row: QuestionSetRow) -> list[QuestionView]:
    """All questions of a version."""
    return [QuestionView.model_validate(question.body) for question in stored.every(session, row.id)]

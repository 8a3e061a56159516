"""Queries about question sets. A name without a version means the newest version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import ColumnElement, func, insert, select

from arena.adapters.store.tables.questions import QuestionRow, QuestionSetRow
from arena.domain.text import normalised

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.domain.schemas.questions import QuestionView, SetFactsView

_ROWS_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of questions; None means any, and an empty name those without one."""

    area: str | None = None
    category: str | None = None
    task: str | None = None
    several_turns: bool | None = None
    text: str | None = None


def version(session: Session, name: str, number: int | None = None) -> QuestionSetRow | None:
    """A version of a set, or None."""
    query = select(QuestionSetRow).where(QuestionSetRow.name == name).order_by(QuestionSetRow.version.desc())
    if number is not None:
        query = query.where(QuestionSetRow.version == number)
    return session.scalars(query.limit(1)).first()


def by_id(session: Session, set_id: int) -> QuestionSetRow:
    """The version of a set with this row id."""
    return session.get_one(QuestionSetRow, set_id)


def by_ids(session: Session, set_ids: Collection[int]) -> dict[int, QuestionSetRow]:
    """Versions of sets by row id."""
    rows = session.scalars(select(QuestionSetRow).where(QuestionSetRow.id.in_(set_ids)))
    return {row.id: row for row in rows}


def by_row(session: Session, question_id: int) -> QuestionRow:
    """The question with this row id."""
    return session.get_one(QuestionRow, question_id)


def by_rows(session: Session, question_ids: Collection[int]) -> dict[int, QuestionRow]:
    """Questions by row id."""
    return {row.id: row for row in session.scalars(select(QuestionRow).where(QuestionRow.id.in_(question_ids)))}


def versions(session: Session, name: str) -> Sequence[int]:
    """The versions of a set, oldest first."""
    query = select(QuestionSetRow.version).where(QuestionSetRow.name == name).order_by(QuestionSetRow.version)
    return session.scalars(query).all()


def newest(session: Session, *, public: bool = False) -> Sequence[QuestionSetRow]:
    """The newest version of each set, or of each public set, by name."""
    last = select(func.max(QuestionSetRow.id)).group_by(QuestionSetRow.name)
    query = select(QuestionSetRow).where(QuestionSetRow.id.in_(last)).order_by(QuestionSetRow.name)
    return session.scalars(query.where(QuestionSetRow.public) if public else query).all()


def put_public(session: Session, name: str, *, public: bool) -> bool | None:
    """Make all versions of a set public or not; returns whether that changes any, None if there is no such set."""
    rows = session.scalars(select(QuestionSetRow).where(QuestionSetRow.name == name)).all()
    others = [row for row in rows if row.public is not public]
    for row in others:
        row.public = public
    return bool(others) if rows else None


def add(
    session: Session,
    facts: SetFactsView,
    questions: Sequence[QuestionView],
    *,
    digest: str,
    after: int,
    public: bool,
    now: datetime,
) -> QuestionSetRow:
    """Add the version `after` + 1."""
    row = QuestionSetRow(
        **facts.model_dump(),
        version=after + 1,
        digest=digest,
        questions=len(questions),
        public=public,
        created_at=now,
    )
    session.add(row)
    session.flush()
    for start in range(0, len(questions), _ROWS_AT_ONCE):
        batch = enumerate(questions[start : start + _ROWS_AT_ONCE], start + 1)
        session.execute(
            insert(QuestionRow.__table__),  # pyright: ignore[reportArgumentType]
            [_columns(row.id, number, question) for number, question in batch],
        )
    return row


def _columns(set_id: int, number: int, question: QuestionView) -> dict[str, object]:
    return {
        "set_id": set_id,
        "number": number,
        "name": question.id,
        "area": question.area or "",
        "category": question.category or "",
        "task": question.task or "",
        "turns": len(question.turns),
        "prompt": question.turns[0],
        "body": question.model_dump(exclude_defaults=True),
    }


def list_all(session: Session, set_id: int) -> Iterator[QuestionRow]:
    """All questions of a version, in order."""
    yield from session.scalars(select(QuestionRow).where(QuestionRow.set_id == set_id).order_by(QuestionRow.number))


def one(session: Session, set_id: int, name: str) -> QuestionRow | None:
    """The question with this id."""
    return session.scalars(select(QuestionRow).where(QuestionRow.set_id == set_id, QuestionRow.name == name)).first()


def places(session: Session, set_id: int) -> dict[tuple[str, ...], int]:
    """The number of questions by area, category and task, in the order of the set."""
    columns = QuestionRow.area, QuestionRow.category, QuestionRow.task
    query = select(*columns, func.count()).where(QuestionRow.set_id == set_id).group_by(*columns)
    rows = session.execute(query.order_by(func.min(QuestionRow.number)))
    return {(area, category, task): count for area, category, task, count in rows}


def short_prompts(session: Session, set_id: int, length: int) -> list[tuple[str, str]]:
    """Category and prompt of questions with a category, one turn and at most `length` characters, in order."""
    columns = select(QuestionRow.category, QuestionRow.prompt).order_by(QuestionRow.number)
    short = QuestionRow.turns == 1, func.length(QuestionRow.prompt) <= length, QuestionRow.category != ""
    rows = session.execute(columns.where(QuestionRow.set_id == set_id, *short))
    return [(category, prompt) for category, prompt in rows]


def search(
    session: Session, set_id: int, criteria: Filter, start: int, limit: int
) -> tuple[int, Sequence[QuestionRow]]:
    """The number of questions that match, and at most `limit` of them after the first `start`."""
    query = select(QuestionRow).order_by(QuestionRow.number)
    if criteria.text:
        ids = _matching_ids(session, set_id, criteria)
        return len(ids), session.scalars(query.where(QuestionRow.id.in_(ids[start : start + limit]))).all()
    conditions = _conditions(set_id, criteria)
    count = session.scalar(select(func.count()).select_from(QuestionRow).where(*conditions)) or 0
    return count, session.scalars(query.where(*conditions).offset(start).limit(limit)).all()


def _matching_ids(session: Session, set_id: int, criteria: Filter) -> list[int]:
    """The ids of the questions that match, in order, whose text is compared without regard to case.

    Neither database folds all of Unicode by itself: SQLite knows ASCII alone, PostgreSQL what its locale has.
    """
    text = normalised(criteria.text or "")
    query = select(QuestionRow.id, QuestionRow.prompt).where(*_conditions(set_id, criteria))
    rows = session.execute(query.order_by(QuestionRow.number).execution_options(yield_per=_ROWS_AT_ONCE))
    return [number for number, prompt in rows if text in normalised(prompt)]


def _conditions(set_id: int, criteria: Filter) -> list[ColumnElement[bool]]:
    result = [QuestionRow.set_id == set_id]
    places = (
        (QuestionRow.area, criteria.area),
        (QuestionRow.category, criteria.category),
        (QuestionRow.task, criteria.task),
    )
    result += [column == name for column, name in places if name is not None]
    if criteria.several_turns is not None:
        result.append(QuestionRow.turns > 1 if criteria.several_turns else QuestionRow.turns == 1)
    return result

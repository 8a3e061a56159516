"""Assignments of people who have a link and whose judgements come from a file: they do not get these items again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.evaluations.domain.terms import AssignmentState
from arena.evaluations.store.tables.annotations import AnnotatorRow, AssignmentRow


def end_assignments(session: Session, rows: Sequence[dict[str, Any]], now: datetime) -> Counter[int]:
    """End the assignments that these annotations are for, as new ones if need be; returns places they had by item."""
    positions = _last_positions(session, {row["annotator_id"] for row in rows})
    if not positions:
        return Counter()
    query = select(AssignmentRow).where(AssignmentRow.annotator_id.in_(positions))
    given_rows = session.scalars(query.where(AssignmentRow.item_id.in_({row["item_id"] for row in rows}))).all()
    assignments = {(row.annotator_id, row.item_id, row.attempt): row for row in given_rows}
    places = Counter[int]()
    for row in (row for row in rows if row["annotator_id"] in positions):
        key = row["annotator_id"], row["item_id"], row["attempt"]
        assignment = assignments.get(key) or _add(session, row, positions, now)
        places[row["item_id"]] += assignment.state is AssignmentState.SHOWN and not assignment.attempt
        assignment.state = AssignmentState.DONE
    session.flush()
    return places


def _add(session: Session, row: dict[str, Any], positions: dict[int, int], now: datetime) -> AssignmentRow:
    """Add the assignment of an annotation at the annotator's next position."""
    facts = {name: row[name] for name in ("annotator_id", "item_id", "attempt", "round", "swapped")}
    positions[row["annotator_id"]] += 1
    facts |= {"position": positions[row["annotator_id"]], "state": AssignmentState.DONE, "shown_at": now}
    assignment = AssignmentRow(**facts)
    session.add(assignment)
    return assignment


def _last_positions(session: Session, people: set[int]) -> dict[int, int]:
    """The last position of each of these annotators who has a link."""
    last = func.coalesce(func.max(AssignmentRow.position), 0)
    query = select(AnnotatorRow.id, last).outerjoin(AssignmentRow, AssignmentRow.annotator_id == AnnotatorRow.id)
    conditions = AnnotatorRow.id.in_(people), AnnotatorRow.link.is_not(None)
    rows = session.execute(query.where(*conditions).group_by(AnnotatorRow.id))
    return {person: position for person, position in rows}

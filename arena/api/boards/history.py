"""Ratings over time, from the snapshots that still have their tables; each table is read once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from arena.adapters.store import snapshots
from arena.domain.errors import NoBoard
from arena.domain.schemas.board_details import CourseView, HistoryView, MomentView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

MOST: Final = 60
"""Points of time in a chart; of more, an even selection is taken."""
_FIELDS: Final = ("elo", "bt", "rank")


class History:
    """Caches the tables it has read; used by one board, one request at a time."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[MomentView, dict[str, dict[str, Any]]]] = {}

    def read(self, session: Session) -> tuple[HistoryView, str]:
        """Read the ratings of all models on the newest board, and an ETag that changes with them."""
        numbers = thinned(snapshots.stored_ids(session), MOST)
        if not numbers:
            return HistoryView(moments=[], courses=[]), "history-none"
        self._read = {number: self._read.get(number) or _table(session, number) for number in numbers}
        moments, tables = zip(*self._read.values(), strict=True)
        courses = [
            CourseView(name=name, **{field: [table.get(name, {}).get(field) for table in tables] for field in _FIELDS})
            for name in tables[-1]
        ]
        return HistoryView(moments=list(moments), courses=courses), f"history-{numbers[-1]}-{len(numbers)}"


def thinned(items: Sequence[int], most: int) -> list[int]:
    """Select at most `most` items evenly, with the first and the last."""
    if len(items) <= most:
        return list(items)
    return [items[round(place * (len(items) - 1) / (most - 1))] for place in range(most)]


def _table(session: Session, number: int) -> tuple[MomentView, dict[str, dict[str, Any]]]:
    row = snapshots.by_id(session, number)
    if row is None or row.payload is None:
        raise NoBoard
    try:
        rows: list[dict[str, Any]] = json.loads(row.payload)["rows"]
        table = {line["name"]: {field: line[field] for field in _FIELDS} for line in rows}
    except (ValueError, KeyError):
        # An old table that another version has written only leaves a gap in the lines.
        table = {}
    return MomentView(snapshot=row.id, votes=row.votes, created_at=row.created_at), table

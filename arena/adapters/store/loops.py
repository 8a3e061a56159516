"""States of the loops of background work, for whoever operates the arena."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from arena.adapters.store.tables.operations import LoopRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

MAX_FAILURE: Final = 300
"""Largest number of characters of a stored failure."""
LATE_PERIODS: Final = 10
"""Periods without a success, or reports without one, after which a loop is late that has no bound of its own."""
FORGOTTEN: Final = timedelta(days=1)
"""Age of a report from which on its loop is not shown, if others are newer; its setting was switched off."""
REPORT_SECONDS: Final = 10.0
"""Seconds between two reports of the loops' states."""


@dataclass(slots=True)
class LoopState:
    """The last pass of a loop that succeeded, its seconds, the last with work, and why later passes failed."""

    passed_at: datetime | None = None
    worked_at: datetime | None = None
    seconds: float = 0.0
    failure: str = ""

    def bound(self, now: datetime) -> None:
        """Bound the times by now: a clock that was set back leaves later ones, and the loop would look young."""
        self.passed_at, self.worked_at = _bounded(self.passed_at, now), _bounded(self.worked_at, now)


def _bounded(moment: datetime | None, now: datetime) -> datetime | None:
    return moment and min(moment, now)


def report(session: Session, states: Mapping[str, tuple[float, float, LoopState]], now: datetime) -> None:
    """Store period, bound of the age and state of these loops; what is not known since a start stays as it was."""
    rows = {row.name: row for row in session.scalars(select(LoopRow).where(LoopRow.name.in_(states)))}
    for name, (period, late_after, state) in states.items():
        if name not in rows:
            rows[name] = LoopRow(name=name)
            session.add(rows[name])
        rows[name].period, rows[name].late_after = period, late_after
        _write(rows[name], state, now)


def _write(row: LoopRow, state: LoopState, now: datetime) -> None:
    row.seconds, row.failure, row.written_at = state.seconds, state.failure[:MAX_FAILURE], now
    # A worker that leads again after another has an older state than what that one wrote.
    row.passed_at = max(filter(None, (state.passed_at, _bounded(row.passed_at, now))), default=None)
    row.worked_at = max(filter(None, (state.worked_at, _bounded(row.worked_at, now))), default=None)


def states(session: Session) -> Sequence[LoopRow]:
    """All loops, by name, without those that nobody has reported for long while others were: no process has them."""
    rows = session.scalars(select(LoopRow).order_by(LoopRow.name)).all()
    newest = max((row.written_at for row in rows), default=None)
    return [row for row in rows if newest is None or newest - row.written_at < FORGOTTEN]


def is_late(row: LoopRow, now: datetime) -> bool:
    """Whether the last success of a loop is longer ago than it may be.

    A loop whose first pass still runs is not late.
    """
    if row.passed_at is None:
        return bool(row.failure)
    return now - row.passed_at > timedelta(seconds=row.late_after)

"""Views for operators: their acts, the switches of parts of the service, and the figures of the day."""

from __future__ import annotations

import csv
from datetime import UTC
from io import StringIO
from typing import TYPE_CHECKING, Final

from arena.adapters.store import decisions, endpoints, neighbourhoods, operators, shares, site
from arena.adapters.store import loops as stored_loops
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.domain.errors import Conflict
from arena.domain.schemas.operators import ActView, FiguresView, PartView
from arena.domain.schemas.status import LoopView
from arena.domain.terms import EndpointState, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.operations import LoopRow
    from arena.adapters.store.tables.people import ActRow
    from arena.calls.targets import Keys

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a cell that a spreadsheet would compute."""
_MOST_REPORTS: Final = 200


def acts(session: Session, limit: int | None = None, before: int | None = None) -> list[ActView]:
    """The newest acts, newest first; with `before`, of those with a smaller number."""
    return [_act(row) for row in operators.acts(session, limit, before)]


def acts_csv(views: Iterable[ActView]) -> str:
    """Acts as comma-separated values with a header line."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(ActView.model_fields)
    writer.writerows([_cell(value) for value in view.model_dump(mode="json").values()] for view in views)
    return text.getvalue()


def parts(session: Session) -> list[PartView]:
    """All parts of the service, and whether each is closed."""
    return [_part(part, session) for part in Part]


@write_transaction
def switch(session: Session, part: Part, reason: str, now: datetime, *, closed: bool) -> PartView:
    """Close or open a part of the service; turns and other work that already run are not stopped.

    Raises:
        Conflict: It is closed or open already.
    """
    if not site.put_flag(session, part, closed=closed, reason=reason, now=now):
        raise Conflict(rule="part_closed" if closed else "part_open", part=part)
    session.flush()
    return _part(part, session)


@read_transaction
def figures(session: Session, now: datetime, keys: Keys, failing: Callable[[int], bool]) -> FiguresView:
    """The figures of this day (UTC); `failing` tells whether this process's breaker of an endpoint is not closed."""
    day, rows = neighbourhoods.day(session, now.astimezone(UTC).date()), endpoints.list_all(session)
    active, keyless = [row for row in rows if row.state is EndpointState.ACTIVE], keys.lost(session)
    waiting = sum(row.state is EndpointState.PENDING or bool(row.pending) for row in rows)
    waiting += sum(row.answer is None for row in decisions.objections(session))
    return FiguresView(
        battles=day.battles,
        votes=day.cast,
        failing=sum(failing(row.id) for row in active),
        waiting=waiting + len(shares.reported(session, _MOST_REPORTS)),
        keyless={row.name: row.key_env for row in active if row.id in keyless},
    )


@read_transaction
def loops(session: Session, now: datetime) -> list[LoopView]:
    """The loops of background work, and whether each is late."""
    return [_loop(row, now) for row in stored_loops.states(session)]


def _loop(row: LoopRow, now: datetime) -> LoopView:
    return LoopView(
        name=row.name,
        period=row.period,
        seconds=row.seconds,
        age=max(0.0, (now - row.passed_at).total_seconds()) if row.passed_at else None,
        worked_at=row.worked_at,
        failure=row.failure,
        late=stored_loops.is_late(row, now),
    )


def _part(part: Part, session: Session) -> PartView:
    row = site.flags(session)[part]
    return PartView(
        part=part,
        closed=bool(row and row.closed),
        reason=row.reason if row else "",
        changed_at=row.changed_at if row else None,
    )


def _act(row: ActRow) -> ActView:
    facts = dict(zip(("who", "via", "role", "kind", "target", "why"), operators.facts(row), strict=True))
    at = row.created_at.astimezone(UTC).replace(microsecond=0)
    return ActView(number=row.number, at=at, nonce=row.nonce.hex(), **facts)


def _cell(value: object) -> object:
    """A value that is safe in a spreadsheet: a text that looks like a formula is quoted."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value

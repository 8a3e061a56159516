"""What endpoints with a cap were asked each day (UTC), counted before the call, so that none passes its cap.

One without a cap is not counted: its row would only make those wait for each other who ask it at the same time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Date, func, literal, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from arena.store.locks import on_postgres
from arena.store.tables import BudgetRow, EndpointRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import InstrumentedAttribute, Session

_WITHOUT_CAP: Final = 2**31 - 1
"""The largest count that the columns hold."""


def capped(row: EndpointRow) -> bool:
    """Whether an endpoint is counted at all."""
    return row.daily_calls is not None or row.daily_tokens is not None


def take(session: Session, row: EndpointRow, day: date, tokens: int) -> bool:
    """Count one call and reserve its tokens, in one statement; False, and nothing counted, if a cap forbids it."""
    if not capped(row):
        return True
    calls_cap, tokens_cap = _cap(EndpointRow.daily_calls), _cap(EndpointRow.daily_tokens)
    first = select(EndpointRow.id, literal(day, Date), literal(1), literal(tokens)).where(
        EndpointRow.id == row.id, calls_cap >= 1, tokens_cap >= tokens
    )
    insert = postgresql.insert if on_postgres(session) else sqlite.insert
    statement = insert(BudgetRow).from_select(["endpoint_id", "day", "calls", "tokens"], first)
    own = EndpointRow.id == row.id
    counted = statement.on_conflict_do_update(
        index_elements=["endpoint_id", "day"],
        set_={"calls": BudgetRow.calls + 1, "tokens": BudgetRow.tokens + tokens},
        where=(BudgetRow.calls + 1 <= select(calls_cap).where(own).scalar_subquery())
        & (BudgetRow.tokens + tokens <= select(tokens_cap).where(own).scalar_subquery()),
    ).returning(BudgetRow.calls)
    return session.execute(counted).first() is not None


def take_each(session: Session, rows: Mapping[int, EndpointRow], day: date, tokens: Mapping[int, int]) -> set[int]:
    """Take for several endpoints; returns those whose cap forbids it, and then the caller undoes all of it.

    Always in one order, or two transactions could wait for each other.
    """
    return {number for number in sorted(tokens) if not take(session, rows[number], day, tokens[number])}


def settle(session: Session, day: date, differences: Mapping[int, int]) -> None:
    """Correct what was reserved, by the tokens that were used more or less."""
    for number in sorted(differences):
        session.execute(
            update(BudgetRow)
            .where(BudgetRow.endpoint_id == number, BudgetRow.day == day)
            .values(tokens=BudgetRow.tokens + differences[number])
        )


def spent(session: Session, day: date) -> set[int]:
    """The endpoints that have reached a cap."""
    return set(
        session.scalars(
            select(EndpointRow.id)
            .outerjoin(BudgetRow, (BudgetRow.endpoint_id == EndpointRow.id) & (BudgetRow.day == day))
            .where(
                or_(
                    func.coalesce(BudgetRow.calls, 0) >= EndpointRow.daily_calls,
                    func.coalesce(BudgetRow.tokens, 0) >= EndpointRow.daily_tokens,
                )
            )
        )
    )


def of(session: Session, endpoint_id: int, day: date) -> tuple[int, int]:
    """Calls and tokens of one endpoint on one day."""
    row = session.get(BudgetRow, (endpoint_id, day))
    return (row.calls, row.tokens) if row else (0, 0)


def _cap(column: InstrumentedAttribute[int | None]) -> ColumnElement[int]:
    return func.coalesce(column, _WITHOUT_CAP)

"""Uses of endpoints beyond battles, each allowed by the owner with a cap of calls per day (UTC) of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.adapters.store.tables import EndpointUseRow, UseCallsRow
from arena.adapters.store.upserts import insert

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables import EndpointRow
    from arena.domain.terms import Use


def uses(session: Session, endpoint_id: int) -> Sequence[EndpointUseRow]:
    """The uses of an endpoint beyond battles."""
    query = select(EndpointUseRow).where(EndpointUseRow.endpoint_id == endpoint_id).order_by(EndpointUseRow.use)
    return session.scalars(query).all()


def calls(session: Session, endpoint_id: int, day: date) -> dict[str, int]:
    """The calls of an endpoint on a day, by use."""
    query = select(UseCallsRow).where(UseCallsRow.endpoint_id == endpoint_id, UseCallsRow.day == day)
    return {row.use: row.calls for row in session.scalars(query)}


def put(session: Session, endpoint_id: int, use: Use, daily_calls: int | None) -> None:
    """Allow a use, or change its cap."""
    session.merge(EndpointUseRow(endpoint_id=endpoint_id, use=use, daily_calls=daily_calls))


def remove(session: Session, endpoint_id: int, use: Use) -> None:
    """Forbid a use."""
    row = session.get(EndpointUseRow, (endpoint_id, use))
    if row is not None:
        session.delete(row)


def allowed(session: Session, row: EndpointRow, use: Use) -> bool:
    """Whether an endpoint may be used so; a built-in one costs nobody money and may be used for all."""
    return not row.url or session.get(EndpointUseRow, (row.id, use)) is not None


def spent(session: Session, endpoint_id: int, use: Use, day: date) -> bool:
    """Whether the day's cap is reached."""
    row, counted = session.get(EndpointUseRow, (endpoint_id, use)), session.get(UseCallsRow, (endpoint_id, use, day))
    cap = row.daily_calls if row else None
    return cap is not None and (counted.calls if counted else 0) >= cap


def take(session: Session, endpoint_id: int, use: Use, day: date) -> bool:
    """Count one call in one statement; False, with nothing counted, if the day's cap is reached."""
    row = session.get(EndpointUseRow, (endpoint_id, use))
    cap = row.daily_calls if row else None
    if cap == 0:
        return False
    first = insert(session, UseCallsRow).values(endpoint_id=endpoint_id, use=use, day=day, calls=1)
    counted = first.on_conflict_do_update(
        index_elements=["endpoint_id", "use", "day"],
        set_={"calls": UseCallsRow.calls + 1},
        where=None if cap is None else UseCallsRow.calls < cap,
    )
    return session.execute(counted.returning(UseCallsRow.calls)).first() is not None

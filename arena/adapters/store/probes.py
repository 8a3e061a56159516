"""The queue of endpoints that wait for a probe, with claims by processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, true, update
from sqlalchemy.orm import aliased

from arena.adapters.store.tables import ChangeRow, EndpointRow, ProbeRow
from arena.domain.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


def any_waiting(session: Session) -> bool:
    """Whether any endpoint waits for a probe or is being probed."""
    return session.scalar(select(EndpointRow.id).where(EndpointRow.state == EndpointState.PROBING).limit(1)) is not None


def claim(session: Session, mine: Collection[int], most: int, now: datetime, until: datetime) -> list[int]:
    """Extend this process's claims, and claim up to `most` unclaimed endpoints more, at most one of each owner.

    Endpoints whose last probe failed come last; then the owner whose last probe is longest ago comes first, and among
    that owner's endpoints, as among owners without a probe, the earliest request.
    """
    query = select(EndpointRow.id, EndpointRow.owner_id, EndpointRow.probe_until).order_by(
        *_queue_order(), EndpointRow.id
    )
    query = query.where(EndpointRow.state == EndpointState.PROBING).with_for_update(skip_locked=True, of=EndpointRow)
    rows = session.execute(query).all()
    busy = {owner for number, owner, held in rows if number in mine or (held and held > now)}
    taken: list[int] = []
    for number, owner, _ in rows:
        if owner not in busy and len(taken) < most:
            busy.add(owner)
            taken.append(number)
    _hold(session, [*mine, *taken], until)
    return taken


def release(session: Session, endpoint_id: int) -> None:
    """Release the claim, so that the endpoint's next probe can begin at once."""
    _hold(session, [endpoint_id], None)


def _hold(session: Session, numbers: Collection[int], until: datetime | None) -> None:
    session.execute(update(EndpointRow).where(EndpointRow.id.in_(numbers)).values(probe_until=until))


def _queue_order() -> tuple[ColumnElement[Any], ...]:
    """Sort keys of the queue."""
    passed = select(ProbeRow.passed).where(ProbeRow.endpoint_id == EndpointRow.id).order_by(ProbeRow.id.desc()).limit(1)
    other = aliased(EndpointRow)
    last_probe = select(func.max(ProbeRow.created_at)).join(other, other.id == ProbeRow.endpoint_id)
    last_probe = last_probe.where(other.owner_id == EndpointRow.owner_id)
    requested = select(func.max(ChangeRow.number)).where(
        ChangeRow.endpoint_id == EndpointRow.id, ChangeRow.after == EndpointState.PROBING
    )
    return (
        func.coalesce(passed.scalar_subquery(), true()).desc(),
        last_probe.scalar_subquery().asc().nulls_first(),
        requested.scalar_subquery(),
    )

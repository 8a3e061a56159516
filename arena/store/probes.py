"""Which endpoints wait for a probe, and which process is at which of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from arena.store.tables import EndpointRow
from arena.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy.orm import Session


def any_waiting(session: Session) -> bool:
    """Whether any endpoint is to be probed, or is being probed."""
    return session.scalar(select(EndpointRow.id).where(EndpointRow.state == EndpointState.PROBING).limit(1)) is not None


def claim(session: Session, mine: Collection[int], most: int, now: datetime, until: datetime) -> list[int]:
    """Keep what this process is at, and take up to `most` endpoints besides that no process is at, one of an owner."""
    query = select(EndpointRow.id, EndpointRow.owner_id, EndpointRow.probe_until).order_by(EndpointRow.id)
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
    """Let the endpoint's next probe begin at once."""
    _hold(session, [endpoint_id], None)


def _hold(session: Session, numbers: Collection[int], until: datetime | None) -> None:
    session.execute(update(EndpointRow).where(EndpointRow.id.in_(numbers)).values(probe_until=until))

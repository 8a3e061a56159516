"""Queries about changes of endpoints, the queue of their probes, and open circuit breakers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, or_, select, true, update
from sqlalchemy.orm import aliased

from arena.adapters.store.tables.endpoint_records import BreakerRow, ProbeRow
from arena.adapters.store.tables.endpoints import ChangeRow, EndpointRow
from arena.domain.terms import EndpointState

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


BESIDE: Final = 8
"""Most probes of one owner at a time, as they may all go to one proxy with its own limits."""
_OTHER: Final = aliased(EndpointRow)
_IS_MOVE: Final = ChangeRow.before.is_distinct_from(ChangeRow.after)
_NEWEST_CHANGE: Final = select(func.max(ChangeRow.__table__.c.number))


def state_changes(session: Session, endpoint_id: int, limit: int = 200) -> Sequence[ChangeRow]:
    """The newest state changes of an endpoint, newest first."""
    query = select(ChangeRow).where(ChangeRow.endpoint_id == endpoint_id).order_by(ChangeRow.number.desc())
    return session.scalars(query.limit(limit)).all()


def newest_changes(session: Session) -> dict[int, ChangeRow]:
    """The newest state change of each endpoint."""
    return _newest_where(session)


def last_moves(session: Session) -> dict[int, ChangeRow]:
    """The change that brought each endpoint into its state; later ones changed only other fields."""
    return _newest_where(session, _IS_MOVE)


def last_move(session: Session, endpoint_id: int) -> ChangeRow | None:
    """The change that brought an endpoint into its state, as in `last_moves`."""
    query = select(ChangeRow).where(ChangeRow.endpoint_id == endpoint_id, _IS_MOVE)
    return session.scalar(query.order_by(ChangeRow.number.desc()).limit(1))


def _newest_where(session: Session, *conditions: ColumnElement[bool]) -> dict[int, ChangeRow]:
    newest = select(func.max(ChangeRow.number)).where(ChangeRow.endpoint_id == EndpointRow.id, *conditions)
    newest = newest.correlate(EndpointRow).scalar_subquery()
    rows = session.scalars(select(ChangeRow).join_from(EndpointRow, ChangeRow, ChangeRow.number == newest))
    return {row.endpoint_id: row for row in rows}


def newest_probes(session: Session) -> dict[int, ProbeRow]:
    """The newest probe of each endpoint."""
    newest = select(func.max(ProbeRow.id)).where(ProbeRow.endpoint_id == EndpointRow.id).correlate(EndpointRow)
    newest = newest.scalar_subquery()
    query = select(ProbeRow).join_from(EndpointRow, ProbeRow, ProbeRow.id == newest)
    return {row.endpoint_id: row for row in session.scalars(query)}


def newest_probe(session: Session, endpoint_id: int) -> ProbeRow | None:
    """The newest probe of an endpoint."""
    query = select(ProbeRow).where(ProbeRow.endpoint_id == endpoint_id)
    return session.scalar(query.order_by(ProbeRow.id.desc()).limit(1))


def revision(session: Session, endpoint_id: int) -> int:
    """The number of an endpoint's newest change; every change increases it."""
    query = select(func.max(ChangeRow.number)).where(ChangeRow.endpoint_id == endpoint_id)
    return session.scalar(query) or 0


def newest_change(session: Session) -> int:
    """The number of the newest change of any endpoint.

    On PostgreSQL a change may become visible after one with a higher number.
    """
    return session.connection().execute(_NEWEST_CHANGE).scalar() or 0


def settled_change(session: Session, after: int, until: datetime) -> int:
    """Number above `after` up to which all changes are from before `until`; `after` if there are none."""
    newer = ChangeRow.number > after, ChangeRow.created_at > until
    unsettled = session.scalar(select(func.min(ChangeRow.number)).where(*newer))
    return newest_change(session) if unsettled is None else unsettled - 1


def any_probing(session: Session) -> bool:
    """Whether any endpoint waits for a probe or is being probed."""
    return session.scalar(select(EndpointRow.id).where(EndpointRow.state == EndpointState.PROBING).limit(1)) is not None


def claim_probes(
    session: Session, owned: Collection[int], limit: int, now: datetime, until: datetime, *, spare: int | None = None
) -> list[int]:
    """Extend this process's claims on the endpoints `owned`, and claim up to `limit` more; returns the new ones.

    At first each owner gets one probe at a time. Then, unless `spare` is None, owners get up to `BESIDE` as long as
    more than `spare` of the `limit` are left. Endpoints whose last probe failed come last; among the others the order
    is: owner with the least recent probe, then earliest request.
    """
    query = select(EndpointRow.id, EndpointRow.owner_id, EndpointRow.probe_until).order_by(
        *_queue_order(), EndpointRow.id
    )
    query = query.where(EndpointRow.state == EndpointState.PROBING).with_for_update(skip_locked=True, of=EndpointRow)
    rows = session.execute(query).all()
    claims = {number for number, _, claimed_until in rows if number in owned or (claimed_until and claimed_until > now)}
    running = Counter(owner for number, owner, _ in rows if number in claims)
    additions: list[int] = []
    for beside, places in ((1, limit), (BESIDE, 0 if spare is None else limit - spare)):
        for number, owner, _ in rows:
            if number not in claims and running[owner] < beside and len(additions) < places:
                claims.add(number)
                running[owner] += 1
                additions.append(number)
    _hold(session, [*owned, *additions], until)
    return additions


def release_probe(session: Session, endpoint_id: int) -> None:
    """Release the claim, so that the endpoint can be probed again at once."""
    _hold(session, [endpoint_id], None)


def _hold(session: Session, numbers: Collection[int], until: datetime | None) -> None:
    session.execute(update(EndpointRow).where(EndpointRow.id.in_(numbers)).values(probe_until=until))


def _queue_order() -> tuple[ColumnElement[Any], ...]:
    """Sort keys of the queue of probes."""
    passed = select(ProbeRow.passed).where(ProbeRow.endpoint_id == EndpointRow.id).order_by(ProbeRow.id.desc()).limit(1)
    last_probe = select(func.max(ProbeRow.created_at)).join(_OTHER, _OTHER.id == ProbeRow.endpoint_id)
    last_probe = last_probe.where(_OTHER.owner_id == EndpointRow.owner_id)
    requested = select(func.max(ChangeRow.number)).where(
        ChangeRow.endpoint_id == EndpointRow.id, ChangeRow.after == EndpointState.PROBING
    )
    return (
        func.coalesce(passed.scalar_subquery(), true()).desc(),
        last_probe.scalar_subquery().asc().nulls_first(),
        requested.scalar_subquery(),
    )


FRESH: Final = timedelta(seconds=30)
"""Time for which a process's report is valid."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Number of processes whose breaker for an endpoint is open, and the time when the first one opened."""

    processes: int = 0
    since: datetime | None = None


def report_breakers(
    session: Session, process: str, opened: Mapping[int, datetime], now: datetime, *, chats: bool
) -> None:
    """Replace a process's report by its currently open breakers, and delete stale reports."""
    session.execute(delete(BreakerRow).where(or_(BreakerRow.process == process, BreakerRow.seen_at < now - FRESH)))
    session.add_all(
        BreakerRow(process=process, endpoint_id=number, chats=chats, since=since, seen_at=now)
        for number, since in opened.items()
    )


def open_breakers(session: Session, now: datetime, *, chats: bool) -> dict[int, Opened]:
    """The endpoints with an open breaker in any process, for battles or for chats."""
    query = (
        select(BreakerRow.endpoint_id, func.count(), func.min(BreakerRow.since))
        .where(BreakerRow.seen_at >= now - FRESH, BreakerRow.chats == chats)
        .group_by(BreakerRow.endpoint_id)
    )
    return {number: Opened(count, since) for number, count, since in session.execute(query)}

"""Same weights: pairs of endpoints that serve one model, so that what differs between them comes from their hosts.

The owner of one states it. It counts, and the public sees it, once the owner of the other has stated it as well, or an
operator has; each of the two owners can take it back. A new version of an endpoint begins without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, or_, select

from arena.adapters.store import endpoints
from arena.adapters.store.engine.transactions import write_transaction
from arena.adapters.store.tables.endpoint_records import SameWeightsRow
from arena.domain.errors import EndpointNotFound, Invalid, ModelNotFound, WrongState
from arena.domain.schemas.endpoints import SameWeightsView

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.endpoints import EndpointRow


@write_transaction
def state_same(session: Session, owner_id: int, endpoint_id: int, name: str, now: datetime) -> None:
    """State, as an endpoint's owner, that it serves the same weights as the model with this name.

    That confirms the same statement of the other owner; of two endpoints of one owner it counts at once.

    Raises:
        EndpointNotFound: It is not this owner's.
        WrongState: The public does not see it.
        ModelNotFound: The public sees no model with this name.
        Invalid: It is the endpoint itself.
    """
    row = endpoints.owned(session, endpoint_id, owner_id)
    other = _other(session, row, name)
    is_confirmed = other.owner_id == owner_id
    statement = _between(session, row.id, other.id)
    if statement is None:
        _add(session, row.id, other.id, now, is_confirmed=is_confirmed)
    elif statement.confirmed_at is None and (is_confirmed or statement.endpoint_id == other.id):
        statement.confirmed_at = now


@write_transaction
def confirm_same(session: Session, endpoint_id: int, name: str, now: datetime) -> bool:
    """State and confirm it as an operator, whether or not an owner has stated it; False if it is confirmed already.

    Raises:
        EndpointNotFound: There is no such endpoint.
        WrongState, ModelNotFound, Invalid: As in `state_same`.
    """
    row = _endpoint(session, endpoint_id)
    other = _other(session, row, name)
    statement = _between(session, row.id, other.id)
    if statement is None:
        _add(session, row.id, other.id, now, is_confirmed=True)
    elif statement.confirmed_at is None:
        statement.confirmed_at = now
    else:
        return False
    return True


@write_transaction
def take_back(session: Session, owner_id: int, endpoint_id: int, name: str) -> None:
    """Delete the statement of an endpoint and the model with this name, whichever of the two owners has made it.

    Raises:
        EndpointNotFound: The endpoint is not this owner's.
        ModelNotFound: No model has this name.
    """
    _delete(session, endpoints.owned(session, endpoint_id, owner_id), name)


@write_transaction
def refuse_same(session: Session, endpoint_id: int, name: str) -> bool:
    """Delete it as an operator; returns whether anybody had stated it.

    Raises:
        EndpointNotFound: There is no such endpoint.
        ModelNotFound: No model has this name.
    """
    return _delete(session, _endpoint(session, endpoint_id), name)


def statements(session: Session, endpoint_id: int) -> list[SameWeightsView]:
    """All statements of an endpoint and about it, by the name of the other model."""
    rows = session.scalars(select(SameWeightsRow).where(_involves(endpoint_id))).all()
    models = endpoints.by_id(session, (number for row in rows for number in (row.endpoint_id, row.other_id)))
    views = [
        SameWeightsView(
            model=models[row.other_id if row.endpoint_id == endpoint_id else row.endpoint_id].name,
            stated=row.endpoint_id == endpoint_id or row.confirmed_at is not None,
            confirmed=row.confirmed_at is not None,
        )
        for row in rows
    ]
    return sorted(views, key=lambda view: view.model)


def same_models(session: Session, endpoint_id: int) -> list[str]:
    """The public models that serve the same weights as an endpoint, as is confirmed, by name."""
    views = statements(session, endpoint_id)
    return [view.model for view in views if view.confirmed and endpoints.public_by_name(session, view.model)]


def _endpoint(session: Session, endpoint_id: int) -> EndpointRow:
    row = endpoints.by_id(session, [endpoint_id]).get(endpoint_id)
    if row is None:
        raise EndpointNotFound
    return row


def _other(session: Session, row: EndpointRow, name: str) -> EndpointRow:
    """The other model; both are locked in one order, so that two owners who state it at once confirm each other."""
    if row.name == name:
        raise Invalid(rule="same")
    if endpoints.public_by_name(session, row.name) is None:
        raise WrongState(rule="same_weights")
    other = endpoints.public_by_name(session, name)
    if other is None:
        raise ModelNotFound
    for number in sorted((row.id, other.id)):
        endpoints.locked(session, number)
    return other


def _add(session: Session, endpoint_id: int, other_id: int, now: datetime, *, is_confirmed: bool) -> None:
    confirmed_at = now if is_confirmed else None
    row = SameWeightsRow(endpoint_id=endpoint_id, other_id=other_id, stated_at=now, confirmed_at=confirmed_at)
    session.add(row)


def _delete(session: Session, row: EndpointRow, name: str) -> bool:
    other = endpoints.by_name(session, name)  # of any state: it may have left the public since
    if other is None:
        raise ModelNotFound
    statement = delete(SameWeightsRow).where(_is_pair(row.id, other.id))
    return session.execute(statement.returning(SameWeightsRow.other_id)).first() is not None


def _between(session: Session, one: int, other: int) -> SameWeightsRow | None:
    return session.scalar(select(SameWeightsRow).where(_is_pair(one, other)))


def _is_pair(one: int, other: int) -> ColumnElement[bool]:
    """Condition: the statement is of these two, in either order."""
    orders = ((one, other), (other, one))
    return or_(*(and_(SameWeightsRow.endpoint_id == a, SameWeightsRow.other_id == b) for a, b in orders))


def _involves(endpoint_id: int) -> ColumnElement[bool]:
    return or_(SameWeightsRow.endpoint_id == endpoint_id, SameWeightsRow.other_id == endpoint_id)

"""Uses of an endpoint beyond battles: the owner, who pays for the calls, allows each with a daily cap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import budgets, endpoints, owners
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import EndpointNotFound, WrongState
from arena.domain.terms import EndpointState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.domain.schemas.endpoints import UseRequest
    from arena.domain.terms import Use
    from arena.usecases.endpoints.ownership import By


@write_transaction
def choose_use(session: Session, by: By, endpoint_id: int, use: Use, request: UseRequest) -> None:
    """Allow or forbid a use, as the endpoint's owner.

    Raises:
        EndpointNotFound: It is not this owner's.
        WrongState: It is retired.
    """
    _set(session, endpoints.owned_for_update(session, endpoint_id, by.owner), use, request)


@write_transaction
def decide_use(session: Session, endpoint_id: int, use: Use, request: UseRequest) -> bool:
    """Allow or forbid a use, as an operator; returns whether that changes anything.

    An owner who pays for the calls and can sign in allows it themselves.

    Raises:
        EndpointNotFound: There is no such endpoint.
        WrongState: It is retired, known by imported votes alone, or its owner's to allow.
    """
    row = endpoints.by_id(session, [endpoint_id]).get(endpoint_id)
    if row is None:
        raise EndpointNotFound
    if request.allowed and owners.alone_allow(session, row):
        raise WrongState(rule="use_owner", owner=row.owner.name)
    return _set(session, row, use, request)


def _set(session: Session, row: EndpointRow, use: Use, request: UseRequest) -> bool:
    if row.state in {EndpointState.RETIRED, EndpointState.IMPORTED}:
        raise WrongState(rule="use")
    if request.allowed:
        return budgets.allow(session, row.id, use, request.daily_calls)
    return budgets.forbid(session, row.id, use)

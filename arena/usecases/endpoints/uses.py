"""Uses of an endpoint beyond battles: the owner, who pays for the calls, allows each with a daily cap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import budgets, endpoints
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import WrongState
from arena.domain.terms import EndpointState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.schemas.endpoints import UseRequest
    from arena.domain.terms import Use
    from arena.usecases.endpoints.ownership import By


async def allow_use(database: Database, endpoint_id: int, use: Use, daily_calls: int | None) -> None:
    """Allow a use of an endpoint, without a cap if `daily_calls` is None."""
    await database.write(budgets.allow, endpoint_id, use, daily_calls)


async def forbid_use(database: Database, endpoint_id: int, use: Use) -> None:
    """Forbid a use of an endpoint."""
    await database.write(budgets.forbid, endpoint_id, use)


@write_transaction
def choose_use(session: Session, by: By, endpoint_id: int, use: Use, request: UseRequest) -> None:
    """Allow or forbid a use, as the endpoint's owner.

    Raises:
        EndpointNotFound: It is not this owner's.
        WrongState: It is retired.
    """
    row = endpoints.owned_for_update(session, endpoint_id, by.owner)
    if row.state is EndpointState.RETIRED:
        raise WrongState(rule="use")
    if request.allowed:
        budgets.allow(session, row.id, use, request.daily_calls)
    else:
        budgets.forbid(session, row.id, use)

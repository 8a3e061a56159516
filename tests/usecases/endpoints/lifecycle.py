"""States of endpoints set directly, without the steps that lead to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.usecases.endpoints.states import record

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena.domain.terms import EndpointState
    from arena.usecases.endpoints.states import Step


def force_state(session: Session, row: EndpointRow, state: EndpointState, step: Step) -> None:
    """Set the state of an endpoint from any state, and record the step."""
    before, row.state = row.state, state
    record(session, row, step, before)

"""The life of an endpoint: from which state to which, and the dated row that every step leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.errors import ModelNotFound, WrongState
from arena.store import endpoints
from arena.store.tables import ChangeRow, EndpointRow
from arena.terms import EndpointState
from arena.text import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database

OPERATOR: Final = "operator"
HEALTH: Final = "health"
REASON_LIMIT: Final = 200
_JOINING: Final = frozenset({EndpointState.DRAFT, EndpointState.PROBING, EndpointState.PENDING})
_LIVING: Final = frozenset({EndpointState.ACTIVE, EndpointState.PAUSED, EndpointState.SUSPENDED})
_BEFORE: Final = {
    EndpointState.PAUSED: frozenset({EndpointState.ACTIVE}),
    EndpointState.ACTIVE: _LIVING | {EndpointState.RETIRED},
    EndpointState.SUSPENDED: _JOINING | _LIVING,
    EndpointState.RETIRED: _JOINING | _LIVING,
}
"""From where the operator may bring an endpoint to each state. A paused one is its owner's to resume, so none that has
not been approved may be paused."""
_WHY: Final = {
    EndpointState.IMPORTED: "is known from imported votes only.",
    EndpointState.PENDING: "has passed its probe and waits: approve it.",
}


@dataclass(frozen=True, slots=True)
class Step:
    """Who moves an endpoint, why, and when; `actor` is `operator`, `health`, or `owner:` and a number."""

    actor: str
    reason: str
    now: datetime


def move(session: Session, row: EndpointRow, after: EndpointState, step: Step) -> None:
    """Bring a new or known endpoint into a state, and write down that it was."""
    before = row.state if row.id else None
    row.state = after
    session.flush()
    session.add(
        ChangeRow(
            endpoint_id=row.id,
            before=before,
            after=after,
            actor=step.actor,
            reason=step.reason[:REASON_LIMIT],
            created_at=step.now,
        )
    )


async def set_state(database: Database, name: str, state: EndpointState, step: Step) -> None:
    """Pause, resume, suspend or retire as the operator may; what is so already stays so.

    Raises:
        Invalid: The reason does not fit.
        ModelNotFound: Nobody has this name.
        WrongState: It cannot be brought from where it is to there.
    """
    one_line("reason", step.reason, REASON_LIMIT)
    await database.write(_set_state, name, state, step)


def _set_state(session: Session, name: str, state: EndpointState, step: Step) -> None:
    row = endpoints.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    row = endpoints.locked(session, row.id) or row
    if row.state is state:
        return
    if row.state not in _BEFORE[state]:
        raise WrongState(f"{name!r} {_WHY.get(row.state, f'is {row.state}, and cannot become {state}.')}")
    move(session, row, state, step)

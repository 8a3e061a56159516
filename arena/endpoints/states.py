"""The life of an endpoint: from which state to which, and the dated row that every step leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.errors import Invalid, ModelNotFound
from arena.store import endpoints
from arena.store.tables import ChangeRow, EndpointRow
from arena.terms import EndpointState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database

OPERATOR: Final = "operator"
HEALTH: Final = "health"


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
            reason=step.reason,
            created_at=step.now,
        )
    )


async def set_state(database: Database, name: str, state: EndpointState, step: Step) -> None:
    """Pause, resume, suspend or retire.

    Raises:
        ModelNotFound: Nobody has this name.
        Invalid: It is known from imported votes only and cannot be called.
    """
    await database.write(_set_state, name, state, step)


def _set_state(session: Session, name: str, state: EndpointState, step: Step) -> None:
    row = endpoints.by_name(session, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    if row.state is EndpointState.IMPORTED:
        raise Invalid(f"{name!r} is known from imported votes only.")
    move(session, row, state, step)

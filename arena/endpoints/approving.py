"""From a passed probe to battles: by the operator's word, or by itself where the operator wants it so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.endpoints.builtin import give_way
from arena.endpoints.states import OPERATOR, REASON_LIMIT, Step, move
from arena.errors import EndpointNotFound, ModelNotFound, WrongState
from arena.store import endpoints
from arena.terms import EndpointState
from arena.text import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.endpoints.builtin import Demo
    from arena.endpoints.rules import OwnerRules
    from arena.store.engine import Database
    from arena.store.tables import EndpointRow

PASSED: Final = "passed its probe"


def passed(session: Session, row: EndpointRow, rules: OwnerRules, actor: str, now: datetime) -> None:
    """Bring an endpoint that has passed its probe to its approval, and on into battles if that is automatic."""
    move(session, row, EndpointState.PENDING, Step(actor, PASSED, now))
    if rules.approval == "auto":
        _activate(session, row, rules.demo, Step(OPERATOR, "approved automatically", now))


async def approve(database: Database, endpoint_id: int, demo: Demo, step: Step) -> int:
    """Let an endpoint that waits for it take part, whereupon built-in ones may retire. Returns how many did.

    Raises:
        Invalid: The reason does not fit.
        EndpointNotFound: There is none.
        WrongState: It does not wait for an approval.
    """
    one_line("reason", step.reason, REASON_LIMIT)
    return await database.write(_approve, endpoint_id, demo, step)


async def number_of(database: Database, name: str) -> int:
    """The number of the endpoint with this name.

    Raises:
        ModelNotFound: Nobody has it.
    """
    row = await database.read(endpoints.by_name, name)
    if row is None:
        raise ModelNotFound(f"No endpoint is named {name!r}.")
    return row.id


def _approve(session: Session, endpoint_id: int, demo: Demo, step: Step) -> int:
    row = endpoints.locked(session, endpoint_id)
    if row is None:
        raise EndpointNotFound
    if row.state is not EndpointState.PENDING:
        raise WrongState(f"{row.name!r} is {row.state}; only what has passed its probe waits for an approval.")
    return _activate(session, row, demo, step)


def _activate(session: Session, row: EndpointRow, demo: Demo, step: Step) -> int:
    move(session, row, EndpointState.ACTIVE, step)
    return give_way(session, demo)

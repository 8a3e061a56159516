"""Kill switches of the operator; a part of the service is open by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, select

from arena.adapters.store.tables.operations import FlagRow
from arena.domain.errors import Closed
from arena.domain.terms import Part

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

_CLOSED: Final = select(FlagRow.__table__.c.closed).where(FlagRow.__table__.c.name == bindparam("part"))


def check_open(session: Session, part: Part) -> None:
    """Check that this part is open.

    Raises:
        Closed: The operator has closed it.
    """
    if not is_open(session, part):
        raise Closed


def is_open(session: Session, part: Part) -> bool:
    """Whether this part is open."""
    return not session.connection().execute(_CLOSED, {"part": part.value}).scalar()


def every(session: Session) -> dict[Part, FlagRow | None]:
    """The flag of every part; None if it was never set."""
    return {part: session.get(FlagRow, part.value) for part in Part}


def put(session: Session, part: Part, *, closed: bool, reason: str, now: datetime) -> None:
    """Close or open a part; every process sees it from its next write on."""
    session.merge(FlagRow(name=part.value, closed=closed, reason=reason, changed_at=now))

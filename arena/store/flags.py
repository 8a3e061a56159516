"""Which parts of the service the operator has closed; a part that nobody touched is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from arena.errors import Closed
from arena.store.tables import FlagRow
from arena.terms import Part

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session


def check_open(session: Session, part: Part) -> None:
    """Go on only if this part is open.

    Raises:
        Closed: The operator has closed it.
    """
    if not is_open(session, part):
        raise Closed


def is_open(session: Session, part: Part) -> bool:
    """Whether nobody has closed this part."""
    return not session.scalar(select(FlagRow.closed).where(FlagRow.name == part.value))


def every(session: Session) -> dict[Part, FlagRow | None]:
    """Each part, and what was last said of it."""
    return {part: session.get(FlagRow, part.value) for part in Part}


def put(session: Session, part: Part, *, closed: bool, reason: str, now: datetime) -> None:
    """Close or open a part, for every process from its next write on."""
    session.merge(FlagRow(name=part.value, closed=closed, reason=reason, changed_at=now))

"""Which results may stay off the board: those of few variants, and only while they have few votes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.endpoints.states import OPERATOR, Step, move
from arena.errors import ResultsStay, UnlistedLimit
from arena.store import endpoints, owners, records

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.store.engine import Database
    from arena.store.tables import EndpointRow

UNLISTED: Final = 3
"""Variants per owner that may be off the board at once; more would let an owner show the luckiest of many."""
WINDOW: Final = timedelta(days=90)
STAY: Final = 200
"""Counted votes from which on results cannot be taken off the board."""


def claim_unlisted(session: Session, owner_id: int, now: datetime) -> None:
    """Make sure that one more unlisted variant is allowed; of those who ask at once, one is asked after the other.

    Raises:
        UnlistedLimit: It would be one too many.
    """
    owners.held(session, owner_id)
    if endpoints.count_unlisted(session, owner_id, now - WINDOW) >= UNLISTED:
        raise UnlistedLimit


def set_listed(session: Session, row: EndpointRow, listed: bool, step: Step) -> None:  # noqa: FBT001 - it is the value
    """Put an endpoint's results on the board or take them off.

    Raises:
        ResultsStay: They have become too many to be taken off.
        UnlistedLimit: The owner has as many unlisted variants as there may be.
    """
    if row.listed == listed:
        return
    if not listed:
        if records.votes(session, row.id) >= STAY:
            raise ResultsStay
        claim_unlisted(session, row.owner_id, step.now)
    row.listed = listed
    move(session, row, row.state, step)


async def list_settled(database: Database, now: datetime) -> list[str]:
    """Put every variant on the board that has the votes for it; returns their names."""
    settled = await database.read(_settled)
    return await database.write(_list, settled, now) if settled else []


def _settled(session: Session) -> list[int]:
    return [number for number in endpoints.unlisted(session) if records.votes(session, number) >= STAY]


def _list(session: Session, numbers: list[int], now: datetime) -> list[str]:
    rows = [row for number in numbers if (row := endpoints.locked(session, number)) and not row.listed]
    for row in rows:
        set_listed(session, row, True, Step(OPERATOR, f"listed: it has {STAY} counted votes", now))
    return [row.name for row in rows]

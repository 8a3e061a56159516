"""Invitations: links by which a group enters, with an end and a number of seats, one for each device."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import voters
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.errors import Invalid, InvitationRefused, NotFound
from arena.domain.sittings import INVITATION_DAYS
from arena.domain.text import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

SEATS: Final = 10_000
DAYS: Final = INVITATION_DAYS
TITLE_LIMIT: Final = 80


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of an invitation: the identity (issuer and subject) of a new member, and its end."""

    issuer: str
    subject: str
    until: datetime


@write_transaction
def invite(session: Session, title: str, seats: int, days: int, now: datetime) -> str:
    """Make an invitation and return its token, of which only a digest is stored.

    Raises:
        Invalid: Title, seats or days do not fit.
    """
    one_line("title", title, TITLE_LIMIT)
    for name, value, limit in (("seats", seats, SEATS), ("days", days, DAYS)):
        if not 1 <= value <= limit:
            raise Invalid(field=name, rule="number", low=1, high=limit)
    token = secrets.token_urlsafe(18)
    voters.add_invitation(session, _digest(token), title, seats, now, now + timedelta(days=days))
    return token


async def take_seat(database: Database, token: str, now: datetime) -> Seat:
    """Take a seat of an invitation; one that has ended has no free seat any more, also if the clock is set back.

    Raises:
        InvitationRefused: It is unknown, has ended, or has no free seat.
    """
    seat = await _take_seat(database, token, now)
    if isinstance(seat, str):
        raise InvitationRefused(rule=seat)
    return seat


@write_transaction
def _take_seat(session: Session, token: str, now: datetime) -> Seat | str:
    """A seat, or the rule by which there is none."""
    row = voters.invitation_by_digest(session, _digest(token))
    if row is None:
        return "unknown"
    if row.ends_at.astimezone(UTC) <= now:
        row.seats = row.taken
        return "ended"
    if not voters.take_seat(session, row.id):
        return "full"
    return Seat(f"invitation {row.id}", secrets.token_hex(16), row.ends_at.astimezone(UTC))


@write_transaction
def withdraw(session: Session, number: int) -> None:
    """Withdraw an invitation, so that nobody can take a further seat.

    Raises:
        NotFound: There is no such invitation.
    """
    if not voters.withdraw_invitation(session, number):
        raise NotFound


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

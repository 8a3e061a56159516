"""Spent challenges of bot checks; the unique challenge decides which of two answers to it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, delete, select

from arena.adapters.store.tables import BotCheckRow
from arena.domain.terms import BotVerdict

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date, datetime

    from sqlalchemy.orm import Session

_VERDICTS: Final = select(BotCheckRow.voter_key, BotCheckRow.verdict).where(
    BotCheckRow.voter_key.in_(bindparam("keys", expanding=True)), BotCheckRow.day == bindparam("day")
)


def record(session: Session, challenge: str, voter_key: str, verdict: BotVerdict, now: datetime, day: date) -> None:
    """Spend a challenge.

    Raises:
        IntegrityError: It was spent before.
    """
    session.add(BotCheckRow(challenge=challenge, voter_key=voter_key, day=day, verdict=verdict, created_at=now))
    session.flush()


def verdict(session: Session, voter_key: str, day: date) -> BotVerdict:
    """The best verdict of this voter on a day: one check passed outweighs others."""
    return verdicts(session, {voter_key}, day).get(voter_key, BotVerdict.UNKNOWN)


def verdicts(session: Session, voter_keys: Collection[str], day: date) -> dict[str, BotVerdict]:
    """As `verdict`, for several voters; those without a check are left out."""
    rank = list(BotVerdict).index
    best: dict[str, BotVerdict] = {}
    # Without the ORM, as everything that each vote waits for.
    for key, found in session.connection().execute(_VERDICTS, {"keys": sorted(voter_keys), "day": day}):
        best[key] = min(best.get(key, found), found, key=rank)
    return best


def done(session: Session, voter_keys: Collection[str], days: Collection[date]) -> set[tuple[str, date]]:
    """Voter and day of each check of these that was not failed, whether or not it could be judged."""
    rows = select(BotCheckRow.voter_key, BotCheckRow.day).where(
        BotCheckRow.voter_key.in_(voter_keys), BotCheckRow.day.in_(days), BotCheckRow.verdict != BotVerdict.FAIL
    )
    return {(key, day) for key, day in session.execute(rows)}


def forget_before(session: Session, day: date) -> None:
    """Delete the checks of earlier days."""
    session.execute(delete(BotCheckRow).where(BotCheckRow.day < day))

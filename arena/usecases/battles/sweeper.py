"""The sweeper: fails turns whose process has died, ends conversations left open, deletes old daily records."""

from __future__ import annotations

from datetime import UTC, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from arena.adapters.store import conversations as stored
from arena.adapters.store import leases, neighbourhoods, voters
from arena.adapters.store.engine.transactions import write_transaction
from arena.domain.terms import LEFT_OPEN
from arena.usecases.battles.turn_ends import lose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.conversations import AnyKind, RunningTurn

PRESENCE: Final = "present "
"""Prefix of the leases by which processes show that they are there."""
CHECKS_KEPT: Final = timedelta(days=30)
"""Age at which bot checks are deleted."""


def presence_of(process: str) -> str:
    """The name of the lease of a process."""
    return PRESENCE + sha256(process.encode()).hexdigest()[:32]


@write_transaction
def sweep(session: Session, now: datetime, *, starting: str | None = None) -> int:
    """Fail overdue turns, abandon old battles and chats, and delete old records; returns the number of failed turns.

    `starting` is the name of a process that is starting, empty if it is the only one. Its running turns are from before
    the start, so they are failed in place of the overdue ones.
    """
    today = now.astimezone(UTC).date()
    neighbourhoods.forget_before(session, today)
    voters.forget_checks(session, today - CHECKS_KEPT)
    return sum(_sweep_kind(session, kind, now, starting) for kind in stored.KINDS)


def end_turns_of_gone(session: Session, process: str, now: datetime) -> int:
    """Fail the running turns of processes whose presence has ended; returns their number.

    `process` asks, and so is there. The turns of a process that never announced itself are left to their deadline.
    """
    names = {presence_of(other): other for other in stored.running_processes(session) - {process}}
    absent = [names[name] for name in leases.expired(session, names, now)]
    turns = [(kind, turn) for kind in stored.KINDS for turn in stored.running(session, kind, absent)]
    return sum(lose(session, kind, turn, now) for kind, turn in turns)


def _sweep_kind(session: Session, kind: AnyKind, now: datetime, starting: str | None) -> int:
    ended = [lose(session, kind, turn, now) for turn in _lost(session, kind, now, starting)]
    stored.abandon_before(session, kind, now - LEFT_OPEN, now)
    return sum(ended)


def _lost(session: Session, kind: AnyKind, now: datetime, starting: str | None) -> Sequence[RunningTurn]:
    if starting is None:
        return stored.overdue(session, kind, now)
    return stored.running(session, kind, [starting]) if starting else stored.all_running(session, kind)

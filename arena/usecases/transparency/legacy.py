"""Votes from before the log, and those of processes of an earlier version: they are logged in order, as `legacy`."""

from __future__ import annotations

import secrets
from datetime import UTC
from typing import TYPE_CHECKING, Final

from arena.adapters.store import log_leaves, votes
from arena.domain.tlog.leaves import NONCE, CommittedVote, Kind, vote_leaf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.votes import Unlogged

PIECE: Final = 1_000
"""Votes of one transaction, so that new votes hardly wait."""


async def log_earlier(database: Database, after: int, guard: Callable[[Session], None]) -> int:
    """Log some votes numbered above `after` that have no leaf; returns the number up to which every vote has one.

    Whoever is stopped begins again with `after` 0. `guard` fails once another process has taken over.
    """
    last, found = await database.read(_unlogged, after)
    if found:
        await database.write(_add, found, guard)
    return found[-1].vote.number if len(found) == PIECE else last


def _unlogged(session: Session, after: int) -> tuple[int, Sequence[Unlogged]]:
    # In this order: what is cast meanwhile is looked at the next time.
    last = max(after, votes.last_number(session))
    return last, votes.unlogged(session, after=after, last=last, limit=PIECE) if last > after else ()


def _add(session: Session, found: Sequence[Unlogged], guard: Callable[[Session], None]) -> None:
    guard(session)
    made: list[tuple[int, bytes, bytes, bool]] = []
    for each in found:
        nonce = secrets.token_bytes(NONCE)
        leaf = vote_leaf(_committed(each), nonce, listed=each.listed, kind=Kind.LEGACY)
        made.append((each.vote.number, leaf, nonce, each.listed))
    log_leaves.add_votes(session, made, Kind.LEGACY)


def _committed(each: Unlogged) -> CommittedVote:
    vote = each.vote
    return CommittedVote(
        number=vote.number,
        day=vote.created_at.astimezone(UTC).date(),
        a=each.a,
        b=each.b,
        outcome=vote.outcome,
        reason=vote.not_counted,
        language=vote.language,
        turns=vote.turns,
        style=vote.style,
        chance=each.chance,
    )

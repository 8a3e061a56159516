"""Unlogged votes, inserted by other means than the arena: they never count; the operator has to exclude them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import log_leaves, votes
from arena.adapters.store.engine.sessions import one_at_a_time
from arena.domain.errors import Invalid
from arena.usecases.transparency.log_status import NAMED
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database

SLICE: Final = 10_000
"""Numbers of votes in one search, short enough that other queries hardly wait."""
SWEEP: Final = timedelta(hours=1)
"""Interval after which all votes are searched again, since SQL can insert a vote below the newest number."""
_VOTES_OF_LEAF: Final = 2_000
"""Maximum number of votes that one leaf names, since an entry of the log has at most 65,535 bytes."""
_LONGEST_REASON: Final = 500


class UnloggedVotes(Exception):
    """There are votes without a leaf that no leaf excludes yet."""

    def __init__(self, numbers: list[int]) -> None:
        super().__init__(numbered(numbers))
        self.numbers = numbers


@dataclass(slots=True)
class Search:
    """A search for unlogged votes, a slice of numbers at a time; `reached` is the last number of the last slice."""

    reached: int = 0
    began: datetime | None = None

    async def advance(self, database: Database, now: datetime, guard: Callable[[Session], None]) -> bool:
        """Search the next slice and store the unlogged votes; returns whether there are more slices.

        `guard` fails in the transaction that writes once another process has taken over.
        """
        if self.began is None or not timedelta(0) <= now - self.began < SWEEP:
            self.reached, self.began = 0, now
        newest, last, numbers = await database.read(_search, self.reached)
        if numbers:
            await database.write(_add, numbers, now, guard)
        self.reached = last
        return last < newest


async def exclude(database: Database, why: str, now: datetime) -> list[int]:
    """Add leaves that exclude all unlogged votes, with the reason, so that signing goes on; returns their numbers.

    Raises:
        Invalid: Every vote has its leaf, or the reason is empty or too long.
    """
    if not 0 < len(why.strip()) <= _LONGEST_REASON:
        raise Invalid(f"The reason needs 1 to {_LONGEST_REASON} characters.")
    _, _, numbers = await database.read(_search, 0, None)
    return await database.write(_exclude, numbers, why.strip(), now)


def numbered(numbers: list[int]) -> str:
    """Words for votes in a sentence: the first few numbers, and how many more there are."""
    first = ", ".join(map(str, numbers[:NAMED]))
    rest = f" and {len(numbers) - NAMED} more" if len(numbers) > NAMED else ""
    return f"{'vote' if len(numbers) == 1 else 'votes'} {first}{rest}"


def _search(session: Session, after: int, size: int | None = SLICE) -> tuple[int, int, list[int]]:
    """The newest number, the last one that was searched, and the unlogged votes up to it."""
    # First, so that votes cast during the search are left to the next one.
    newest = votes.last_number(session)
    last = newest if size is None else min(after + size, newest)
    return newest, max(after, last), log_leaves.search_unlogged(session, after=after, last=last) if last > after else []


def _add(session: Session, numbers: list[int], now: datetime, guard: Callable[[Session], None]) -> None:
    guard(session)
    one_at_a_time(session, "unlogged votes")
    log_leaves.add_unlogged(session, numbers, now)


def _exclude(session: Session, numbers: list[int], why: str, now: datetime) -> list[int]:
    one_at_a_time(session, "unlogged votes")
    log_leaves.add_unlogged(session, numbers, now)
    pending = log_leaves.pending_unlogged(session)
    if not pending:
        raise Invalid("Every vote has its leaf in the log: there is nothing to exclude.")
    for start in range(0, len(pending), _VOTES_OF_LEAF):
        piece = pending[start : start + _VOTES_OF_LEAF]
        leaf = log_leaves.add(session, LeafKind.UNLOGGED, votes=piece, why=why, day=now.date().isoformat())
        log_leaves.set_unlogged_leaf(session, piece, leaf)
    return pending

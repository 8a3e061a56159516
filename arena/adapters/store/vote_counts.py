"""Counted votes of all endpoints by outcome, read by difference: a list of endpoints asks for all of them at once."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select

from arena.adapters.store import votes
from arena.adapters.store.tables.conversations import ExclusionRow, VoteRow
from arena.domain.terms import Outcome

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session

Counts = defaultdict[int, Counter[Outcome]]


@dataclass(slots=True)
class VoteCounts:
    """The counted votes on each endpoint by outcome with it on side A, up to vote `last` and exclusion `exclusion`."""

    last: int = 0
    exclusion: int = 0
    outcomes: Counts = field(default_factory=lambda: defaultdict(Counter[Outcome]))
    _lock: Lock = field(default_factory=Lock)

    def advance(self, session: Session) -> Counts:
        """Read the votes and exclusions that are new to it; returns the outcomes by endpoint."""
        last, exclusion = votes.last_number(session), votes.last_exclusion(session)
        with self._lock:
            if last >= self.last and exclusion >= self.exclusion:
                self._add(session, self._new(last), 1)
                self._add(session, self._excluded(last, exclusion), -1)
                self.last, self.exclusion = last, exclusion
            return self.outcomes

    def _new(self, last: int) -> ColumnElement[bool]:
        return (VoteRow.number > self.last) & (VoteRow.number <= last)

    def _excluded(self, last: int, exclusion: int) -> ColumnElement[bool]:
        # A vote that is read late may have an early exclusion.
        new = or_(ExclusionRow.number > self.exclusion, ExclusionRow.vote_number > self.last)
        settled = ExclusionRow.number <= exclusion, ExclusionRow.vote_number <= last
        return VoteRow.number.in_(select(ExclusionRow.vote_number).where(new, *settled))

    def _add(self, session: Session, condition: ColumnElement[bool], sign: int) -> None:
        for a, b, outcome, count in session.execute(_by_pair(condition)):
            self.outcomes[a][outcome] += sign * count
            self.outcomes[b][outcome.mirrored] += sign * count


def _by_pair(condition: ColumnElement[bool]) -> Select[Any, Any, Any, Any]:
    columns = VoteRow.endpoint_a_id, VoteRow.endpoint_b_id, VoteRow.outcome
    return select(*columns, func.count()).where(condition, VoteRow.not_counted.is_(None)).group_by(*columns)

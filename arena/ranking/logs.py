"""The counted votes as columns in memory: read once, then advanced by what the log has gained."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from arena.ranking.facets import FacetLog
from arena.rating import Comparisons
from arena.store import votes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session


@dataclass(frozen=True, slots=True)
class Head:
    """Up to which vote and which exclusion a log has been read."""

    vote: int = 0
    exclusion: int = 0


def _nothing() -> NDArray[np.int64]:
    return np.empty(0, np.int64)


@dataclass(slots=True)
class CountedLog:
    """Votes that count, in order: their numbers and what they say, 16 bytes a vote.

    Its owner is one loop; it is no shared state. `seen` are the endpoints that any vote ever read was about; `facets`
    is only read when somebody asks for more than one board.
    """

    head: Head = field(default_factory=Head)
    numbers: NDArray[np.int64] = field(default_factory=_nothing)
    words: NDArray[np.int64] = field(default_factory=_nothing)
    seen: frozenset[int] = frozenset()
    facets: FacetLog = field(default_factory=FacetLog)

    def advance(self, session: Session, head: Head) -> None:
        """Read what lies between the own head and `head`; the result is the same as reading all of it at once."""
        new_numbers, new_words = votes.columns(session, after=self.head.vote, last=head.vote)
        # A vote read just now may have been excluded before.
        since = 0 if len(new_numbers) else self.head.exclusion
        gone = votes.excluded(session, after=since, last=head.exclusion)
        numbers = np.concatenate([self.numbers, new_numbers])
        words = np.concatenate([self.words, new_words])
        if gone:
            kept = np.isin(numbers, np.array(gone, dtype=np.int64), invert=True)
            numbers, words = numbers[kept], words[kept]
        left, right, _ = votes.unpack(new_words)
        seen = self.seen.union(np.union1d(left, right).tolist())
        # All at once and only now: a read that fails half way must leave the log as it was.
        self.head, self.numbers, self.words, self.seen = head, numbers, words, seen

    def without(self, endpoints: Iterable[int]) -> CountedLog:
        """The log as if nobody had ever voted on these endpoints."""
        gone = np.array(sorted(self.seen.intersection(endpoints)), np.int64)
        if not len(gone):
            return self
        left, right, _ = votes.unpack(self.words)
        kept = np.isin(left, gone, invert=True) & np.isin(right, gone, invert=True)
        return replace(
            self, numbers=self.numbers[kept], words=self.words[kept], seen=self.seen.difference(gone.tolist())
        )

    def comparisons(self, names: Mapping[int, str]) -> Comparisons:
        """The input of every rating method, competitors by name; `names` has one for each of `seen`."""
        left, right, outcome = votes.unpack(self.words)
        numbers = np.union1d(left, right)
        by_name = sorted(numbers.tolist(), key=names.__getitem__)
        place = np.empty(len(numbers), np.int32)
        place[np.searchsorted(numbers, by_name)] = np.arange(len(numbers), dtype=np.int32)
        return Comparisons(
            left=place[np.searchsorted(numbers, left)],
            right=place[np.searchsorted(numbers, right)],
            outcome=outcome.astype(np.uint8),
            weight=None,
            voter=None,
            category=None,
            names=tuple(names[number] for number in by_name),
        )


def head_of(session: Session) -> Head:
    """How far the log reaches now."""
    return Head(votes.last_number(session), votes.last_exclusion(session))

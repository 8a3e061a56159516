"""The counted votes as columns in memory: read incrementally from the log, sent as a difference to the fit."""

from __future__ import annotations

from asyncio import Lock
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.store import decisions, log_leaves, votes
from arena.usecases.ranking.heads import Head
from arena.usecases.ranking.sent_columns import Addition, SentColumns
from arena.usecases.ranking.slice_log import SliceLog
from arena.usecases.ranking.vote_labels import LabelLog
from arena_rating import Comparisons
from arena_rating.growing_log import GrowingColumn, GrowingNumbers
from arena_trust.integrity.weights_in_force import WeightsInForce

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from arena.adapters.store.votes import VoteColumns


_Basis = tuple[int, int, frozenset[int]]
"""Count of removals of earlier votes, revision of the weights, and unlisted endpoints in the votes."""
_KEYS: Final = count(1)


def _empty() -> GrowingColumn[np.int64]:
    return GrowingColumn(np.empty(0, np.int64))


def _no_voters() -> GrowingColumn[np.int32]:
    return GrowingColumn(np.empty(0, np.int32))


@dataclass(frozen=True, slots=True)
class _SentState:
    """The columns that the fitting process has under `key`: `rows` rows, the listed ones of the first `votes` votes.

    They are valid while `basis` and the names of `competitors`, in the order of their indices, do not change.
    """

    key: int
    basis: _Basis
    competitors: dict[int, str]
    votes: int = 0
    rows: int = 0


@dataclass(slots=True)
class CountedLog:
    """Counted votes in order: numbers, packed words, voters by day; 20 bytes each.

    Whoever reads or advances a log that others use too holds its `lock`, and computes from a `copy`. `seen` has all
    endpoints in votes read so far; `decided`, the weights in force; `removals`, how often earlier votes were removed;
    `widening`, that of the last parts, None if another process has measured it. `slices` and `labels` are read only for
    boards of slices; `web` has the votes on web pages after the first read, without decisions, as nobody judges them.
    """

    head: Head = field(default_factory=Head)
    seen: frozenset[int] = frozenset()
    decided: WeightsInForce = field(default_factory=WeightsInForce)
    removals: int = 0
    slices: SliceLog = field(default_factory=SliceLog)
    labels: LabelLog = field(default_factory=LabelLog)
    web: CountedLog | None = None
    widening: float | None = None
    lock: Lock = field(default_factory=Lock)
    _numbers: GrowingColumn[np.int64] = field(default_factory=_empty)
    _words: GrowingColumn[np.int64] = field(default_factory=_empty)
    _voters: GrowingColumn[np.int32] = field(default_factory=_no_voters)
    _voter_numbers: GrowingNumbers = field(default_factory=GrowingNumbers)
    _sent: _SentState | None = None

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers of the votes."""
        return self._numbers.values

    @property
    def words(self) -> NDArray[np.int64]:
        """Endpoints and outcome of each vote, see `votes.unpack`."""
        return self._words.values

    @property
    def all_seen(self) -> frozenset[int]:
        """All endpoints in votes read so far, those on web pages included."""
        return self.seen.union(self.web.seen if self.web else ())

    def advance(self, session: Session, head: Head) -> None:
        """Read from the current head to `head`, with the same result as one read of everything."""
        columns, web_columns = votes.packed_votes(session, after=self.head.vote, last=head.vote)
        removed = votes.excluded(session, after=self.head.exclusion, last=head.exclusion, beyond=self.head.vote)
        removed += log_leaves.unlogged_votes(session, after=self.head.vote, last=head.vote)
        decisions.apply(session, self.decided, head.decision)
        # Nothing fails from here on, so that a failed read leaves these columns unchanged.
        self.web = self.web or CountedLog()
        self.append(columns, removed, head)
        self.web.append(web_columns, removed, head)

    def append(self, rows: VoteColumns, removed: list[int], head: Head) -> None:
        """Append the rows up to `head`, without the votes that are `removed`, which may be earlier ones."""
        seen = self.seen.union(_endpoints(rows.words))
        if removed:
            rows = rows.rows(np.isin(rows.numbers, removed, invert=True))
        if any(number <= self.head.vote for number in removed):
            self._numbers, self._words, self._voters = self._columns(np.isin(self.numbers, removed, invert=True))
            self.removals += 1
        self._numbers.append(rows.numbers)
        self._words.append(rows.words)
        self._voters.append(self._voter_numbers.of(rows.voters))
        self.head, self.seen = head, seen

    def copy(self) -> CountedLog:
        """The log as it is now, which later votes and decisions do not change."""
        return replace(self._part(slice(None)), decided=self.decided.copy(), web=self.web and self.web.copy())

    def without(self, endpoints: Iterable[int]) -> CountedLog:
        """The log without the votes on these endpoints."""
        absent = np.array(sorted(self.seen.intersection(endpoints)), np.int64)
        if not len(absent):
            return self
        left, right, _ = votes.unpack(self.words)
        part = self._part(np.isin(left, absent, invert=True) & np.isin(right, absent, invert=True))
        return replace(part, seen=self.seen.difference(absent.tolist()))

    def comparisons(self, names: Mapping[int, str]) -> Comparisons:
        """The input of every rating method; `names` has the name of each endpoint in `seen`."""
        return self.indexed(_by_name(self.words, names))

    def indexed(self, competitors: Mapping[int, str]) -> Comparisons:
        """Comparisons with competitors in this order; `competitors` has the name of each endpoint."""
        left, right, outcome = votes.unpack(self.words)
        index = np.zeros(max(competitors, default=0) + 1, np.int32)
        index[list(competitors)] = np.arange(len(competitors), dtype=np.int32)
        return Comparisons(
            left=index[left],
            right=index[right],
            outcome=outcome.astype(np.uint8),
            weight=self.decided.weights(self.numbers),
            voter=self._voters.values,
            category=None,
            names=tuple(competitors.values()),
        )

    def sent_columns(self, names: Mapping[int, str], unlisted: Collection[int]) -> SentColumns:
        """The votes on listed endpoints, as the difference to those that the fitting process has.

        `names` has the name of each listed endpoint in `seen`.
        """
        log = self.copy()  # since this log may advance before all rows are needed
        basis = (self.removals, self.decided.revision, frozenset(self.seen.intersection(unlisted)))
        sent, rows = self._sent, self._difference(basis, names, unlisted)
        if sent is None or rows is None:
            listed = self.without(unlisted)
            sent = _SentState(next(_KEYS), basis, _by_name(listed.words, names))
            rows = listed.indexed(sent.competitors)
        self._sent = replace(sent, votes=len(self.numbers), rows=sent.rows + len(rows))
        return SentColumns(Addition(sent.key, sent.rows, rows), lambda: log.without(unlisted).comparisons(names))

    def _difference(self, basis: _Basis, names: Mapping[int, str], unlisted: Collection[int]) -> Comparisons | None:
        """The rows that were not sent yet; None if the earlier rows or their competitors have changed."""
        sent = self._sent
        if sent is None or sent.basis != basis or not sent.competitors.items() <= names.items():
            return None
        later = self._part(slice(sent.votes, None)).without(unlisted)
        return later.indexed(sent.competitors) if sent.competitors.keys() >= set(_endpoints(later.words)) else None

    def _columns(
        self, rows: slice | NDArray[np.bool_]
    ) -> tuple[GrowingColumn[np.int64], GrowingColumn[np.int64], GrowingColumn[np.int32]]:
        return (
            GrowingColumn(self._numbers.values[rows]),
            GrowingColumn(self._words.values[rows]),
            GrowingColumn(self._voters.values[rows]),
        )

    def _part(self, rows: slice | NDArray[np.bool_]) -> CountedLog:
        numbers, words, voters = self._columns(rows)
        return replace(self, _numbers=numbers, _words=words, _voters=voters)


def _by_name(words: NDArray[np.int64], names: Mapping[int, str]) -> dict[int, str]:
    """The endpoints in these votes with their names, sorted by name."""
    return {number: names[number] for number in sorted(_endpoints(words), key=names.__getitem__)}


def _endpoints(words: NDArray[np.int64]) -> list[int]:
    """The endpoints in these votes, ascending; a mask by endpoint takes a tenth of the time of `np.unique`."""
    left, right, _ = votes.unpack(words)
    occurs = np.zeros(max(left.max(initial=0), right.max(initial=0)) + 1, np.bool_)
    occurs[left] = occurs[right] = True
    return np.flatnonzero(occurs).tolist()


def head_of(session: Session, last: int | None = None) -> Head:
    """The current head of the log, as of vote number `last` if there are later ones."""
    newest = votes.last_number(session)
    vote = newest if last is None else min(newest, last)
    return Head(vote, votes.last_exclusion(session), decisions.last(session))

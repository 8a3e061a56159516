"""The votes with origins as columns in memory, read incrementally from the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from arena.adapters.store import log_leaves, neighbourhoods
from arena.domain.weeks import week_of
from arena_rating import OUTCOME_CODES
from arena_rating.growing_log import GrowingColumn
from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.published_form import NEW_WEEKS, weeks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

S = TypeVar("S", bound=np.generic)
_LABELS: Final = ("voter", "network", "since", "language", "check", "client")
_WIDTH: Final = 9
"""Small whole numbers of a vote: two endpoints, outcome and six labels."""

PIECE: Final = 50_000
"""Votes read from the database at a time, which bounds the memory for their rows."""


def _column(kind: type[S], *width: int) -> Callable[[], GrowingColumn[S]]:
    return lambda: GrowingColumn(np.empty((0, *width), kind))


@dataclass(slots=True)
class OriginLog:
    """Votes with origins up to number `last`, 60 bytes each; not thread-safe.

    `times` has number and second of each vote, `facts` endpoints, outcome and labels. `codes` numbers the values of
    each label by appearance; the value of `network` includes the week. `endpoints` and `weeks` have all that occur.
    """

    last: int = 0
    times: GrowingColumn[np.int64] = field(default_factory=_column(np.int64, 2))
    facts: GrowingColumn[np.int32] = field(default_factory=_column(np.int32, _WIDTH))
    reading: GrowingColumn[np.float64] = field(default_factory=_column(np.float64))
    codes: dict[str, dict[Any, int]] = field(default_factory=lambda: {name: {} for name in _LABELS})
    endpoints: set[int] = field(default_factory=set[int])
    weeks: set[int] = field(default_factory=set[int])

    def advance(self, session: Session, last: int) -> None:
        """Read new votes up to number `last`, except those without a leaf in the transparency log."""
        unlogged = set(log_leaves.unlogged_votes(session, after=self.last, last=last))
        rows: Iterator[tuple[Any, ...]] = neighbourhoods.origins(session, after=self.last, last=last)
        logged = (row for row in rows if row[0] not in unlogged)
        while piece := list(islice(logged, PIECE)):
            self._append(piece)
        self.last = last

    def _append(self, rows: Sequence[tuple[Any, ...]]) -> None:
        times = np.array([(row[0], int(row[1].timestamp())) for row in rows], np.int64)
        facts = np.array([self._encode(row) for row in rows], np.int32)
        self.times.append(times)
        self.facts.append(facts)
        self.reading.append(np.array([np.nan if row[-1] is None else row[-1] for row in rows], np.float64))
        self.endpoints.update(np.unique(facts[:, :2]).tolist())
        self.weeks.update(np.unique(weeks_of(times[:, 1])).tolist())

    def votes(self, names: Mapping[int, str], until: int | None = None) -> CastVotes:
        """All votes, or those before the second `until`; `names` has the names of all their endpoints."""
        numbers = np.array(sorted(names), np.int64)
        times = self.times.values
        mask = np.ones(len(times), np.bool_) if until is None else times[:, 1] < until
        number, second = times[mask].T.copy()
        left, right, outcome, voter, network, since, language, check, client = self.facts.values[mask].T.copy()
        return CastVotes(
            number=number,
            second=second,
            left=_indices(numbers, left),
            right=_indices(numbers, right),
            outcome=outcome.astype(np.uint8),
            voter=voter,
            network=network,
            since=since,
            language=language,
            check=check,
            client=client,
            age=np.full(len(number), np.nan),
            reading=self.reading.values[mask],
            names=tuple(names[entry] for entry in numbers.tolist()),
        )

    def _encode(self, row: tuple[Any, ...]) -> list[int]:
        _, moment, a, b, outcome, voter, network, since, language, tier, client, _ = row
        week = week_of(moment)
        new = f"{since:%G-W%V}" if since and week < since + timedelta(weeks=NEW_WEEKS) else None
        labels = (voter, (week, network) if network else None, new, language, tier, client)
        return [
            *(a, b, OUTCOME_CODES[outcome]),
            *(self._code(name, label) for name, label in zip(_LABELS, labels, strict=True)),
        ]

    def _code(self, name: str, label: object) -> int:
        codes = self.codes[name]
        return UNKNOWN if label is None else codes.setdefault(label, len(codes))


def _indices(numbers: NDArray[np.int64], side: NDArray[np.int64]) -> NDArray[np.int32]:
    return np.asarray(np.searchsorted(numbers, side), np.int32)

"""The votes with origins as columns in memory, read incrementally from the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.adapters.store import log_leaves, neighbourhoods
from arena.domain.weeks import week_of
from arena_rating import OUTCOME_CODES
from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.published_form import NEW_WEEKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

_LABELS: Final = ("voter", "network", "since", "language", "check", "client")
_WIDTH: Final = 11
"""Whole numbers of a vote: number, second, two endpoints, outcome and six labels."""


@dataclass(slots=True)
class OriginLog:
    """Votes with origins up to number `last`; not thread-safe.

    `codes` numbers the values of each label by appearance; the value of `network` includes the week.
    """

    last: int = 0
    columns: NDArray[np.int64] = field(default_factory=lambda: np.empty((_WIDTH, 0), np.int64))
    reading: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    codes: dict[str, dict[Any, int]] = field(default_factory=lambda: {name: {} for name in _LABELS})

    def advance(self, session: Session, last: int) -> None:
        """Read new votes up to number `last`, except those without a leaf in the transparency log."""
        unlogged = set(log_leaves.unlogged_votes(session, after=self.last, last=last))
        rows = [row for row in neighbourhoods.origins(session, after=self.last, last=last) if row[0] not in unlogged]
        votes = np.array([self._encode(row) for row in rows], np.int64).reshape(-1, _WIDTH)
        seconds = np.array([np.nan if row[-1] is None else row[-1] for row in rows], np.float64)
        self.columns = np.concatenate([self.columns, votes.T], axis=1)
        self.reading = np.concatenate([self.reading, seconds])
        self.last = last

    @property
    def second(self) -> NDArray[np.int64]:
        """Time of each vote, in seconds since 1970 (UTC)."""
        return self.columns[1]

    @property
    def endpoints(self) -> set[int]:
        """All endpoints in the votes."""
        return set(np.unique(self.columns[2:4]).tolist())

    def votes(self, names: Mapping[int, str], until: int | None = None) -> CastVotes:
        """All votes, or those before the second `until`; `names` has the names of all their endpoints."""
        numbers = np.array(sorted(names), np.int64)
        mask = np.ones(len(self.second), np.bool_) if until is None else self.second < until
        number, second, left, right, outcome, *labels = self.columns[:, mask]
        voter, network, since, language, check, client = (column.astype(np.int32) for column in labels)
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
            reading=self.reading[mask],
            names=tuple(names[entry] for entry in numbers.tolist()),
        )

    def _encode(self, row: tuple[Any, ...]) -> list[int]:
        number, moment, a, b, outcome, voter, network, since, language, tier, client, _ = row
        week = week_of(moment)
        new = f"{since:%G-W%V}" if since and week < since + timedelta(weeks=NEW_WEEKS) else None
        labels = (voter, (week, network) if network else None, new, language, tier, client)
        return [
            *(number, int(moment.timestamp()), a, b, OUTCOME_CODES[outcome]),
            *(self._code(name, label) for name, label in zip(_LABELS, labels, strict=True)),
        ]

    def _code(self, name: str, label: object) -> int:
        codes = self.codes[name]
        return UNKNOWN if label is None else codes.setdefault(label, len(codes))


def _indices(numbers: NDArray[np.int64], side: NDArray[np.int64]) -> NDArray[np.int32]:
    return np.asarray(np.searchsorted(numbers, side), np.int32)

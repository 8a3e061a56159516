"""The votes with origins as rows in a file, read incrementally from the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.adapters.mapped_rows import MappedRows
from arena.adapters.store import log_leaves, neighbourhoods
from arena.domain.weeks import week_of
from arena.usecases.integrity.stored_origins import LABELS, StoredOrigins
from arena_rating import OUTCOME_CODES
from arena_trust.integrity.cast_votes import UNKNOWN
from arena_trust.integrity.published_form import NEW_WEEKS, weeks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

_FACTS: Final = ("a", "b", "outcome", *LABELS)
_ROW: Final = np.dtype(
    [("number", np.int64), ("second", np.int64), *((name, np.int32) for name in _FACTS), ("reading", np.float64)]
)
"""A vote in the file: `a` and `b` are the ids of its endpoints, labels are codes."""
PIECE: Final = 5_000
"""Votes read from the database at a time, which bounds the memory for their rows."""


@dataclass(slots=True)
class OriginLog:
    """Votes with origins up to number `last`, read incrementally into a file, 60 bytes each; not thread-safe.

    `codes` numbers the values of each label by appearance; the value of `network` includes the week. `endpoints` and
    `weeks` have all that occur.
    """

    last: int = 0
    file: MappedRows = field(default_factory=lambda: MappedRows(_ROW))
    codes: dict[str, dict[Any, int]] = field(default_factory=lambda: {name: {} for name in LABELS})
    endpoints: set[int] = field(default_factory=set[int])
    weeks: set[int] = field(default_factory=set[int])

    @classmethod
    def within(cls, folder: Path | None) -> OriginLog:
        """An empty log with its file in this folder, or in that of temporary files."""
        return cls(file=MappedRows(_ROW, folder))

    def advance(self, session: Session, last: int) -> None:
        """Read new votes up to number `last`, except those without a leaf in the transparency log."""
        unlogged = set(log_leaves.unlogged_votes(session, after=self.last, last=last))
        rows: Iterator[tuple[Any, ...]] = neighbourhoods.origins(session, after=self.last, last=last)
        logged = (row for row in rows if row[0] not in unlogged)
        while piece := list(islice(logged, PIECE)):
            self._append(piece)
            self.last = piece[-1][0]
        self.last = last

    def _append(self, rows: Sequence[tuple[Any, ...]]) -> None:
        table, facts = np.empty(len(rows), _ROW), np.array([self._encode(row) for row in rows], np.int32)
        table["number"] = [row[0] for row in rows]
        table["second"] = [int(row[1].timestamp()) for row in rows]
        for name, column in zip(_FACTS, facts.T, strict=True):
            table[name] = column
        table["reading"] = [np.nan if row[-1] is None else row[-1] for row in rows]
        self.file.append(table)
        self.endpoints.update(np.unique(facts[:, :2]).tolist())
        self.weeks.update(np.unique(weeks_of(table["second"])).tolist())

    def votes(self, names: Mapping[int, str], chosen: slice | NDArray[np.bool_]) -> StoredOrigins:
        """The chosen votes, for another process; `names` has the names of all endpoints of the log."""
        return StoredOrigins(self.file.stored(), chosen, names)

    def _encode(self, row: tuple[Any, ...]) -> list[int]:
        _, moment, a, b, outcome, voter, network, since, language, tier, client, _ = row
        week = week_of(moment)
        new = f"{since:%G-W%V}" if since and week < since + timedelta(weeks=NEW_WEEKS) else None
        labels = (voter, (week, network) if network else None, new, language, tier, client)
        return [
            *(a, b, OUTCOME_CODES[outcome]),
            *(self._code(name, label) for name, label in zip(LABELS, labels, strict=True)),
        ]

    def _code(self, name: str, label: object) -> int:
        codes = self.codes[name]
        return UNKNOWN if label is None else codes.setdefault(label, len(codes))

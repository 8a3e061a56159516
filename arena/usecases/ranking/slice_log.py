"""The slices of the counted votes, read incrementally from the log into a file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.adapters.mapped_rows import MappedRows
from arena.adapters.store import votes
from arena.usecases.ranking.vote_slices import ROW, UNKNOWN_STYLE, StoredSlices
from arena_rating.growing_log import GrowingNumbers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

PIECE: Final = 2_000
"""Votes read from the database at a time: few enough that their objects, a kilobyte each, stay in caches."""


@dataclass(slots=True)
class SliceLog:
    """The slices of the countable votes up to number `last`, read incrementally into a file; not thread-safe."""

    last: int = 0
    languages: dict[str, int] = field(default_factory=dict[str, int])
    categories: dict[str, int] = field(default_factory=dict[str, int])
    people: GrowingNumbers = field(default_factory=GrowingNumbers)
    file: MappedRows = field(default_factory=lambda: MappedRows(ROW))

    @classmethod
    def within(cls, folder: Path | None) -> SliceLog:
        """An empty log with its file in this folder, or in that of temporary files."""
        return cls(file=MappedRows(ROW, folder))

    def advance(self, session: Session, last: int) -> None:
        """Read new votes up to number `last`, `PIECE` at a time, which bounds the memory for their rows."""
        rows = votes.slice_labels(session, after=self.last, last=last)
        while piece := list(islice(rows, PIECE)):
            self._append(piece)
            self.last = piece[-1][0]
        self.last = last

    def _append(self, piece: Sequence[tuple[int, str | None, str | None, str | None, float | None, str]]) -> None:
        numbers, languages, categories, styles, chances, voters = zip(*piece, strict=True)
        # Each is a JSON list or null; parsing them together halves the time.
        counts = json.loads(f"[{','.join(style or 'null' for style in styles)}]")
        rows = np.empty(len(piece), ROW)
        rows["number"] = numbers
        rows["language"] = [self._code(self.languages, word) for word in languages]
        rows["category"] = [self._code(self.categories, word) for word in categories]
        rows["style"] = [style or UNKNOWN_STYLE for style in counts]
        rows["probability"] = np.array(chances, np.float32)
        rows["person"] = self.people.of(np.array(list(map(hash, voters)), np.int64))
        self.file.append(rows)

    def of(self, numbers: NDArray[np.int64]) -> StoredSlices:
        """The slices of the votes with these numbers, ascending."""
        return StoredSlices(self.file.stored(), self._chosen(numbers), tuple(self.languages), tuple(self.categories))

    def _chosen(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        present = self.file.stored().column("number")[:]
        if np.array_equal(numbers, present):
            return None
        chosen = np.zeros(len(present), np.bool_)
        chosen[np.searchsorted(present, numbers)] = True
        return chosen

    @staticmethod
    def _code(codes: dict[str, int], word: str | None) -> int:
        return codes.setdefault(word or "", len(codes))

"""Votes with origins in a file, and a run of the gate on them, apart from the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.usecases.integrity.gate_run import run_gate
from arena_trust.integrity.cast_votes import CastVotes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from arena.adapters.mapped_rows import StoredRows
    from arena.usecases.integrity.gate_run import GateRun

LABELS: Final = ("voter", "network", "since", "language", "check", "client")


@dataclass(frozen=True, slots=True, eq=False)
class StoredOrigins:
    """The `chosen` rows of a file of votes with origins, for another process; `names` has those of all endpoints."""

    rows: StoredRows
    chosen: slice | NDArray[np.bool_]
    names: Mapping[int, str]

    def open(self) -> CastVotes:
        """The votes."""
        rows, numbers = self.rows.open()[self.chosen], np.array(sorted(self.names), np.int64)
        return CastVotes(
            number=np.ascontiguousarray(rows["number"]),
            second=np.ascontiguousarray(rows["second"]),
            left=_indices(numbers, rows["a"]),
            right=_indices(numbers, rows["b"]),
            outcome=rows["outcome"].astype(np.uint8),
            age=np.full(len(rows), np.nan),
            reading=np.ascontiguousarray(rows["reading"]),
            names=tuple(self.names[number] for number in numbers.tolist()),
            **{name: np.ascontiguousarray(rows[name]) for name in LABELS},
        )


def run_stored(log: StoredOrigins, judged: NDArray[np.bool_], **options: Any) -> GateRun:
    """`run_gate` on the votes in a file."""
    return run_gate(log.open(), judged, **options)


def _indices(numbers: NDArray[np.int64], side: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.asarray(np.searchsorted(numbers, side), np.int32)

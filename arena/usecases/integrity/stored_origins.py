"""Votes with origins in a file, and a run of the gate on them, apart from the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena.usecases.integrity.effects import effects
from arena.usecases.integrity.gate_run import run_gate
from arena_trust.integrity.cast_votes import CastVotes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from arena.adapters.mapped_rows import StoredRows
    from arena.domain.terms import JsonObject
    from arena.usecases.integrity.gate_run import GateRun
    from arena_trust.integrity.weights_in_force import WeightsInForce

LABELS: Final = ("voter", "network", "since", "language", "check", "client")


@dataclass(frozen=True, slots=True, eq=False)
class StoredOrigins:
    """The `chosen` rows of a file of votes with origins, for another process; `names` has those of all endpoints."""

    rows: StoredRows
    chosen: slice | NDArray[np.bool_]
    names: Mapping[int, str]

    def open(self) -> CastVotes:
        """The votes."""
        endpoints, numbers = np.array(sorted(self.names), np.int64), self._column("number")
        return CastVotes(
            number=numbers,
            second=self._column("second"),
            left=_indices(endpoints, self._column("a")),
            right=_indices(endpoints, self._column("b")),
            outcome=self._column("outcome").astype(np.uint8),
            age=np.full(len(numbers), np.nan),
            reading=self._column("reading"),
            names=tuple(self.names[number] for number in endpoints.tolist()),
            **{name: self._column(name) for name in LABELS},
        )

    def _column(self, name: str) -> NDArray[Any]:
        if isinstance(self.chosen, slice):
            return self.rows.column(name)[self.chosen]
        return self.rows.column(name, self.chosen)[:]


def run_stored(log: StoredOrigins, judged: NDArray[np.bool_], **options: Any) -> GateRun:
    """`run_gate` on the votes in a file."""
    return run_gate(log.open(), judged, **options)


def stored_effects(log: StoredOrigins, judged: NDArray[np.bool_], weights: WeightsInForce) -> JsonObject:
    """`effects` of weights on the judged votes in a file."""
    return effects(log.open().of_used_models(judged), weights)


def _indices(numbers: NDArray[np.int64], side: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.asarray(np.searchsorted(numbers, side), np.int32)

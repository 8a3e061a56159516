"""Probabilities of an evaluation's pairs from the arena's pair table at the time of its creation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy.orm import Session

from arena.adapters.store import snapshots
from arena.domain.errors import Invalid
from arena.domain.pairing.pair_table import PairTable, UnknownForm, decoded


def draw_probabilities(session: Session, models: Sequence[tuple[str, int | None]]) -> dict[str, object]:
    """The probability of each pair of these models (name, endpoint), and the id of the table's snapshot.

    The evaluation stores them, because the arena keeps only its newest table.

    Raises:
        Invalid: There is no table, it lacks a model, or all probabilities are 0.
    """
    snapshot, table = _newest(session)
    absent = [name for name, endpoint in models if endpoint not in table.endpoints]
    if absent:
        raise Invalid(
            f"The arena's pair table has no {', '.join(absent)}; it has the models that battles were drawn from when "
            "it was computed.",
            rule="pairs_absent",
            names=absent,
        )
    chance = table.among([endpoint for _, endpoint in models if endpoint is not None])
    result = chance[np.triu_indices(len(models), k=1)]
    if not result.any():
        raise Invalid(rule="pairs_none")
    return {"snapshot": snapshot, "chances": (result / result.sum()).tolist()}


def _newest(session: Session) -> tuple[int, PairTable]:
    row = snapshots.newest_pair_table(session)
    if row is None:
        raise Invalid(
            "The arena has no pair table; its worker publishes one with each snapshot unless ARENA_PAIRING is uniform.",
            rule="pair_table",
        )
    try:
        return row.snapshot_id, decoded(row.version, row.endpoints, row.chances)
    except UnknownForm as error:
        raise Invalid(f"The arena's pair table cannot be read: {error}.", rule="pair_table") from None

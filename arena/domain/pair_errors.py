"""The table that any two models of a board are compared by, in its stored form."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.schemas.pairs import PairChanceView, PairErrorsView
from arena_rating.pair_difference import PairErrors, pair_difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STORED: Final = np.dtype("<f4")
_DECIMALS: Final = 5
"""Stored numbers are rounded to this, so that the last bits of an inverse do not show."""
_NORMAL: Final = 1e7
"""Degrees of freedom that stand for infinitely many, which JSON has no number for."""


def stored(table: PairErrors, votes: int) -> PairErrorsView:
    """The stored form of a table of a board with so many votes; models without a battle are left out."""
    shown = np.flatnonzero(np.isfinite(table.rating))
    errors = table.error[np.ix_(shown, shown)][np.triu_indices(len(shown), k=1)]
    return PairErrorsView(
        votes=votes,
        level=table.level,
        names=[table.names[place] for place in shown],
        component=table.component[shown].tolist(),
        rating=_rounded(table.rating[shown]),
        freedom=_rounded(np.minimum(table.freedom[shown], _NORMAL)),
        design_effect=_rounded(np.nan_to_num(table.design_effect[shown], nan=1.0)),
        errors=b64encode(np.round(errors, _DECIMALS).astype(_STORED).tobytes()).decode(),
    )


def restored(view: PairErrorsView) -> PairErrors:
    """The table of a stored form.

    Raises:
        ValueError: The errors are not those of so many models.
    """
    size = len(view.names)
    errors, above = np.zeros((size, size), np.float32), np.triu_indices(size, k=1)
    errors[above] = np.frombuffer(b64decode(view.errors), _STORED)
    return PairErrors(
        names=tuple(view.names),
        component=np.array(view.component, np.int64),
        rating=np.array(view.rating),
        error=errors + errors.T,
        freedom=np.array(view.freedom),
        design_effect=np.array(view.design_effect),
        level=view.level,
    )


def chance_of(table: PairErrors, first: str, second: str, category: str, language: str) -> PairChanceView | None:
    """Compare two models as a board does; None where no battles connect them there."""
    places = [table.names.index(name) for name in (first, second) if name in table.names]
    if len(places) == 1 or len({int(table.component[place]) for place in places}) != 1:
        return None
    pair = asdict(pair_difference(table, first, second))
    return PairChanceView(category=category, language=language, **pair)


def _rounded(column: NDArray[np.float64]) -> list[float]:
    return (np.round(column, _DECIMALS) + 0.0).tolist()

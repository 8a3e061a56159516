"""The table that any two models of a board are compared by, in its stored form."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import asdict
from typing import Final

import numpy as np

from arena.domain.schemas.pairs import PairChanceView, PairErrorsView
from arena_rating.pair_difference import PairErrors, pair_difference

_STORED: Final = np.dtype("<f4")


def stored(table: PairErrors, votes: int) -> PairErrorsView:
    """The stored form of a table of a board with so many votes."""
    table = table.published()
    errors = table.error[np.triu_indices(len(table.names), k=1)]
    return PairErrorsView(
        votes=votes,
        level=table.level,
        names=list(table.names),
        component=table.component.tolist(),
        rating=table.rating.tolist(),
        freedom=table.freedom.tolist(),
        design_effect=table.design_effect.tolist(),
        errors=b64encode(errors.astype(_STORED).tobytes()).decode(),
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
    if not table.connects(first, second):
        return None
    pair = asdict(pair_difference(table, first, second))
    return PairChanceView(category=category, language=language, **pair)

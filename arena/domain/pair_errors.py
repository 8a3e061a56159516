"""Standard errors of the differences of all models on a board: storage format and comparison of two models."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import asdict
from typing import Final

import numpy as np

from arena.domain.schemas.pairs import MARGIN, PairChanceView, PairErrorsView
from arena_rating.pair_difference import PairErrors, further_votes, pair_difference

_STORED: Final = np.dtype("<f4")


def stored(table: PairErrors, *, claims: bool = True) -> PairErrorsView:
    """The storage format of a table; without what claims need (`claims`) it is that of methods before claims."""
    table = table.published()
    errors = table.error[np.triu_indices(len(table.names), k=1)]
    return PairErrorsView(
        votes=table.votes,
        level=table.level,
        names=list(table.names),
        component=table.component.tolist(),
        rating=table.rating.tolist(),
        freedom=table.freedom.tolist(),
        design_effect=table.design_effect.tolist(),
        errors=b64encode(errors.astype(_STORED).tobytes()).decode(),
        clusters=table.clusters.tolist() if claims else None,
    )


def restored(view: PairErrorsView) -> PairErrors:
    """A table from its storage format; one without numbers of clusters supports no claim.

    Raises:
        ValueError: The numbers of errors and models do not match.
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
        clusters=np.array(view.clusters or np.zeros(size), np.int64),
        votes=view.votes,
        level=view.level,
    )


def chance_of(table: PairErrors, first: str, second: str, category: str, language: str) -> PairChanceView | None:
    """The difference of two models on a board; None where no battles connect them."""
    if not table.connects(first, second):
        return None
    pair = asdict(pair_difference(table, first, second))
    within = further_votes(table, first, second, MARGIN), further_votes(table, second, first, MARGIN)
    return PairChanceView(category=category, language=language, **pair, more_within=within)

"""The table that any two models of a board are compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.pair_errors import stored
from arena_rating.pair_difference import PairErrors

if TYPE_CHECKING:
    from arena.domain.schemas.pairs import PairErrorsView
    from arena.usecases.ranking.methods import Method
    from arena_rating import Comparisons


def differences(log: Comparisons, method: Method) -> PairErrorsView | None:
    """The errors of all differences of ratings of a log, by cluster as on the board; None without votes."""
    return stored(PairErrors.of_log(log, method.parameters), len(log)) if len(log) else None

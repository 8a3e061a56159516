"""The table of votes weighted by the inverse of how probably their pairs were drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.domain.schemas import RefitTableView
from arena.usecases.ranking.beside import beside
from arena.usecases.ranking.methods import FEWEST
from arena_rating import bradley_terry, inverse_probability, pair_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena.usecases.ranking.methods import Method
    from arena_rating import BradleyTerry, Comparisons


def weighted(log: Comparisons, probability: NDArray[np.float32], method: Method) -> RefitTableView | None:
    """Fits with and without these weights on the votes with a known probability [n], nan if unknown.

    None with too few of them, or if all pairs were equally probable, as both fits are one then.
    """
    known = np.isfinite(probability)
    if known.sum() < FEWEST or np.ptp(probability[known]) == 0:
        return None
    votes, rule, how = log.where(known), method.parameters.elo, method.parameters
    settings: dict[str, Any] = {"prior": how.prior, "level": how.level}
    settings |= {"init": rule.init, "base": rule.base, "scale": rule.scale}
    plain = bradley_terry(pair_counts(votes), **settings)
    fit = _levelled(inverse_probability(votes, probability[known], **settings), plain)
    return RefitTableView(votes=len(votes), rows=beside(fit, plain))


def _levelled(fit: BradleyTerry, plain: BradleyTerry) -> BradleyTerry:
    """The same with the mean over models that the usual ratings have, since each fit has 0 where its votes are."""
    apart = fit.rating - plain.rating
    for number in range(int(fit.component.max(initial=-1)) + 1):
        members = fit.component == number
        apart[members] = apart[members].mean()
    return replace(fit, rating=fit.rating - apart, low=fit.low - apart, high=fit.high - apart)

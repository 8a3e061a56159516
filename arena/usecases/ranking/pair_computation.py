"""The computation of a pair table, apart from the database, which the fitting process does without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from arena.domain.pairing.pair_table import pair_table
from arena_rating import bradley_terry, pair_counts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from arena.domain.pairing.pair_table import PairTable
    from arena.domain.terms import PairingRule
    from arena_rating import Comparisons


def compute_pairs(
    comparisons: Comparisons, numbers: dict[str, int], pool: Sequence[int], rule: PairingRule, slow: Collection[int]
) -> PairTable:
    """The table of the models in `pool`, from the votes on all; ratings of models without votes are nan."""
    fit = bradley_terry(pair_counts(comparisons))
    indices = {numbers[name]: index for index, name in enumerate(fit.names)}
    rows = np.array([indices.get(number, len(fit.names)) for number in pool], np.intp)
    # The last row stands for all models without votes.
    rating, covariance = np.append(fit.rating, np.nan), np.pad(fit.covariance, (0, 1), constant_values=np.nan)
    votes = np.append(pair_counts(comparisons, weighted=False).battles.sum(axis=1), 0).astype(np.int64)
    return pair_table(pool, rating[rows], covariance[np.ix_(rows, rows)], votes[rows], rule, slow)

"""Effects of the weights in force on votes: ratings with and without them, and how many votes weigh less and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena.domain.terms import JsonObject
from arena_rating import bradley_terry, pair_counts
from arena_trust.integrity.published_form import weeks_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes
    from arena_trust.integrity.weights_in_force import WeightsInForce

DECIMALS: Final = 3


def effects(log: CastVotes, weights: WeightsInForce) -> JsonObject:
    """The ratings (`rows`), and numbers of votes with less weight by reason, of all votes and of the last week.

    They tell what holds: the gate's decisions, and those of an operator on the same votes.
    """
    weeks = weeks_of(log.second)
    latest = log.number[weeks == weeks.max(initial=-1)]
    return {
        "rows": boards(log, weights.weights(log.number)),
        "reasons": {"all": weights.reduced(log.number), "week": weights.reduced(latest)},
        "votes": len(log),
        "week_votes": len(latest),
    }


def boards(log: CastVotes, weight: NDArray[np.float64] | None) -> list[JsonObject]:
    """Each model's rating and interval with the weights, its rating without, and its votes with a reduced weight."""
    if not len(log):
        return []
    fit, plain = (bradley_terry(pair_counts(log.comparisons(column))) for column in (weight, None))
    is_reduced = np.zeros(len(log), np.bool_) if weight is None else weight < 1
    reduced = np.concatenate([log.left[is_reduced], log.right[is_reduced]])
    votes_by_model = np.bincount(reduced, minlength=len(log.names)).tolist()
    columns = [_numbers(column) for column in (fit.rating, fit.low, fit.high, plain.rating)]
    rows = [
        {"name": name, "bt": bt, "bt_low": low, "bt_high": high, "bt_without": without, "votes": int(votes)}
        for name, bt, low, high, without, votes in zip(log.names, *columns, votes_by_model, strict=True)
    ]
    return sorted(rows, key=lambda row: (row["bt"] is None, -(row["bt"] or 0), row["name"]))


def _numbers(column: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else round(value, DECIMALS) for value in column.tolist()]

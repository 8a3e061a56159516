"""The age rule: a vote weighs more the longer its voter has been known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import CastVotes
from arena_trust.integrity.distinct_keys import distinct
from arena_trust.integrity.slices import DAY, YOUNG

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_NETWORKS: Final = 20
LEAST_ESTABLISHED: Final = 1_000
"""Neighbourhoods, and votes of established voters, below which the age rule and the caps sleep."""
WEIGHTS: Final = ((0.0, 0.5), (YOUNG, 1.0))
"""Weights from a number of days on; a lower one on models about which young voters differ, see `gate`."""


def ages(log: CastVotes) -> NDArray[np.float64]:
    """Days that each voter is known, by vote: as the row says, else the days before on which the voter has voted."""
    unsaid = np.isnan(log.age)
    if not unsaid.any():
        return log.age
    return np.where(unsaid, days_voted(log), log.age)


def days_voted(log: CastVotes) -> NDArray[np.float64]:
    """The number of earlier days, by vote, on which its voter has voted."""
    return visits(log)[0]


def visits(log: CastVotes) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The number of earlier days on which its voter has voted, and a label of voter and day, by vote."""
    day = log.second // DAY
    first = day - day.min(initial=1 << 40)
    span = int(first.max(initial=0)) + 1
    cells, place = distinct(log.voter.astype(np.int64) * span + first, (int(log.voter.max(initial=-1)) + 1) * span)
    voter = cells // span
    start = np.searchsorted(voter, voter, side="left")
    return (np.arange(len(cells)) - start)[place].astype(np.float64), place.astype(np.int32)


def awake(networks: int, age: NDArray[np.float64]) -> bool:
    """Whether there are enough neighbourhoods and votes of established voters for the age rule and the caps."""
    return networks >= LEAST_NETWORKS and int((age >= YOUNG).sum()) >= LEAST_ESTABLISHED


def age_weights(age: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each vote by the age of its voter."""
    bounds, weights = zip(*WEIGHTS, strict=True)
    return np.array(weights)[np.searchsorted(bounds, age, side="right") - 1]

"""The share cap: while the gate has no reference to judge votes by, no neighbourhood's votes decide a board.

In each week (UTC), as long as their labels last, a neighbourhood's votes count up to a ninth of all others', which is
a tenth of both; 20 always count. The limit does not depend on the neighbourhood's own votes, so more of them do not
raise it. It is computed from origins alone: neither models nor outcomes matter, nor which models are listed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.caps import occurrence
from arena_trust.integrity.cast_votes import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

FREE: Final = 20
"""Votes of a neighbourhood in a week that always count."""
OTHERS: Final = 9
"""All others' votes of the week by a neighbourhood's that count beyond `FREE`."""


class Preliminary(StrEnum):
    """Reason why a board is preliminary: the gate has no reference yet (`voter_age.awake`), or pairs can be guessed."""

    YOUNG = "young"  # votes come from several neighbourhoods, so the share cap applies
    ONE_NETWORK = "one_network"  # all votes come from one neighbourhood, as on loopback
    CLOSED = "closed"  # the operator calls the arena closed: a class, a company
    NARROW_POOL = "narrow_pool"  # few models see images, or know the language, so that who asks can guess the pair


def preliminary(*, awake: bool, several: bool, closed: bool = False) -> list[Preliminary]:
    """Return why all boards are preliminary; `several` is whether a week has votes of several neighbourhoods."""
    if awake:
        return []
    if closed:
        return [Preliminary.CLOSED]
    return [Preliminary.YOUNG if several else Preliminary.ONE_NETWORK]


def beyond_free(network: NDArray[np.int32], week: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the neighbourhood of each vote beyond the `FREE` first of its neighbourhood and week, else `UNKNOWN`.

    This is all that the cap needs to know, so the audit file has no more of small neighbourhoods.
    """
    place = occurrence(_cells(network, week))
    return np.where((network != UNKNOWN) & (place >= FREE), network, UNKNOWN).astype(np.int32)


def share_weights(beyond: NDArray[np.int32], week: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 0 for votes beyond the share cap, else 1; rows are all votes of each week, in the order of the log."""
    _, number, total = np.unique(week, return_inverse=True, return_counts=True)
    rows = np.flatnonzero(beyond != UNKNOWN)
    cell = _cells(beyond[rows], week[rows])
    _, place, votes = np.unique(cell, return_inverse=True, return_counts=True)
    others = total[number[rows]] - (FREE + votes[place])
    weight = np.ones(len(week))
    weight[rows[FREE + occurrence(cell) >= np.maximum(FREE, others // OTHERS)]] = 0.0
    return weight


def _cells(network: NDArray[np.int32], week: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each neighbourhood and week."""
    return week * (int(network.max(initial=UNKNOWN)) + 2) + network + 1

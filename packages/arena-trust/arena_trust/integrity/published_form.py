"""The published form of votes with their origins: what the gate reads, and what audit files hold.

A voter's label lasts a day and a neighbourhood's a week, both of UTC. Times are hours, ages are steps. In each week,
and for hours in each day, values with fewer than five voters are merged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes
from arena_trust.integrity.network_share import beyond_free, share_weights
from arena_trust.integrity.slices import DAY, HOUR, LEAST_VOTERS, voters_of
from arena_trust.integrity.voter_age import visits

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEEK: Final = 7 * DAY
STEPS: Final = (0.0, 1.0, 7.0, 30.0)
"""Days of counted votes from which a voter is of each age."""
_MONDAY: Final = 4 * DAY
"""The first Monday of the epoch; it began on a Thursday."""


@dataclass(frozen=True, slots=True, eq=False)
class PublishedForm:
    """Votes as they are published.

    Attributes:
        log: The votes; `second` is the beginning of the hour, or of the day for those of `quiet`.
        quiet: bool [n], hours with too few voters, which are not told.
        week: int64 [n], number of the week.
        merged: Code, in its column, of values merged because each has too few voters, by name of the column.
        beyond: int32 [n], the neighbourhood of each vote beyond the free ones of its week, see `network_share`; these
            are not merged.
    """

    log: CastVotes
    quiet: NDArray[np.bool_]
    week: NDArray[np.int64]
    merged: dict[str, int]
    beyond: NDArray[np.int32]


def most_networks(log: CastVotes, week: NDArray[np.int64]) -> int:
    """The largest number of neighbourhoods in one week."""
    known = log.network != UNKNOWN
    cells = np.unique(week[known] * (1 << 32) + log.network[known])
    return int(np.unique(cells >> 32, return_counts=True)[1].max(initial=0))


def share_of(log: CastVotes) -> NDArray[np.float64] | None:
    """The weights by the share cap of votes with lasting labels; None where they come from one neighbourhood."""
    week = weeks_of(log.second)
    return share_weights(beyond_free(log.network, week), week) if most_networks(log, week) > 1 else None


def weeks_of(second: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the week (Monday to Sunday, UTC) that each time is in; 0 began on 5 January 1970."""
    return (second - _MONDAY) // WEEK


def published_form(log: CastVotes) -> PublishedForm:
    """The published form of votes whose voters and neighbourhoods have lasting labels; ages and times are exact."""
    week, day, hour = weeks_of(log.second), log.second // DAY, log.second // HOUR
    few = _people(hour, log.voter) < LEAST_VOTERS
    days, label = visits(log)
    labels = {name: getattr(log, name) for name in ("network", "language", "check", "client")}
    columns = {name: _merged(code, week, log.voter) for name, code in labels.items()}
    shown = replace(
        log,
        second=np.where(few, day * DAY, hour * HOUR),
        voter=label,
        age=_ages(days, log.voter, week),
        **columns,
    )
    merged = {name: _other(code) for name, code in labels.items()}
    return PublishedForm(shown, few, week, merged, beyond_free(log.network, week))


def _other(code: NDArray[np.int32]) -> int:
    return int(code.max(initial=UNKNOWN)) + 1


def _people(value: NDArray[np.int64], voter: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of voters who share each row's value."""
    code = (value - value.min(initial=1 << 40)).astype(np.int32)
    return voters_of(code, voter)[code]


def _merged(code: NDArray[np.int32], week: NDArray[np.int64], voter: NDArray[np.int32]) -> NDArray[np.int32]:
    """Codes with those of too few voters in a week as one; `UNKNOWN` if even together they are too few."""
    span, other = _other(code) + 2, _other(code)
    start = week - week.min(initial=1 << 40)
    rare = (_people(start * span + code + 1, voter) < LEAST_VOTERS) & (code != UNKNOWN)
    merged = np.where(rare, other, code)
    rows = np.flatnonzero(rare)
    merged[rows[_people(start[rows], voter[rows]) < LEAST_VOTERS]] = UNKNOWN
    return merged.astype(np.int32)


def _ages(days: NDArray[np.float64], voter: NDArray[np.int32], week: NDArray[np.int64]) -> NDArray[np.float64]:
    """Steps of age; one with too few voters in a week joins the next lower one, and nan is the lowest if it has few."""
    step = np.searchsorted(STEPS, days, side="right") - 1
    start = week - week.min(initial=1 << 40)
    for lowest in range(len(STEPS) - 1, -1, -1):
        rows = np.flatnonzero(step == lowest)
        few = _people(start[rows], voter[rows]) < LEAST_VOTERS
        step[rows[few]] = lowest - 1
    return np.where(step < 0, np.nan, np.array(STEPS)[np.maximum(step, 0)])

"""The published form of votes with their origins, which the gate reads and audit files hold.

A voter's label lasts a day and a neighbourhood's a week, both of UTC. Times are hours, ages are steps, and a
neighbourhood is new for twelve weeks from the week of its first vote. In each week (for hours in each day), values with
fewer than five voters are merged. Neighbourhoods with so few are unknown instead: together they would be most people
and no place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import DAY, HOUR, UNKNOWN, UNTOLD, WEEK, CastVotes, distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_VOTERS: Final = 5
"""Voters below which values are merged."""
NEW_WEEKS: Final = 12
"""Weeks from its first vote on in which a neighbourhood is new."""
STEPS: Final = (0.0, 1.0, 7.0, 30.0)
"""Lower bounds of the steps of age, in earlier days with votes."""
LABELS: Final = ("network", "since", "language", "check", "client")
"""Columns whose rare values are merged."""
_MONDAY: Final = 4 * DAY
"""The first Monday of the Unix epoch, which began on a Thursday."""
_DENSE: Final = 1 << 25
"""Number of possible cells up to which a table of all is faster than sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class PublishedForm:
    """Votes in their published form.

    Attributes:
        log: The votes; `second` is the start of the hour, or that of the day plus `UNTOLD` for votes of `quiet`.
        quiet: bool [n], votes of hours with too few voters, which are not published.
        week: int64 [n], number of the week.
        merged: Code of the merged values, by column.
    """

    log: CastVotes
    quiet: NDArray[np.bool_]
    week: NDArray[np.int64]
    merged: dict[str, int]


def most_networks(log: CastVotes, week: NDArray[np.int64]) -> int:
    """The largest number of neighbourhoods in one week."""
    has_network = log.network != UNKNOWN
    cells = np.unique(week[has_network] * (1 << 32) + log.network[has_network])
    return int(np.unique(cells >> 32, return_counts=True)[1].max(initial=0))


def weeks_of(second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of the week (Monday to Sunday, UTC) of each time; week 0 began on 5 January 1970."""
    return (second - _MONDAY) // WEEK


def by_week(log: CastVotes) -> CastVotes:
    """The log with lasting labels of neighbourhoods replaced by labels that last a week."""
    cells = weeks_of(log.second) * (1 << 32) + log.network
    label = np.unique(cells, return_inverse=True)[1].astype(np.int32)
    return replace(log, network=np.where(log.network == UNKNOWN, UNKNOWN, label).astype(np.int32))


def published_form(log: CastVotes) -> PublishedForm:
    """The published form of votes that have exact times and ages, and lasting labels of voters."""
    week, day, hour = weeks_of(log.second), log.second // DAY, log.second // HOUR
    is_small = _people(hour, log.voter) < LEAST_VOTERS
    days, label = visits(log)
    labels = {name: getattr(log, name) for name in LABELS}
    columns = {name: _merge(code, week, log.voter) for name, code in labels.items()}
    codes = {name: _other_code(code) for name, code in labels.items()}
    columns["network"][columns["network"] == codes["network"]] = UNKNOWN
    published = replace(
        log,
        second=np.where(is_small, day * DAY + UNTOLD, hour * HOUR),
        voter=label,
        age=_ages(np.where(np.isnan(log.age), days, log.age), log.voter, week),
        **columns,
    )
    return PublishedForm(published, is_small, week, codes)


def visits(log: CastVotes) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """For each vote the number of earlier days on which its voter voted, and a label of voter and day, [n] each."""
    day = log.second // DAY
    first_day = day - day.min(initial=1 << 40)
    span = int(first_day.max(initial=0)) + 1
    cells, place = distinct(log.voter.astype(np.int64) * span + first_day, (int(log.voter.max(initial=-1)) + 1) * span)
    voter = cells // span
    start = np.searchsorted(voter, voter, side="left")
    return (np.arange(len(cells)) - start)[place].astype(np.float64), place.astype(np.int32)


def _other_code(code: NDArray[np.int32]) -> int:
    return int(code.max(initial=UNKNOWN)) + 1


def _people(value: NDArray[np.int64], voter: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of voters with each row's value, [n]."""
    code = value - value.min(initial=1 << 40)
    codes, people = int(code.max(initial=-1)) + 1, int(voter.max(initial=-1)) + 1
    key = code * people + voter
    if codes * people <= _DENSE:
        is_present = np.zeros(codes * people, np.bool_)
        is_present[key] = True
        return is_present.reshape(codes, max(people, 1)).sum(axis=1)[code]
    key.sort()
    return np.bincount(key[np.flatnonzero(np.diff(key, append=-1))] // people, minlength=codes)[code]


def _merge(code: NDArray[np.int32], week: NDArray[np.int64], voter: NDArray[np.int32]) -> NDArray[np.int32]:
    """Codes with those of too few voters in a week merged; `UNKNOWN` if even the merged value has too few."""
    span, other_code = _other_code(code) + 2, _other_code(code)
    is_rare = (_people(week * span + code + 1, voter) < LEAST_VOTERS) & (code != UNKNOWN)
    codes = np.where(is_rare, other_code, code)
    rows = np.flatnonzero(is_rare)
    codes[rows[_people(week[rows], voter[rows]) < LEAST_VOTERS]] = UNKNOWN
    return codes.astype(np.int32)


def _ages(days: NDArray[np.float64], voter: NDArray[np.int32], week: NDArray[np.int64]) -> NDArray[np.float64]:
    """Steps of age, [n]; a step with too few voters in a week joins the next lower one, and the lowest becomes nan."""
    step = np.searchsorted(STEPS, days, side="right") - 1
    for lowest in range(len(STEPS) - 1, -1, -1):
        rows = np.flatnonzero(step == lowest)
        is_small = _people(week[rows], voter[rows]) < LEAST_VOTERS
        step[rows[is_small]] = lowest - 1
    return np.where(step < 0, np.nan, np.array(STEPS)[np.maximum(step, 0)])

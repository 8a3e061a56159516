"""Divisions of a log into slices by attributes known before a vote is cast, never by its outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from arena_trust.integrity.cast_votes import UNKNOWN, CastVotes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

LEAST_VOTERS: Final = 5
"""Values with fewer voters are merged, as in the published form of origins."""
DAY: Final = 86_400
HOUR: Final = 3_600
YOUNG: Final = 7.0
"""Days below which a voter is young."""
_AGES: Final = (1.0, 7.0, 30.0)
_READINGS: Final = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
_ACTIVITIES: Final = (2, 5, 10, 15, 20, 30, 50, 100, 300)
MOST_CROSSED: Final = 300_000
"""Votes up to which divisions are crossed; in larger logs the same share of attackers is seen without."""
_HETEROGENEOUS: Final = "language"
"""The division with honest heterogeneity of preferences."""
_DENSE: Final = 1 << 25
_BUSY: Final = 100
_SIZES: Final = (2, 3, 5, 10, 20, 50, 200)
_HABITS: Final = ("age", "language", "check", "client", "reading", "activity")
CROSSED: Final = (
    *combinations(_HABITS, 2),
    *((name, "activity") for name in ("network", "clock hour", "day", "network size")),
)
"""Divisions that are also crossed: attackers are less diluted by the honest where two slices meet."""


@dataclass(frozen=True, slots=True, eq=False)
class VoteDivision:
    """One way to divide the log.

    Attributes:
        name: What the slices are slices of.
        code: int32 [n], the slice of each vote, `UNKNOWN` for none.
        slices: Number of slices.
        voters: float64 [slices], share of all voters that have a vote in the slice.
        heterogeneous: Whether voters of its slices may honestly prefer different models.
        parent: int32 [slices], the language of each slice of a division crossed with it.
        suspect: Whether its slices may be found however large they are.
    """

    name: str
    code: NDArray[np.int32]
    slices: int
    voters: NDArray[np.float64]
    heterogeneous: bool = False
    parent: NDArray[np.int32] | None = None
    suspect: bool = False


def divisions(log: CastVotes, age: NDArray[np.float64]) -> Iterator[VoteDivision]:
    """All divisions of a log, with ages in days by vote; a division that nothing is known for is left out."""
    hour = log.second // HOUR
    ages, readings = _step(age, _AGES), _step(log.reading, _READINGS)
    own = {
        "age": ages,
        "network": log.network,
        "language": log.language,
        "check": log.check,
        "client": log.client,
        "reading": readings,
        "clock hour": (hour % 24).astype(np.int32),
        "hour": _renumbered(hour),
        "day": _renumbered(log.second // DAY),
    }
    for name, code in own.items():
        yield from _division(name, code, log.voter)
    habits = own | {"activity": _activity(log), "network size": _network_size(log)}
    yield from _division("activity", habits["activity"], log.voter)
    yield from _division("network size", habits["network size"], log.voter)
    yield from _division("votes of the voter", np.bincount(log.voter)[log.voter].astype(np.int32), log.voter)
    if len(log) > MOST_CROSSED:
        return
    habits["network"] = _busy(log.network)
    language = next(_division(_HETEROGENEOUS, log.language, log.voter), None)
    for one, other in CROSSED:
        for crossed in _division(f"{one}, {other}", _both(habits[one], habits[other]), log.voter):
            parent = language if _HETEROGENEOUS in {one, other} else None
            yield crossed if parent is None else replace(crossed, heterogeneous=True, parent=_parent(crossed, parent))


def days_of(division: VoteDivision, slice_: int, log: CastVotes) -> VoteDivision:
    """The days of one slice as slices: where it is too large to be judged by all others, it is judged by itself."""
    mine = division.code == slice_
    day, voters = merge_rare(np.where(mine, _renumbered(log.second // DAY), UNKNOWN).astype(np.int32), log.voter)
    return VoteDivision(f"{division.name}, day", day, len(voters), voters / max(1, int(log.voter.max(initial=-1)) + 1))


def young(log: CastVotes, age: NDArray[np.float64]) -> VoteDivision:
    """The division into young voters, code 0, and the established ones, who are no slice: they are who judges."""
    code = np.where(age < YOUNG, 0, UNKNOWN).astype(np.int32)
    people = voters_of(code, log.voter) / max(1, int(log.voter.max(initial=-1)) + 1)
    return VoteDivision("young", code, len(people), people, suspect=True)


def _division(name: str, code: NDArray[np.int32], voter: NDArray[np.int32]) -> Iterator[VoteDivision]:
    merged, voters = merge_rare(code, voter)
    used = voters > 0
    slices = int(np.count_nonzero(used))
    if slices > 1:
        number = np.append(np.where(used, np.cumsum(used) - 1, UNKNOWN), UNKNOWN).astype(np.int32)
        share = voters[used] / (int(voter.max()) + 1)
        yield VoteDivision(name, number[merged], slices, share, heterogeneous=name == _HETEROGENEOUS)


def _parent(crossed: VoteDivision, division: VoteDivision) -> NDArray[np.int32]:
    """The slice of `division` that each slice of a crossed one lies in."""
    parent = np.full(crossed.slices, UNKNOWN, np.int32)
    known = crossed.code != UNKNOWN
    parent[crossed.code[known]] = division.code[known]
    return parent


def merge_rare(code: NDArray[np.int32], voter: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Give all values with fewer than five voters one code; if even these are fewer, the code `UNKNOWN`.

    The second result is the number of voters of each code.
    """
    people = voters_of(code, voter)
    rare = (people < LEAST_VOTERS) & (people > 0)
    if not rare.any():
        return code, people
    together = len(np.unique(voter[np.append(rare, False)[code]]))
    known = together >= LEAST_VOTERS
    new = np.where(rare, len(people) if known else UNKNOWN, np.arange(len(people)))
    merged = np.append(new, UNKNOWN).astype(np.int32)[code]
    return merged, np.append(np.where(rare, 0, people), together if known else 0)


def voters_of(code: NDArray[np.int32], voter: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of voters of each code."""
    codes, people = int(code.max(initial=-1)) + 1, int(voter.max(initial=-1)) + 1
    known = code != UNKNOWN
    key = code[known].astype(np.int64) * people + voter[known]
    if codes * people <= _DENSE:
        seen = np.zeros(codes * people, np.bool_)
        seen[key] = True
        return seen.reshape(codes, people).sum(axis=1) if people else np.zeros(codes, np.int64)
    key.sort()
    return np.bincount(key[np.flatnonzero(np.diff(key, append=-1))] // people, minlength=codes)


def _step(value: NDArray[np.float64], bounds: tuple[float, ...]) -> NDArray[np.int32]:
    return np.where(np.isnan(value), UNKNOWN, np.searchsorted(bounds, value, side="right")).astype(np.int32)


def _renumbered(value: NDArray[np.int64]) -> NDArray[np.int32]:
    return (value - value.min(initial=1 << 40)).astype(np.int32)


def _activity(log: CastVotes) -> NDArray[np.int32]:
    """Voters by their number of votes."""
    return np.searchsorted(_ACTIVITIES, np.bincount(log.voter)[log.voter], side="right").astype(np.int32)


def _network_size(log: CastVotes) -> NDArray[np.int32]:
    """Neighbourhoods by their number of voters."""
    if not (log.network != UNKNOWN).any():
        return log.network
    people = voters_of(log.network, log.voter)[log.network]
    return np.where(log.network == UNKNOWN, UNKNOWN, np.searchsorted(_SIZES, people, side="right")).astype(np.int32)


def _busy(network: NDArray[np.int32]) -> NDArray[np.int32]:
    """Neighbourhoods with enough votes to be divided again, `UNKNOWN` for the others."""
    votes = np.append(np.bincount(network[network != UNKNOWN]), 0)
    return np.where(votes[network] >= _BUSY, network, UNKNOWN).astype(np.int32)


def _both(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int32]:
    """Codes of pairs of slices, `UNKNOWN` where either is."""
    whole = one.astype(np.int64) * (int(other.max(initial=UNKNOWN)) + 1) + other
    return np.where((one == UNKNOWN) | (other == UNKNOWN), UNKNOWN, whole).astype(np.int32)

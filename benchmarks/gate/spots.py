"""Spots: where attackers can be found, and which honest people are there, too.

In whatever a spot does not set attackers are like honest people drawn from the log.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from arena_trust.integrity.simulation.population import DAY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arena_trust.integrity.cast_votes import CastVotes

HOUR: Final = 3_600
_OWN: Final = 9
"""A language or tier that nobody has in the simulated world."""


class Where(StrEnum):
    """Kinds of spots."""

    NETWORK = "network"
    SOME_NETWORKS = "some networks"  # five of their own
    MORE_NETWORKS = "more networks"  # one for every three attackers
    ALONE = "alone"  # one each
    EXISTING = "existing networks"  # ten that honest people have
    LANGUAGE = "language"
    CHECK = "check"
    CHECK_AND_LANGUAGE = "check and language"  # where two that honest people have meet: 3 % of them
    YOUNG = "young"  # below seven days: 30 % of the honest
    NEW = "new"  # without a day: 5 % of them
    HOURS = "hours"  # three in the night
    BURSTS = "bursts"  # three of two hours
    DAYS = "days"  # three spans of 24 hours
    FAST = "fast"  # read for three seconds at most


@dataclass(frozen=True, slots=True)
class Spot:
    """Where attackers are; `honest` is the share of honest people that are there, where the kind has it open."""

    where: Where
    honest: float = 0.0

    @property
    def name(self) -> str:
        """The spot in a few words."""
        return f"{self.where}, {self.honest:.0%}" if self.honest else self.where.value


def shared(honest: CastVotes, spot: Spot, plan: tuple[int, int], rng: np.random.Generator) -> CastVotes:
    """The honest log with the spot's share of people in it; a plan is the first new network and how many may be new."""
    people = int(honest.voter.max()) + 1
    there = (rng.random(people) < spot.honest)[honest.voter]
    values = _labels(honest, spot, plan, rng, people)
    return replace(
        honest, **{name: np.where(there, of[honest.voter], getattr(honest, name)) for name, of in values.items()}
    )


def settled(
    log: CastVotes, honest: CastVotes, spot: Spot, plan: tuple[int, int], rng: np.random.Generator
) -> CastVotes:
    """The attackers' votes `log` at their spot; voters are numbered from 0."""
    bots = int(log.voter.max(initial=0)) + 1
    like = honest.rows(rng.integers(0, len(honest), bots)).rows(log.voter)
    names = ("network", "language", "check", "age")
    log = replace(log, **{name: getattr(like, name) for name in names})
    values = {name: of[log.voter] for name, of in _labels(honest, spot, plan, rng, bots).items()}
    match spot.where:
        case Where.HOURS:
            second = log.second // DAY * DAY + rng.integers(2 * HOUR, 5 * HOUR, len(log))
        case Where.BURSTS:
            second = _windows(log, honest, rng, 2 * HOUR)
        case Where.DAYS:
            second = _windows(log, honest, rng, DAY) // DAY * DAY + log.second % DAY
        case _:
            second = log.second
    if spot.where is Where.FAST:
        values["reading"] = np.round(0.5 + 2.5 * rng.random(len(log)), 1)
    return replace(log, second=second.astype(np.int64), **values)


def _windows(log: CastVotes, honest: CastVotes, rng: np.random.Generator, length: int) -> NDArray[np.int64]:
    starts = rng.integers(int(honest.second.min()), int(honest.second.max()), 3)
    return starts[rng.integers(0, 3, len(log))] + rng.integers(0, length, len(log))


def _labels(
    honest: CastVotes, spot: Spot, plan: tuple[int, int], rng: np.random.Generator, people: int
) -> dict[str, NDArray[Any]]:
    """The columns that a spot sets, by person."""
    first, some = plan
    own = {Where.NETWORK: 1, Where.SOME_NETWORKS: 5, Where.MORE_NETWORKS: max(1, some // 3)}
    few = np.unique(honest.network)[:10]
    match spot.where:
        case Where.NETWORK | Where.SOME_NETWORKS | Where.MORE_NETWORKS:
            columns = {"network": first + rng.integers(0, own[spot.where], people)}
        case Where.ALONE:
            columns = {"network": first + np.arange(people)}
        case Where.EXISTING:
            columns = {"network": rng.choice(few, people)}
        case Where.LANGUAGE | Where.CHECK:
            columns = {spot.where.value: np.full(people, _OWN)}
        case Where.CHECK_AND_LANGUAGE:
            columns = {"check": np.ones(people), "language": np.full(people, 2)}
        case Where.YOUNG | Where.NEW:
            columns = {"age": rng.integers(0, 7 if spot.where is Where.YOUNG else 1, people)}
        case _:
            columns = {}
    return {name: of.astype(getattr(honest, name).dtype) for name, of in columns.items()}

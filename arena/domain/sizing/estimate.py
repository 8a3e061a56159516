"""Capacity of an arena: processes, memory, database, network, and which resource is used up first.

All figures are linear in the measured costs, so they hold while one process does not slow the others down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.domain.sizing.costs import Costs
    from arena.domain.sizing.demand import Demand

BUSY: Final = 0.6
"""Share of a core up to which an API process is filled: beyond it, frames are late."""
CONNECTIONS: Final = 16
"""Connections of one process to PostgreSQL."""
SERVER_CONNECTIONS: Final = 480
"""Connections of a PostgreSQL server before a pooler (PgBouncer) is wanted."""
ROUND: Final = 10.0
"""Seconds between two leaderboards."""
WIRE: Final = 1.5
"""Bytes on the wire to a voter per byte of text: JSON, events and headers, before compression."""
UPSTREAM: Final = 250.0
"""Bytes on the wire from an endpoint per token: one event of JSON in the Chat Completions dialect."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A resource of one region, and how many voters a day use it up."""

    resource: str
    voters_per_day: float
    remedy: str


@dataclass(frozen=True, slots=True)
class CapacityEstimate:
    """Needs of one region in its busiest minute, and how it grows.

    Attributes:
        cores: Busy cores of all API processes together.
        processes: API processes.
        memory_gib: Memory of these processes.
        running: Battles that run at once.
        votes_per_second: Votes in a second.
        votes_per_model: Votes on each model in a day, if all are drawn alike.
        connections: Connections to the database, the worker's included.
        database_gib_per_year: Growth of the database.
        in_mbit: Megabits a second from endpoints.
        out_mbit: Megabits a second to voters.
        fit_seconds: Seconds from a vote to its leaderboard with the votes of one year.
        bounds: Resources by the number of voters that use them up, the first to fail first.
    """

    cores: float
    processes: int
    memory_gib: float
    running: float
    votes_per_second: float
    votes_per_model: float
    connections: int
    database_gib_per_year: float
    in_mbit: float
    out_mbit: float
    fit_seconds: float
    bounds: tuple[Bound, ...]


def estimate(costs: Costs, demand: Demand) -> CapacityEstimate:
    """Add up the costs of a demand."""
    cores = busy_cores(costs, demand)
    processes = max(1, math.ceil(cores / BUSY))
    memory = processes * costs.process_mib / 1024 + demand.running * costs.battle_kib / 1024**2
    return CapacityEstimate(
        cores=cores,
        processes=processes,
        memory_gib=memory,
        running=demand.running,
        votes_per_second=demand.votes_per_second,
        votes_per_model=2 * demand.votes_per_year / 365 / demand.models,
        connections=(processes + 1) * CONNECTIONS,
        database_gib_per_year=_stored(costs, demand) / 1024**3,
        in_mbit=8e-6 * demand.tokens_per_second * UPSTREAM,
        out_mbit=8e-6 * demand.tokens_per_second * demand.token_bytes * WIRE,
        fit_seconds=costs.fit_s + _growing_fit(costs, demand),
        bounds=_bounds(costs, demand),
    )


def busy_cores(costs: Costs, demand: Demand) -> float:
    """Seconds of processor that API processes spend in a second of the busiest minute."""
    return (
        demand.tokens_per_second * costs.token_us / 1e6
        + demand.battles_per_second * costs.open_ms / 1e3
        + demand.votes_per_second * costs.vote_ms / 1e3
        + demand.reads_per_second * costs.read_ms / 1e3
    )


def _stored(costs: Costs, demand: Demand) -> float:
    """Bytes of a year of battles, voted or not."""
    battles = demand.voters_per_day * demand.battles * 365
    return battles * (costs.record_bytes + demand.battle_bytes)


def _growing_fit(costs: Costs, demand: Demand) -> float:
    """Seconds of a fit that the votes of a year add to its fixed part."""
    return costs.fit_us * demand.votes_per_year / 1e6


def _bounds(costs: Costs, demand: Demand) -> tuple[Bound, ...]:
    """The number of voters at which each resource is used up; its use grows with them in proportion."""
    cores, voters = busy_cores(costs, demand), demand.voters_per_day
    processes = SERVER_CONNECTIONS / CONNECTIONS - 1
    used_of = {
        ("one API process", "more processes behind the proxy"): (cores, BUSY),
        ("connections of PostgreSQL", "PgBouncer in transaction mode"): (cores, BUSY * processes),
        ("votes that the database takes", "a region of its own"): (demand.votes_per_second, costs.votes_per_second),
        ("a leaderboard within a round, after a year", "maintained pair counts, then dask"): (
            _growing_fit(costs, demand),
            max(0.0, ROUND - costs.fit_s),
        ),
    }
    results = [
        Bound(resource, voters * room / used if used else math.inf, remedy)
        for (resource, remedy), (used, room) in used_of.items()
    ]
    return tuple(sorted(results, key=lambda bound: bound.voters_per_day))

"""Capacity of an arena: processes, memory, database, network, and the resource that is exhausted first.

All figures are linear in the measured costs, which assumes that processes do not slow each other down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, NonNegativeFloat, PositiveFloat

from arena.domain.package_data import text_of

BUSY: Final = 0.6
"""Largest load of an API process, as a share of a core; beyond it, frames are late."""
CONNECTIONS: Final = 16
"""Connections of one process to PostgreSQL."""
SERVER_CONNECTIONS: Final = 480
"""Connections of a PostgreSQL server from which a pooler (PgBouncer) is needed."""
ROUND: Final = 10.0
"""Seconds between two leaderboards."""
WIRE: Final = 1.5
"""Bytes on the wire to a voter per byte of text: JSON, events and headers, before compression."""
UPSTREAM: Final = 250.0
"""Bytes on the wire from an endpoint per token: one event of JSON in the Chat Completions dialect."""
PER_DAY: Final = 300
"""Judgements of one person in a day."""
DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class Bound:
    """A resource of one region, and the number of voters a day that exhausts it."""

    resource: str
    voters_per_day: float
    remedy: str


@dataclass(frozen=True, slots=True)
class CapacityEstimate:
    """Needs of one region in its busiest minute, and its growth.

    Attributes:
        cores: Busy cores of all API processes together.
        processes: API processes.
        memory_gib: Memory of these processes.
        running: Battles that run at once.
        votes_per_second: Votes in a second.
        votes_per_model: Votes on each model in a day, if all are drawn equally often.
        connections: Connections to the database, the worker's included.
        database_gib_per_year: Growth of the database.
        in_mbit: Megabits a second from endpoints.
        out_mbit: Megabits a second to voters.
        fit_seconds: Seconds from a vote to its leaderboard with the votes of one year.
        bounds: Resources by the number of voters that exhausts them, ascending.
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
    """The needs of a demand at these costs."""
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
        database_gib_per_year=_bytes_per_year(costs, demand) / 1024**3,
        in_mbit=8e-6 * demand.tokens_per_second * UPSTREAM,
        out_mbit=8e-6 * demand.tokens_per_second * demand.token_bytes * WIRE,
        fit_seconds=costs.fit_s + _fit_growth(costs, demand),
        bounds=_bounds(costs, demand),
    )


def busy_cores(costs: Costs, demand: Demand) -> float:
    """Processor seconds of all API processes per second of the busiest minute."""
    return (
        demand.tokens_per_second * costs.token_us / 1e6
        + demand.battles_per_second * costs.open_ms / 1e3
        + demand.votes_per_second * costs.vote_ms / 1e3
        + demand.reads_per_second * costs.read_ms / 1e3
    )


def _bytes_per_year(costs: Costs, demand: Demand) -> float:
    """Bytes of a year of battles, with or without votes."""
    battles = demand.voters_per_day * demand.battles * 365
    return battles * (costs.record_bytes + demand.battle_bytes)


def _fit_growth(costs: Costs, demand: Demand) -> float:
    """Seconds that the votes of a year add to a fit."""
    return costs.fit_us * demand.votes_per_year / 1e6


def _bounds(costs: Costs, demand: Demand) -> tuple[Bound, ...]:
    """The number of voters that exhausts each resource; use is proportional to voters."""
    cores, voters = busy_cores(costs, demand), demand.voters_per_day
    processes = SERVER_CONNECTIONS / CONNECTIONS - 1
    use_of = {
        ("one API process", "more processes behind the proxy"): (cores, BUSY),
        ("connections of PostgreSQL", "PgBouncer in transaction mode"): (cores, BUSY * processes),
        ("votes that the database takes", "a region of its own"): (demand.votes_per_second, costs.votes_per_second),
        ("a leaderboard within a round, after a year", "maintained pair counts, then dask"): (
            _fit_growth(costs, demand),
            max(0.0, ROUND - costs.fit_s),
        ),
    }
    results = [
        Bound(resource, voters * capacity / use if use else math.inf, remedy)
        for (resource, remedy), (use, capacity) in use_of.items()
    ]
    return tuple(sorted(results, key=lambda bound: bound.voters_per_day))


class Costs(BaseModel):
    """Costs of one machine, as `uv run benchmarks costs` measures them.

    Attributes:
        machine: Facts about the machine, and `date` of the measurement.
        token_us: Processor microseconds of an API process per token that reaches a voter.
        open_ms: Processor milliseconds of an API process to open a battle.
        vote_ms: Processor milliseconds of an API process per vote over HTTP.
        read_ms: Processor milliseconds of an API process per read of the leaderboard.
        process_mib: Resident memory of an API process at rest.
        battle_kib: Memory of a running battle, its text included.
        record_bytes: Growth of the database per voted battle, beyond the characters of its texts.
        votes_per_second: Durable votes that one database takes from one process.
        fit_s: Seconds from one more vote to the next snapshot, however short the log.
        fit_us: Microseconds of the same per vote of the log.
        plain_html_ms: Processor milliseconds to render 2,000 characters of plain Markdown as HTML; 0 if not measured.
        mixed_html_ms: The same with a formula and a block of code.
        text_token_us: As `token_us`, of plain Markdown, to readers of the text; 0 if not measured.
        html_token_us: The same to readers of HTML.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    machine: dict[str, str | float]
    token_us: PositiveFloat
    open_ms: PositiveFloat
    vote_ms: PositiveFloat
    read_ms: PositiveFloat
    process_mib: PositiveFloat
    battle_kib: NonNegativeFloat
    record_bytes: PositiveFloat
    votes_per_second: PositiveFloat
    fit_s: NonNegativeFloat
    fit_us: NonNegativeFloat
    plain_html_ms: NonNegativeFloat = 0
    mixed_html_ms: NonNegativeFloat = 0
    text_token_us: NonNegativeFloat = 0
    html_token_us: NonNegativeFloat = 0


def reference() -> Costs:
    """The costs of the machine that docs/scale.md names."""
    return Costs.model_validate_json(text_of(Path(__file__).with_name("reference.json")))


@dataclass(frozen=True, slots=True)
class AnnotationEffort:
    """Judgements, days of one person, days of all people in parallel, and costs in the currency of the pay, or None."""

    judgements: int
    person_days: float
    days: float
    cost: float | None
    cost_per_day: float | None
    cost_per_item: float | None


def annotation_effort(
    items: int, per_item: int = 3, *, people: int = 1, per_day: float = PER_DAY, pay: float | None = None
) -> AnnotationEffort:
    """Estimate the effort of `per_item` judgements of each item; `pay` is what one person costs a day."""
    judgements = items * per_item
    days = judgements / per_day
    return AnnotationEffort(
        judgements=judgements,
        person_days=days,
        days=days / people,
        cost=None if pay is None else days * pay,
        cost_per_day=None if pay is None else people * pay,
        cost_per_item=None if pay is None else per_item / per_day * pay,
    )


@dataclass(frozen=True, slots=True)
class Demand:
    """The voters of a day and what each of them does.

    Attributes:
        voters_per_day: People who open at least one battle.
        models: Models that may be drawn.
        battles: Battles of one voter in a day.
        turns: Prompts of one battle.
        tokens: Tokens of one answer.
        rate: Tokens per second of one answer.
        voted: Share of battles that end with a vote.
        reads: Views of the leaderboard per voter that reach the arena, past any cache.
        peak: Load of the busiest minute divided by the mean of the day.
        token_bytes: Bytes of one token in UTF-8.
    """

    voters_per_day: float
    models: int
    battles: float = 5.0
    turns: float = 1.5
    tokens: float = 400.0
    rate: float = 30.0
    voted: float = 0.6
    reads: float = 1.0
    peak: float = 4.0
    token_bytes: float = 4.0

    @property
    def battles_per_second(self) -> float:
        """Battles opened per second of the busiest minute."""
        return self.voters_per_day * self.battles * self.peak / DAY

    @property
    def tokens_per_second(self) -> float:
        """Tokens sent to voters per second of the busiest minute, both sides and all turns."""
        return self.battles_per_second * self.turns * 2 * self.tokens

    @property
    def running(self) -> float:
        """Battles that run at once in the busiest minute (Little's law)."""
        return self.battles_per_second * self.turns * self.tokens / self.rate

    @property
    def votes_per_second(self) -> float:
        """Votes per second of the busiest minute."""
        return self.battles_per_second * self.voted

    @property
    def reads_per_second(self) -> float:
        """Views of the leaderboard per second of the busiest minute."""
        return self.voters_per_day * self.reads * self.peak / DAY

    @property
    def votes_per_year(self) -> float:
        """Votes of a year."""
        return self.voters_per_day * self.battles * self.voted * 365

    @property
    def battle_bytes(self) -> float:
        """Bytes of the texts of a battle: per turn two answers, and a prompt with a tenth of an answer's tokens."""
        return self.turns * 2.1 * self.tokens * self.token_bytes

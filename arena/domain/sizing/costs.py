"""Measured costs of single pieces of work, from which `estimate` adds up an arena."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, NonNegativeFloat, PositiveFloat

from arena.domain.package_data import text_of


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


def reference() -> Costs:
    """The costs of the machine that docs/scale.md names."""
    return Costs.model_validate_json(text_of(Path(__file__).with_name("reference.json")))

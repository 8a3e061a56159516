"""`arena plan`: what an arena of a given size needs, and what fails first."""

from __future__ import annotations

import json as json_text
import math
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.table import Table

from arena.cli.json_values import plain
from arena.cli.text_tables import show
from arena.domain.errors import Invalid
from arena.domain.sizing import Costs, Demand, Estimate, estimate, reference

_MOST = 1e10


def plan(  # noqa: PLR0917 - typer reads them as options
    voters_per_day: Annotated[float, typer.Option(min=1, max=_MOST, help="People with at least one battle.")],
    models: Annotated[int, typer.Option(min=2, max=100_000, help="Models that may be drawn.")] = 20,
    regions: Annotated[int, typer.Option(min=1, max=1_000, help="Arenas of their own that share the voters.")] = 1,
    battles: Annotated[float, typer.Option(min=0.01, help="Battles of a voter in a day.")] = 5.0,
    turns: Annotated[float, typer.Option(min=1, help="Prompts of a battle.")] = 1.5,
    tokens: Annotated[float, typer.Option(min=1, help="Tokens of an answer.")] = 400.0,
    peak: Annotated[float, typer.Option(min=1, help="Busiest minute over the mean of the day.")] = 4.0,
    costs: Annotated[Path | None, typer.Option(help="File of `benchmarks costs`; else of the reference.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Estimate processes, memory, database, connections and network, from measured costs."""
    known = _read(costs) if costs else reference()
    demand = Demand(voters_per_day / regions, models, battles=battles, turns=turns, tokens=tokens, peak=peak)
    found = estimate(known, demand)
    if json:
        print(json_text.dumps({"regions": regions, "costs": known.model_dump(), **plain(found)}, indent=2))
        return
    _show(found, known, regions)


def _read(file: Path) -> Costs:
    try:
        return Costs.model_validate_json(file.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise Invalid(f"{file} is no file of `uv run benchmarks costs`: {where}: {first['msg']}.") from None


def _show(found: Estimate, known: Costs, regions: int) -> None:
    machine = ", ".join(f"{name} {value}" for name, value in known.machine.items())
    print(f"Costs measured on: {machine}.")
    needs = Table("each region needs" if regions > 1 else "the arena needs", "in its busiest minute")
    for name, value in _needs(found):
        needs.add_row(name, value)
    bounds = Table("fails in this order", "voters a day per region", "what helps then")
    for bound in found.bounds:
        voters = f"{bound.voters_per_day:,.0f}" if math.isfinite(bound.voters_per_day) else "any number"
        bounds.add_row(bound.resource, voters, bound.remedy)
    show(needs, bounds)


def _needs(found: Estimate) -> list[tuple[str, str]]:
    return [
        ("API processes", f"{found.processes:,} ({found.cores:,.2f} busy cores)"),
        ("memory of these", f"{found.memory_gib:,.1f} GiB"),
        ("battles that run at once", f"{found.running:,.0f}"),
        ("votes", f"{found.votes_per_second:,.1f} a second"),
        ("votes on each model", f"{found.votes_per_model:,.0f} a day"),
        ("connections to the database", f"{found.connections:,}"),
        ("growth of the database", f"{found.database_gib_per_year:,.1f} GiB a year"),
        ("network, from endpoints", f"{found.in_mbit:,.1f} Mbit/s"),
        ("network, to voters", f"{found.out_mbit:,.1f} Mbit/s"),
        ("a new leaderboard after a year", f"{found.fit_seconds:,.1f} s after a vote"),
    ]

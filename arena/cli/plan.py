"""`arena plan`: resources of an arena of a given size, and what fails first; or the people of an evaluation."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from arena.cli.terminal.tables import AsJson, Cells, TextTable, show_json, show_tables
from arena.domain.errors import Invalid
from arena.domain.sizing.estimate import (
    PER_DAY,
    AnnotationEffort,
    Bound,
    CapacityEstimate,
    Costs,
    Demand,
    annotation_effort,
    estimate,
    reference,
)

_MAX_AMOUNT = 1e10


def plan(
    voters_per_day: Annotated[
        float | None, typer.Option(min=1, max=_MAX_AMOUNT, help="People with at least one battle.")
    ] = None,
    models: Annotated[int, typer.Option(min=2, max=100_000, help="Models that may be drawn.")] = 20,
    regions: Annotated[int, typer.Option(min=1, max=1_000, help="Arenas of their own that share the voters.")] = 1,
    battles: Annotated[float, typer.Option(min=0.01, help="Battles of a voter in a day.")] = 5.0,
    turns: Annotated[float, typer.Option(min=1, help="Prompts of a battle.")] = 1.5,
    tokens: Annotated[float, typer.Option(min=1, help="Tokens of an answer.")] = 400.0,
    peak: Annotated[float, typer.Option(min=1, help="Busiest minute over the mean of the day.")] = 4.0,
    items: Annotated[
        int | None, typer.Option(min=1, help="Instead: what people are to judge in an evaluation.")
    ] = None,
    per_item: Annotated[int, typer.Option(min=1, help="Judgements of each item.")] = 3,
    people: Annotated[int, typer.Option(min=1, help="People who judge at once.")] = 1,
    per_day: Annotated[float, typer.Option(min=1, help="Judgements of one of them in a day.")] = PER_DAY,
    pay: Annotated[float | None, typer.Option(min=0, help="Cost of one of them in a day.")] = None,
    costs: Annotated[Path | None, typer.Option(help="File of `benchmarks costs`; else of the reference.")] = None,
    json: AsJson = False,
) -> None:
    """Estimate processes, memory, database, connections and network, from measured costs; or people who annotate."""
    if items is not None:
        _show_annotation(annotation_effort(items, per_item, people=people, per_day=per_day, pay=pay), json=json)
        return
    if voters_per_day is None:
        raise Invalid("Give --voters-per-day of an arena, or --items of an evaluation.")
    measured = _read(costs) if costs else reference()
    demand = Demand(voters_per_day / regions, models, battles=battles, turns=turns, tokens=tokens, peak=peak)
    needs = estimate(measured, demand)
    if json:
        show_json({"regions": regions, "costs": measured, **asdict(needs)})
    else:
        _show(needs, measured, regions)


def _read(file: Path) -> Costs:
    try:
        return Costs.model_validate_json(file.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the file"
        raise Invalid(f"{file} is no file of `uv run benchmarks costs`: {field}: {first['msg']}.") from None


def _show(needs: CapacityEstimate, measured: Costs, regions: int) -> None:
    machine = ", ".join(f"{name} {value}" for name, value in measured.machine.items())
    print(f"Costs measured on: {machine}.")
    column = "each region needs" if regions > 1 else "the arena needs"
    show_tables(
        TextTable([{column: name, "in its busiest minute": value} for name, value in _needs(needs)]),
        TextTable([_bound(bound) for bound in needs.bounds]),
    )


def _show_annotation(effort: AnnotationEffort, *, json: bool) -> None:
    if json:
        show_json(asdict(effort))
        return
    numbers = {
        "judgements": f"{effort.judgements:,}",
        "days of one person": f"{effort.person_days:,.1f}",
        "days of all": f"{effort.days:,.1f}",
    }
    money = {"cost": effort.cost, "cost of a day": effort.cost_per_day, "cost of an item": effort.cost_per_item}
    prices = {name: f"{value:,.2f}" for name, value in money.items() if value is not None}
    show_tables(TextTable([{"annotation needs": name, "": value} for name, value in (numbers | prices).items()]))


def _bound(bound: Bound) -> Cells:
    voters = f"{bound.voters_per_day:,.0f}" if math.isfinite(bound.voters_per_day) else "any number"
    return {
        "fails in this order": bound.resource,
        "voters a day per region": voters,
        "what helps then": bound.remedy,
    }


def _needs(needs: CapacityEstimate) -> list[tuple[str, str]]:
    return [
        ("API processes", f"{needs.processes:,} ({needs.cores:,.2f} busy cores)"),
        ("memory of these", f"{needs.memory_gib:,.1f} GiB"),
        ("battles that run at once", f"{needs.running:,.0f}"),
        ("votes", f"{needs.votes_per_second:,.1f} a second"),
        ("votes on each model", f"{needs.votes_per_model:,.0f} a day"),
        ("connections to the database", f"{needs.connections:,}"),
        ("growth of the database", f"{needs.database_gib_per_year:,.1f} GiB a year"),
        ("network, from endpoints", f"{needs.in_mbit:,.1f} Mbit/s"),
        ("network, to voters", f"{needs.out_mbit:,.1f} Mbit/s"),
        ("a new leaderboard after a year", f"{needs.fit_seconds:,.1f} s after a vote"),
    ]

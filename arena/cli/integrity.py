"""`arena integrity`: the vote gate and its simulator on files, without a database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson
from arena_trust.integrity.simulation.attack_kinds import Attack, Place, Quota

_Source = Annotated[
    Path,
    typer.Option("--from", help="JSON lines of votes with their origins, see docs/researchers.md; may be gzipped."),
]
app = command_group("Weigh votes by their origins, and simulate attacks on ratings.")


@app.callback()
def integrity() -> None:
    """Weigh votes by their origins, and simulate attacks on ratings."""


@app.command()
def gate(
    source: _Source,
    json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad row.")] = False,
    audit: Annotated[list[Path] | None, typer.Option(help="Audit file of a week; then --from is an export.")] = None,
    decisions: Annotated[Path | None, typer.Option(help="Published decisions, to compare with.")] = None,
) -> None:
    """Say which votes of a file count less and why, and show the board with and without that."""
    from arena.cli import integrity_reports

    if audit:
        integrity_reports.audited(source, audit, decisions, json=json)
    else:
        integrity_reports.gate(source, json=json, strict=strict)


@app.command()
def voters(
    source: _Source,
    seed: Annotated[int, typer.Option(min=0, help="Seed of what ties are randomised with.")] = 0,
    json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad row.")] = False,
) -> None:
    """Name voters whose votes are improbable or for one side, for a person to look at; nothing follows from it."""
    from arena.cli import integrity_reports

    integrity_reports.voters(source, seed, json=json, strict=strict)


@app.command()
def simulate(
    attack: Annotated[list[Attack] | None, typer.Option(help="Way of voting; repeatable, by default all.")] = None,
    place: Annotated[list[Place] | None, typer.Option(help="Slice of the attackers; repeatable.")] = None,
    bots: Annotated[list[int] | None, typer.Option(min=1, help="Number of attackers; repeatable.")] = None,
    votes: Annotated[int, typer.Option(min=100, help="Honest votes.")] = 10_000,
    models: Annotated[int, typer.Option(min=4, help="Number of models.")] = 20,
    battles: Annotated[int, typer.Option(min=1, help="Battles of each attacker, or their mean.")] = 30,
    hide: Annotated[float, typer.Option(min=0, max=1, help="Share of attackers that look honest everywhere.")] = 0.0,
    identified: Annotated[float, typer.Option(min=0, max=1, help="Chance to recognise the models.")] = 1.0,
    poses: Annotated[int, typer.Option(min=1, help="Voters that each attacker poses as.")] = 1,
    quota: Annotated[Quota, typer.Option(help="How the attackers' numbers of battles differ.")] = Quota.EXACT,
    sink: Annotated[bool, typer.Option("--sink", help="Let the target lose.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="Number of logs.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="First seed.")] = 0,
    json: AsJson = False,
) -> None:
    """Simulate attacks on an honest log, and how far they move ratings without the gate and with it."""
    from arena.cli import integrity_reports

    ways = [
        (way, origin, count)
        for origin in place or [Place.NETWORK]
        for way in attack or Attack
        for count in bots or [50]
    ]
    integrity_reports.simulate(
        votes,
        models,
        ways,
        {"battles": battles, "hide": hide, "identified": identified, "poses": poses, "sink": sink, "quota": quota},
        range(seed, seed + seeds),
        json=json,
    )

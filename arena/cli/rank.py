"""`arena rank`: compute a leaderboard from the vote log, or from a file of votes without any database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal.apps import command_group
from arena.cli.terminal.tables import AsJson
from arena.cli.terminal.vote_options import Kind, Left, Preset, Right, Strict, Voter, Weights, Winner
from arena.domain.errors import Invalid

app = command_group("Compute leaderboards and verify published ones.", no_args_is_help=False)


@app.callback(invoke_without_command=True)
def rank(
    context: typer.Context,
    source: Annotated[Path | None, typer.Option("--from", help="A file of votes; by default the arena's log.")] = None,
    left: Left = None,
    right: Right = None,
    winner: Winner = None,
    voter: Voter = None,
    kind: Kind = None,
    strict: Strict = False,
    preset: Annotated[Preset, typer.Option(help="Constants and orders of Elo, as in a paper.")] = Preset.PUBLISHED,
    orders: Annotated[int | None, typer.Option(min=2, help="Random orders to average Elo over.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="Seed of the orders.")] = None,
    weights: Annotated[
        Weights | None, typer.Option(help="Of an export's votes: Bradley-Terry as if all pairs had been drawn alike.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Print the leaderboard; that of the arena's log is also stored as a snapshot, if it has changed."""
    if context.invoked_subcommand:
        return
    from arena.cli import leaderboards
    from arena.usecases.exchange.imported_votes import ColumnNames

    columns = ColumnNames.of(left, right, winner, voter)
    if weights is not None:
        leaderboards.show_weighted(leaderboards.weighted(source, kind, strict=strict), json=json)
        return
    standings = leaderboards.leaderboard(source, columns, kind, strict=strict, preset=preset, orders=orders, seed=seed)
    leaderboards.show_leaderboard(standings, json=json)


@app.command()
def verify(
    snapshot: Annotated[int | None, typer.Argument(help="Number of a snapshot in the arena's database.")] = None,
    export: Annotated[Path | None, typer.Option("--from-export", help="A public export of the vote log.")] = None,
    board: Annotated[Path | None, typer.Option(help="The published leaderboard as JSON.")] = None,
    decisions: Annotated[Path | None, typer.Option(help="The published decisions on weights of votes.")] = None,
    labels: Annotated[Path | None, typer.Option(help="The published labels that boards of topics come from.")] = None,
) -> None:
    """Recompute a leaderboard and compare it with the published one: by snapshot number, or from public files alone."""
    from arena.cli import leaderboards

    verdict = leaderboards.verdict(snapshot, export, board, decisions, labels)
    for part in (verdict, *verdict.parts):
        print(f"snapshot {part.id}: published {part.stored} {part.of}".rstrip())
        print(f"snapshot {part.id}: computed  {part.computed} {part.of}".rstrip())
    if not verdict.holds:
        raise Invalid("They differ.")
    print("They agree to the last published digit.")

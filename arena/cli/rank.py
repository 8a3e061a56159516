"""`arena rank`: compute a leaderboard from the vote log, or from a file of votes without any database."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal.command_groups import DefaultGroup, command_group
from arena.cli.terminal.tables import AsJson
from arena.cli.terminal.vote_options import FILE_HELP, Kind, Left, Preset, Right, Strict, Voter, Weights, Winner
from arena.domain.errors import Invalid

app = command_group("Compute leaderboards and verify published ones.", no_args_is_help=False, cls=DefaultGroup)


@app.command(epilog="`arena rank verify` recomputes published leaderboards.")
def board(
    file: Annotated[Path | None, typer.Argument(help=f"{FILE_HELP} By default the arena's log.")] = None,
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
    """Print the leaderboard of a file, or of the arena's log, which is also stored as a snapshot if it has changed."""
    from arena.cli.boards import leaderboards, side_by_side
    from arena.cli.boards.vote_file import load
    from arena.settings import Settings
    from arena.usecases.exchange.imported_votes import ColumnNames
    from arena.usecases.exchange.open_webui import Feedback

    columns = ColumnNames.of(left, right, winner, voter)
    if weights is not None:
        leaderboards.show_weighted(leaderboards.inverse_probability_fit(file, kind, strict=strict), json=json)
        return
    if file is None:
        from arena.cli.boards.log_boards import log_leaderboard

        leaderboards.show_leaderboard(log_leaderboard(preset, orders, seed), json=json)
        return
    method, feedback = leaderboards.method_of(Settings(), preset, orders, seed), list[Feedback]()
    votes, _ = load(file, kind, columns, strict=strict, feedback=feedback)
    standings = leaderboards.leaderboard(votes, method)
    if sentence := leaderboards.independence(votes):
        print(sentence, file=sys.stderr)
    if feedback:
        side_by_side.show_both(side_by_side.both(standings, feedback), json=json)
    else:
        leaderboards.show_leaderboard(standings, json=json)


def _difference(code_version: str) -> str:
    """The sentence about numbers that differ: another version of the code may compute others from the same votes."""
    release = version("battle-arena")
    if code_version == release:
        return "They differ."
    return (
        f"They differ, but version {code_version} of the arena computed the published ones and this is {release}: "
        f"`uvx --from battle-arena=={code_version} arena rank verify` compares with the same code."
    )


@app.command()
def verify(
    snapshot: Annotated[int | None, typer.Argument(help="Number of a snapshot in the arena's database.")] = None,
    export: Annotated[Path | None, typer.Option("--from-export", help="A public export of the vote log.")] = None,
    board: Annotated[Path | None, typer.Option(help="The published leaderboard as JSON.")] = None,
    decisions: Annotated[Path | None, typer.Option(help="The published decisions on weights of votes.")] = None,
    labels: Annotated[Path | None, typer.Option(help="The published labels that boards of topics come from.")] = None,
) -> None:
    """Recompute a leaderboard and compare it with the published one: by snapshot number, or from public files alone."""
    from arena.cli.boards import log_boards

    verdict = log_boards.verdict(snapshot, export, board, decisions, labels)
    for part in (verdict, *verdict.parts):
        print(f"snapshot {part.id}: published {part.stored} {part.of}".rstrip())
        print(f"snapshot {part.id}: computed  {part.computed} {part.of}".rstrip())
    if not verdict.holds:
        raise Invalid(_difference(verdict.code_version))
    print("They agree to the last published digit.")

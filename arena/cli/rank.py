"""`arena rank`: compute a leaderboard from the vote log, or from a file of votes without any database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arena import ranking
from arena.cli.comparisons import comparisons, facets
from arena.cli.opening import now, run
from arena.cli.tables import show
from arena.cli.votes import Kind, Left, Right, Strict, Voter, Winner, load
from arena.errors import Invalid
from arena.exchange import Columns, Format
from arena.ranking import CountedLog, Method, Verdict
from arena.rating import LLMEVAL, TENCENT, EloParameters, LeaderboardParameters, RatingError
from arena.settings import Settings
from arena.store import snapshots
from arena.store.engine import Database
from arena.wire import LeaderboardRow, LeaderboardView, Standings


class Preset(StrEnum):
    """Named settings of Elo."""

    PUBLISHED = "published"
    TENCENT = "tencent"
    LLMEVAL = "llmeval"


PRESETS = {Preset.PUBLISHED: EloParameters(), Preset.TENCENT: TENCENT, Preset.LLMEVAL: LLMEVAL}


app = typer.Typer(help="Compute leaderboards and check published ones.")


@app.callback(invoke_without_command=True)
def rank(  # noqa: PLR0917 - typer reads them as options
    context: typer.Context,
    source: Annotated[Path | None, typer.Option("--from", help="A file of votes; without it, the arena's log.")] = None,
    left: Left = None,
    right: Right = None,
    winner: Winner = None,
    voter: Voter = None,
    kind: Kind = None,
    strict: Strict = False,
    preset: Annotated[Preset, typer.Option(help="Elo's constants and orders as in a paper.")] = Preset.PUBLISHED,
    orders: Annotated[int | None, typer.Option(min=2, help="Random orders that Elo is averaged over.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="Seed of the orders.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Print the leaderboard; from the log it is stored as a snapshot too, if it says something new."""
    if context.invoked_subcommand:
        return
    columns = Columns.of(left, right, winner, voter)
    try:
        if source is None:
            standings = run(lambda database, settings: _of_log(database, _method(settings, preset, orders, seed)))
        else:
            votes, _ = load(source, kind, columns, strict=strict)
            method = _method(Settings(), preset, orders, seed)
            standings = ranking.standings(ranking.fit(comparisons(votes), method), {})
    except RatingError as error:
        raise Invalid(str(error)) from error
    print(standings.model_dump_json()) if json else _print(standings)


@app.command()
def verify(
    snapshot: Annotated[int | None, typer.Argument(help="Number of a snapshot in the arena's own database.")] = None,
    export: Annotated[Path | None, typer.Option("--from-export", help="A public export of the vote log.")] = None,
    board: Annotated[Path | None, typer.Option(help="The published leaderboard as JSON.")] = None,
) -> None:
    """Compute a leaderboard again and compare: by number in the own database, or from public files alone."""
    if export and board:
        verdict = _verify_files(export, board)
    elif snapshot is not None:
        verdict = run(lambda database, _settings: _verify_stored(database, snapshot))
    else:
        raise Invalid("Name a snapshot, or both --from-export and --board.")
    for each in (verdict, *verdict.parts):
        print(f"snapshot {each.id}: published {each.stored} {each.of}".rstrip())
        print(f"snapshot {each.id}: computed  {each.computed} {each.of}".rstrip())
    if not verdict.holds:
        raise Invalid("They differ.")
    print("They agree to the last published digit.")


def _verify_files(export: Path, board: Path) -> Verdict:
    try:
        published = LeaderboardView.model_validate_json(board.read_bytes())
    except (OSError, ValueError) as error:
        raise Invalid(f"{board}: not a published leaderboard.") from error
    votes, _ = load(export, Format.ARENA, None, strict=True)
    snapshot = published.snapshot
    gone = set(ranking.unlisted_of(snapshot.parameters))
    earlier = [
        vote
        for vote in votes
        if vote.number is not None and vote.number <= snapshot.last_vote and not gone & {vote.a, vote.b}
    ]
    return ranking.verify_published(comparisons(earlier), facets(earlier), published)


async def _verify_stored(database: Database, snapshot: int) -> Verdict:
    with ThreadPoolExecutor(1) as executor:
        return await ranking.verify(database, snapshot, executor=executor)


def _method(settings: Settings, preset: Preset, orders: int | None, seed: int | None) -> Method:
    """An option wins over a preset, a preset over a setting."""
    elo = PRESETS[preset]
    if preset is Preset.PUBLISHED:
        elo = EloParameters(orders=settings.rank_orders)
    if orders is not None:
        elo = EloParameters(elo.init, elo.k, elo.base, elo.scale, orders)
    return Method(LeaderboardParameters(elo), settings.rank_seed if seed is None else seed)


async def _of_log(database: Database, method: Method) -> Standings:
    with ThreadPoolExecutor(1) as executor:
        votes = CountedLog()
        while await ranking.publish(database, method, votes, executor=executor, now=now):
            pass
    newest = await database.read(snapshots.newest)
    return Standings.model_validate_json(newest.payload) if newest and newest.payload else Standings(rows=[], pairs=[])


def _print(standings: Standings) -> None:
    if not standings.rows:
        print("There are no counted votes yet.")
        return
    table = Table("rank", "model", "Elo", "order spread", "Bradley-Terry", "95 %", "points", "win rate", "battles")
    for row in standings.rows:
        table.add_row(*_cells(row))
    show(table)


def _cells(row: LeaderboardRow) -> list[str]:
    interval = "" if row.bt_low is None or row.bt_high is None else f"{row.bt_low:.0f} to {row.bt_high:.0f}"
    return [
        f"{row.rank} ({row.rank_low}-{row.rank_high})",
        row.name,
        f"{row.elo:.1f} ± {row.elo_error:.1f}",
        f"{row.order_spread:.1f}",
        "" if row.bt is None else f"{row.bt:.1f}",
        interval,
        f"{row.points:g}",
        f"{row.win_rate:.1%}",
        str(row.battles),
    ]

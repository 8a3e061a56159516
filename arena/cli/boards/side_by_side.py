"""Open WebUI's own board beside ours, from the same feedback, and a sentence on the differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.cli.boards.leaderboards import interval
from arena.cli.terminal.tables import Cells, TextTable, show_json, show_tables
from arena.domain.schemas.leaderboard import LeaderboardRowView, PairView, StandingsView
from arena.usecases.exchange.open_webui import Feedback
from arena.usecases.exchange.open_webui_board import OpenWebUiRow, open_webui_board
from arena_trust.amounts import amount


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Our rows and pairs, those of Open WebUI's board, and one sentence on what differs and why."""

    rows: Sequence[LeaderboardRowView]
    pairs: Sequence[PairView]
    open_webui: Sequence[OpenWebUiRow]
    difference: str


def both(standings: StandingsView, feedback: Iterable[Feedback]) -> SideBySide:
    """Both boards of the same feedback."""
    webui_rows = open_webui_board(feedback)
    return SideBySide(standings.rows, standings.pairs, webui_rows, _difference(standings.rows, webui_rows))


def show_both(boards: SideBySide, *, json: bool) -> None:
    """Print both boards as one table in the order of ours."""
    if json:
        show_json(boards)
        return
    rows, theirs = {row.name: row for row in boards.rows}, {row.model: row for row in boards.open_webui}
    lines = [_cells(name, rows.get(name), theirs.get(name)) for name in [*rows, *(theirs.keys() - rows.keys())]]
    if lines:
        show_tables(TextTable(lines, note=boards.difference))
    else:
        print(boards.difference)


def _difference(ours: Sequence[LeaderboardRowView], theirs: Sequence[OpenWebUiRow]) -> str:
    """Say how much the order of votes changes Open WebUI's ratings, and how many steps of its board are significant."""
    if not theirs:
        return "No feedback says which of several models is better: both boards are empty."
    moved = max(theirs, key=lambda row: abs(row.rating - row.reversed))
    worst = {row.name: row.rank_high for row in ours}
    best = {row.name: row.rank_low for row in ours}
    neighbours = [(a.model, b.model) for a, b in pairwise(theirs) if a.model in worst and b.model in best]
    proved = sum(worst[above] < best[below] for above, below in neighbours)
    return (
        f"Open WebUI takes one pass of Elo from the oldest vote to the newest, without an error: from the newest on, "
        f"{moved.model} would have {moved.reversed} instead of {moved.rating}; Bradley-Terry does not depend on the "
        f"order, and by its ranks these votes prove {proved} of the {amount(len(neighbours), 'step')} of their board."
    )


def _cells(name: str, ours: LeaderboardRowView | None, theirs: OpenWebUiRow | None) -> Cells:
    return {
        "rank": ours and f"{ours.rank} ({ours.rank_low}-{ours.rank_high})",
        "model": name,
        "Bradley-Terry": None if ours is None or ours.bt is None else f"{ours.bt:.0f}",
        "95 %": ours and interval(ours.bt_low, ours.bt_high),
        "win rate": ours and f"{ours.win_rate:.1%}",
        "battles": ours and ours.battles,
        "Open WebUI": theirs and theirs.rating,
        "won": theirs and theirs.won,
        "lost": theirs and theirs.lost,
        "from the newest": theirs and theirs.reversed,
    }

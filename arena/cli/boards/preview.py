"""Preview of an import of votes: counts, first rows, and the resulting board beside Open WebUI's."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Final

from arena.cli.boards import leaderboards, side_by_side
from arena.cli.boards.vote_file import require_votes
from arena.cli.terminal.vote_options import Preset
from arena.domain.errors import Invalid
from arena.domain.schemas.vote_files import FileVoteView, VoteFileView
from arena.settings import Settings
from arena.usecases.exchange.open_webui import Feedback
from arena.usecases.exchange.reader import read_votes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from arena.adapters.row_files.rows import BadRow
    from arena.cli.boards.side_by_side import SideBySide
    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena.usecases.exchange.imported_votes import ImportedVote, Progress
    from arena.usecases.exchange.open_webui_board import OpenWebUiRow

_SHOWN: Final = 20
_BOARD: Final = 30
"""Models in the picture."""
_ROW, _NAME, _TRACK, _WIDE = 24, 200, 300, 760
"""Pixels: height of a row, and the widths of a name, of the scale, and of the whole."""
Scale = tuple[float, float]


def preview(
    file: Path, votes: Sequence[ImportedVote], bad: Sequence[BadRow], feedback: Sequence[Feedback]
) -> tuple[VoteFileView, set[str]]:
    """Preview the votes of a file, with the names of all its models; nothing is written.

    Raises:
        Invalid: There is no vote in it.
    """
    if not votes:
        raise Invalid(f"{file}: no vote in it.")
    standings = leaderboards.leaderboard(list(votes), leaderboards.method_of(Settings(), Preset.PUBLISHED, None, None))
    boards = side_by_side.both(standings, feedback)
    names = {name for vote in votes for name in (vote.a, vote.b)}
    view = VoteFileView(
        votes=len(votes),
        models=len(names),
        alone=sum(not item.compares for item in feedback),
        bad=len(bad),
        bad_rows=[str(row) for row in bad[:_SHOWN]],
        rows=[FileVoteView.model_validate(vote, from_attributes=True) for vote in votes[:_SHOWN]],
        picture=f"data:image/svg+xml;base64,{base64.b64encode(_svg(boards).encode()).decode()}",
        difference=boards.difference if feedback else "",
    )
    return view, names


def file_previews(path: Path, reach: Progress, *, texts: bool, limit: int) -> list[tuple[VoteFileView, set[str]]]:
    """The preview of a file, as `read_apart` calls it; `reach` gets the number of bytes read.

    Raises:
        Invalid: The file cannot be read, has more rows than `limit`, or no vote.
    """
    feedback = list[Feedback]()
    votes, bad = read_votes(path, progress=reach, watch=feedback.append, texts=texts, limit=limit)
    require_votes(path, votes, bad)
    return [preview(path, votes, bad, feedback)]


def _svg(boards: SideBySide) -> str:
    """Our ratings with their intervals on the left, and the numbers of Open WebUI's board on the right."""
    rows = [row for row in boards.rows if row.bt is not None][:_BOARD]
    by_model = {row.model: row for row in boards.open_webui}
    bounds = [bound for row in rows for bound in (row.bt_low, row.bt, row.bt_high) if bound is not None]
    scale = (min(bounds, default=0.0) - 10, max(bounds, default=0.0) + 10)
    lines = "".join(_line(row, number, by_model.get(row.name), scale) for number, row in enumerate(rows, 1))
    heads = f'<text x="{_NAME}" y="16">Bradley-Terry, 95 %</text>'
    heads += f'<text x="{_NAME + _TRACK + 110}" y="16">Open WebUI</text>' if by_model else ""
    high = _ROW * (len(rows) + 1) + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" width="{_WIDE}" height="{high}">'
        f'<rect width="{_WIDE}" height="{high}" fill="#fff"/>'
        f'<g font-family="system-ui,sans-serif" font-size="13" fill="#1a2030">{heads}{lines}</g></svg>'
    )


def _line(row: LeaderboardRowView, number: int, webui_row: OpenWebUiRow | None, scale: Scale) -> str:
    rating, level = row.bt or 0.0, _ROW * number + 16
    low, high = (rating if bound is None else bound for bound in (row.bt_low, row.bt_high))
    left, point, right = (_NAME + _TRACK * (value - scale[0]) / (scale[1] - scale[0]) for value in (low, rating, high))
    name = escape(row.name if len(row.name) <= 26 else f"{row.name[:25]}…")
    webui = f'<text x="{_NAME + _TRACK + 110}" y="{level}">{webui_row.rating}</text>' if webui_row else ""
    return (
        f'<text x="8" y="{level}">{row.rank}. {name}</text>'
        f'<rect x="{left:.0f}" y="{level - 8}" width="{max(right - left, 2):.0f}" height="8" rx="4" fill="#a3acf0"/>'
        f'<circle cx="{point:.0f}" cy="{level - 4}" r="5" fill="#4653c9"/>'
        f'<text x="{_NAME + _TRACK + 16}" y="{level}">{rating:.0f}</text>{webui}'
    )

"""The leaderboard: rows of its table, a picture of its intervals, and from when it is."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from arena.client import readable

if TYPE_CHECKING:
    from arena.client import LeaderboardRowView, LeaderboardView
    from arena_gradio.texts import AppTexts

COLUMNS: Final = ("rank", "name", "owner", "score", "low", "high", "battles", "win_rate")
_LEFT: Final = 240
_WIDTH: Final = 800
_ROW: Final = 24
"""Sizes of the picture in its own units: the names, the whole width, and the height of a row."""


def headers(words: AppTexts) -> list[str]:
    """Return the headings of the table."""
    return [words(f"col.{name}") for name in COLUMNS]


def table(board: LeaderboardView, words: AppTexts) -> list[list[str | float | None]]:
    """Return the rows of the table, as `COLUMNS` has them."""
    return [
        [
            # A model that has met none of the first group's has no place among them.
            *(None if row.component else row.rank, row.name, words.owner(row.owner)),
            *(None if value is None else round(value) for value in (row.score, row.score_low, row.score_high)),
            *(row.battles, round(row.win_rate, 3)),
        ]
        for row in _rows(board)
    ]


def standing(name: str, board: LeaderboardView, words: AppTexts) -> str:
    """Return place and score of a model on a board, or why it has none, as the reveal of the arena's own pages does."""
    row = next((other for other in board.rows if other.name == name), None)
    if row is None or row.score is None:
        return words("unrated")
    if row.component:
        return words("practice.place" if row.demo else "unplaced")
    count = sum(not other.component for other in board.rows)
    place = words("score", rank=row.rank, count=count, score=round(row.score))
    return f"{place} · {words('provisional')}" if row.preliminary else place


def _rows(board: LeaderboardView) -> list[LeaderboardRowView]:
    """The rows without the intervals that the arena's own pages withhold."""
    return [readable(row, board.by) for row in board.rows]


def as_of(board: LeaderboardView, words: AppTexts) -> str:
    """Return time and digest of the snapshot as Markdown."""
    if board.snapshot is None:
        return words("board.none")
    digest = next((part.digest for part in board.boards if part.category == board.category), board.snapshot.digest)
    time = f"{board.snapshot.created_at:%Y-%m-%d %H:%M}"
    return words("board.as_of", time=time, votes=board.snapshot.votes, digest=digest)


def picture(board: LeaderboardView, words: AppTexts) -> str:
    """Return an SVG of ratings with intervals; its numbers are those of the table."""
    rows = [(row.name, row.score, row.score_low, row.score_high) for row in _rows(board) if row.score is not None]
    bounds = [value for _, *values in rows for value in values if value is not None]
    if not bounds:
        return ""
    low, scale = min(bounds), (_WIDTH - _LEFT - 20) / ((max(bounds) - min(bounds)) or 1)
    lines = list[str]()
    for number, (name, score, start, end) in enumerate(rows):
        x, y = (
            [_LEFT + 10 + (value - low) * scale for value in (score, start or score, end or score)],
            number * _ROW + 16,
        )
        lines.append(
            f'<text x="{_LEFT}" y="{y + 4}" text-anchor="end">{escape(name[:32])}</text>'
            f'<line x1="{x[1]:.1f}" x2="{x[2]:.1f}" y1="{y}" y2="{y}"/><circle cx="{x[0]:.1f}" cy="{y}" r="4"/>'
        )
    return (
        f'<figure class="intervals"><figcaption>{escape(words("board.plot"))}</figcaption>'
        f'<svg viewBox="0 0 {_WIDTH} {len(rows) * _ROW + 8}" role="img" aria-label="{escape(words("board.plot"))}">'
        f"{''.join(lines)}</svg></figure>"
    )

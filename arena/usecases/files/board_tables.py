"""Boards as tables for files: with the columns of public data sets of leaderboards, and with all columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from arena.adapters.row_files.csv_rows import csv_table
from arena.adapters.store import snapshots
from arena.domain.board_methods import practice_apart, rank_by
from arena.domain.errors import NoBoard
from arena.domain.labels.categories import VISION, WEB
from arena.domain.schemas.leaderboard import LeaderboardRowView, StandingsView

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from sqlalchemy.orm import Session

COLUMNS: Final = (
    *("model_name", "organization", "license", "rating", "rating_lower", "rating_upper", "variance", "vote_count"),
    *("rank", "category", "leaderboard_publish_date"),
)
"""Columns that readers of leaderboards on hubs expect."""
OVERALL: Final = "overall"
_TEXT: Final = "text"
_CONFIGS: Final = {VISION: "vision", WEB: "webdev"}
"""Configurations of the data set for categories that have one of their own."""
_NORMAL: Final = 1.959964
"""Half width of a 95 % interval in standard errors."""


@dataclass(frozen=True, slots=True)
class FileBoard:
    """A board of a day: its category and language, empty for all, and its rows in order."""

    category: str
    language: str
    day: date
    rows: list[LeaderboardRowView]

    @property
    def name(self) -> str:
        """The name in files and columns: `overall`, or category and language."""
        return "-".join(filter(None, (self.category, self.language))) or OVERALL

    @property
    def file_name(self) -> str:
        """The name, escaped for a path."""
        return quote(self.name, safe="").replace(".", "%2E")

    @property
    def page(self) -> str:
        """The URL path of its page."""
        options = {"category": self.category, "language": self.language}
        query = urlencode({name: value for name, value in options.items() if value})
        return f"/leaderboard?{query}" if query else "/leaderboard"

    @property
    def config(self) -> str:
        """The configuration of the data set: `vision`, `webdev`, or `text` for all other boards."""
        return _CONFIGS.get(self.category, _TEXT)

    @property
    def placed(self) -> list[LeaderboardRowView]:
        """The rated rows that have a place: files without `component` cannot tell other ranks from these."""
        return [row for row in self.rows if row.bt is not None and not row.component]

    def csv(self) -> bytes:
        """The board as CSV, with all columns of the public table."""
        rows = (row.model_dump() | {"preliminary": " ".join(row.preliminary)} for row in self.rows)
        return csv_table([*LeaderboardRowView.model_fields], (row.values() for row in rows)).encode()

    def hub_rows(self) -> list[dict[str, object]]:
        """The rows with a place in the columns of `COLUMNS`."""
        category = (self.language or OVERALL) if self.config != _TEXT else self.name
        return [_hub_row(row, category, self.day) for row in self.placed]


def boards_of(session: Session) -> list[FileBoard]:
    """The newest boards, the whole one first.

    Raises:
        NoBoard: There is no snapshot yet.
    """
    row = snapshots.newest(session)
    if row is None or row.payload is None:
        raise NoBoard
    newest, day = snapshots.newest_with_parts(session), row.created_at.date()
    boards = [FileBoard("", "", day, _rows(row.payload))]
    parts = snapshots.parts_of(session, newest.id) if newest else ()
    board_parts = [part for part in parts if part.kind == "board" and part.payload]
    boards += [FileBoard(part.category, part.language, day, _rows(part.payload or "")) for part in board_parts]
    return boards


def _rows(payload: str) -> list[LeaderboardRowView]:
    return rank_by(practice_apart(StandingsView.model_validate_json(payload).rows), "bt")


def _hub_row(row: LeaderboardRowView, category: str, day: date) -> dict[str, object]:
    low = high = variance = None
    if row.bt_low is not None and row.bt_high is not None:
        low, high = row.bt_low, row.bt_high
        variance = round(((high - low) / 2 / _NORMAL) ** 2, 6)
    values: Sequence[object] = (
        *(row.name, row.owner, row.licence, row.bt, low, high, variance),
        *(row.battles, row.rank, category, day.isoformat()),
    )
    return dict(zip(COLUMNS, values, strict=True))

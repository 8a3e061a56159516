"""Boards as rows of files: the columns of public data sets of leaderboards, and all of our own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from arena.adapters.row_files.csv_rows import csv_table
from arena.adapters.store import snapshots
from arena.domain.board_methods import rank_by
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
"""Columns that readers of leaderboards on hubs know."""
OVERALL: Final = "overall"
_TEXT: Final = "text"
_APART: Final = {VISION: "vision", WEB: "webdev"}
"""Parts of a data set by the category that has one."""
_NORMAL: Final = 1.959964
"""Standard errors on either side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class FileBoard:
    """A board of a day: its category and language, empty for all, and its rows in order."""

    category: str
    language: str
    day: date
    rows: list[LeaderboardRowView]

    @property
    def name(self) -> str:
        """Its name in files and columns: `overall`, or category and language."""
        return "-".join(filter(None, (self.category, self.language))) or OVERALL

    @property
    def file_name(self) -> str:
        """The name with whatever a path must not have escaped."""
        return quote(self.name, safe="").replace(".", "%2E")

    @property
    def page(self) -> str:
        """The path of its page."""
        options = {"category": self.category, "language": self.language}
        query = urlencode({name: value for name, value in options.items() if value})
        return f"/leaderboard?{query}" if query else "/leaderboard"

    @property
    def config(self) -> str:
        """The part of a data set that it belongs to: chats about images and battles of web pages are apart."""
        return _APART.get(self.category, _TEXT)

    def csv(self) -> bytes:
        """All columns of the public table."""
        rows = (row.model_dump() | {"preliminary": " ".join(row.preliminary)} for row in self.rows)
        return csv_table([*LeaderboardRowView.model_fields], (row.values() for row in rows)).encode()

    def hub_rows(self) -> list[dict[str, object]]:
        """The rated rows in the columns of `COLUMNS`."""
        category = (self.language or OVERALL) if self.config != _TEXT else self.name
        return [_hub_row(row, category, self.day) for row in self.rows if row.bt is not None]


def boards_of(session: Session) -> list[FileBoard]:
    """Return the newest boards, the whole one first.

    Raises:
        NoBoard: There is no snapshot yet.
    """
    row = snapshots.newest(session)
    if row is None or row.payload is None:
        raise NoBoard
    sides, day = snapshots.newest_with_parts(session), row.created_at.date()
    boards = [FileBoard("", "", day, _rows(row.payload))]
    parts = snapshots.parts_of(session, sides.id) if sides else ()
    board_parts = [part for part in parts if part.kind == "board" and part.payload]
    boards += [FileBoard(part.category, part.language, day, _rows(part.payload or "")) for part in board_parts]
    return boards


def _rows(payload: str) -> list[LeaderboardRowView]:
    return rank_by(StandingsView.model_validate_json(payload).rows, "bt")


def _hub_row(row: LeaderboardRowView, category: str, day: date) -> dict[str, object]:
    has_interval = row.bt_low is not None and row.bt_high is not None
    half = (row.bt_high - row.bt_low) / 2 if row.bt_low is not None and row.bt_high is not None else None
    values: Sequence[object] = (
        *(
            row.name,
            row.owner,
            row.licence,
            row.bt,
            row.bt_low if has_interval else None,
            row.bt_high if has_interval else None,
        ),
        *(None if half is None else round((half / _NORMAL) ** 2, 6), row.battles, row.rank, category, day.isoformat()),
    )
    return dict(zip(COLUMNS, values, strict=True))

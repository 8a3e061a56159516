"""A reader's selection of the leaderboard. It stands in the address, so that a link shows the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from arena.domain.schemas.leaderboard import LeaderboardView
    from arena_frontend.pages.leaderboard.lines import Line

PROVISIONAL_BATTLES: Final = 30
"""Battles below which a model's figures are provisional, and votes from which a category has a board."""
SIZES: Final = {"small": (0.0, 10.0), "medium": (10.0, 40.0), "large": (40.0, float("inf"))}
"""Billions of parameters: at least, and below."""
_LONGEST: Final = 300
_MERGED: Final = {"1", "merged"}
"""Words of the address for a board on which hosts of one model count once; with any other they count apart."""


@dataclass(frozen=True)
class BoardQuery:
    """The fields of the address; an empty one means all, and none for yes or no."""

    category: str = ""
    language: str = ""
    by: str = "bt"
    hosts: str = ""
    sort: str = "rank"
    q: str = ""
    weights: str = ""
    owner: str = ""
    size: str = ""
    demo: str = ""
    young: str = ""
    style: str = ""
    more: str = ""
    picture: str = ""
    against: str = "price"
    model: str = ""
    rows: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> BoardQuery:
        """Read the query of an address; `hosts` may be the API's word too."""
        values = {field.name: query[field.name][:_LONGEST] for field in fields(cls) if query.get(field.name)}
        return cls(**values | {"hosts": "1" if values.get("hosts") in _MERGED else ""})

    def address(self, **changes: str) -> str:
        """Return the address of this selection with some fields changed."""
        fields = asdict(replace(self, **changes))
        query = urlencode({name: value for name, value in fields.items() if value != getattr(_USUAL, name)})
        return f"/leaderboard?{query}" if query else "/leaderboard"

    @property
    def api_query(self) -> str:
        """The part of the address that the API needs."""
        by = "" if self.by == _USUAL.by else self.by
        is_merged = self.hosts and not (self.category or self.language)
        return board_query(self.category, self.language, by, "merged" if is_merged else "")

    @property
    def key(self) -> str:
        """The column to sort by."""
        return self.sort.removeprefix("-")

    @property
    def down(self) -> bool:
        """Whether the largest come first."""
        return self.sort.startswith("-")

    def sorted_by(self, key: str) -> str:
        """Return the address of the table sorted by a column, or the other way round if it is already."""
        down = not self.down if self.key == key else key not in {"rank", "name"}
        return self.address(sort=f"{'-' if down else ''}{key}")

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is set."""
        return any((self.weights, self.owner, self.size, self.demo, self.young))

    def filter_lines(self, lines: list[Line]) -> list[Line]:
        """Return the lines that filters and search leave."""
        away = self.count_newcomers(lines)
        return [line for line in lines if not (away and young(line)) and self._fits(line)]

    def count_newcomers(self, lines: list[Line]) -> int:
        """Count the newcomers that are hidden."""
        newcomers = sum(map(young, lines))
        usual = bool(self.category) and are_newcomers_hidden(newcomers, len(lines))
        return newcomers if (self.young == "hide" if self.young else usual) else 0

    def _fits(self, line: Line) -> bool:
        text = f"{line.row.name}\n{line.row.owner}".lower()
        return (
            self.q.strip().lower() in text
            and (not self.weights or line.open_weights is (self.weights == "open"))
            and (not self.owner or line.row.owner == self.owner)
            and (not self.size or _has_size(line.billions, self.size))
            and (not self.demo or line.row.demo is (self.demo == "only"))
        )


_USUAL: Final = BoardQuery()


def board_query(category: str, language: str, by: str = "", hosts: str = "") -> str:
    """Return the query of a board, of what ranks it, and of how hosts of one model count."""
    fields: dict[str, object] = {"category": category, "language": language, "by": by, "hosts": hosts}
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"?{query}" if query else ""


def are_newcomers_hidden(newcomers: int, models: int) -> bool:
    """Whether a board of one category hides newcomers at first, where many have few votes: if most are none."""
    return 2 * newcomers <= models


def young(line: Line) -> bool:
    """Whether a model has few battles."""
    return line.row.battles < PROVISIONAL_BATTLES


def goal_votes(board: LeaderboardView, drawn: Collection[str]) -> int:
    """Fewest votes in all with which no model in battles is a newcomer, each further one a battle of two of them."""
    battles = {row.name: row.battles for row in board.rows}
    lacking = [max(0, PROVISIONAL_BATTLES - battles.get(name, 0)) for name in drawn]
    votes = board.snapshot.votes if board.snapshot else 0
    return votes + max(max(lacking, default=0), (sum(lacking) + 1) // 2)


def _has_size(billions: float | None, size: str) -> bool:
    if size == "unknown" or billions is None:
        return size == "unknown" and billions is None
    low, high = SIZES.get(size, (0.0, 0.0))
    return low <= billions < high

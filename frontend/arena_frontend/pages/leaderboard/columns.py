"""Columns of the leaderboard: what each sorts by, and when it is shown. The cells are in `cells.html`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from arena_frontend.pages.leaderboard.scores import SCORES

if TYPE_CHECKING:
    from arena_frontend.pages.leaderboard.lines import Line
    from arena_frontend.pages.leaderboard.selection import BoardQuery

_NONE: Final = float("-inf")


@dataclass(frozen=True)
class Column:
    """A column: `sorts` gives the value to sort by; `more` are shown on request, others if it `applies` to any line."""

    key: str
    sorts: Callable[[Line], Any]
    applies: Callable[[Line], bool] | None = None
    more: bool = False

    def is_shown(self, selection: BoardQuery, lines: list[Line]) -> bool:
        """Whether a reader sees the column: one that nobody has an entry for is left out."""
        if self.key == main_column(selection):
            return True
        is_chosen = bool(selection.style) if self.key == "style" else not self.more or bool(selection.more)
        return is_chosen and (self.applies is None or any(map(self.applies, lines)))


def _or_none(value: float | None) -> float:
    return _NONE if value is None else value


COLUMNS: Final = (
    Column("rank", lambda line: line.row.rank),
    Column("name", lambda line: line.row.name.lower()),
    Column("bt", lambda line: _or_none(line.row.bt), more=True),
    Column("style", lambda line: line.style.bt if line.style else _NONE, lambda line: line.style is not None),
    Column("battles", lambda line: line.row.battles),
    Column("size", lambda line: _or_none(line.billions), lambda line: line.billions is not None, more=True),
    Column(
        "licence",
        lambda line: (not line.open_weights, line.row.licence or ""),
        lambda line: bool(line.row.licence) or line.open_weights is not None,
        more=True,
    ),
    Column(
        "context",
        lambda line: _or_none(line.facts.context_tokens if line.facts else None),
        lambda line: bool(line.facts and line.facts.context_tokens),
    ),
    Column(
        "price",
        lambda line: _or_none(line.price),
        lambda line: bool(line.facts) and {line.facts.price_in, line.facts.price_out} != {None},
    ),
    Column(
        "variants",
        lambda line: _or_none(line.facts.variants if line.facts else None),
        lambda line: bool(line.facts and (line.facts.variants or 0) > 1),
    ),
    Column(
        "energy",
        lambda line: _or_none(line.facts.energy if line.facts else None),
        lambda line: bool(line.facts and line.facts.energy is not None),
        more=True,
    ),
    Column(
        "first", lambda line: _or_none(line.of_week("first_token")), lambda line: line.has("first_token"), more=True
    ),
    Column("speed", lambda line: _or_none(line.of_week("speed")), lambda line: line.has("speed"), more=True),
    Column("void", lambda line: _or_none(line.of_week("void")), lambda line: line.has("void"), more=True),
    Column("elo", lambda line: line.row.elo, more=True),
    Column("ppb", lambda line: line.row.points_per_battle, more=True),
    Column("win", lambda line: line.row.win_rate, more=True),
    Column("carena", lambda line: line.row.carena_rate, more=True),
    Column("record", lambda line: line.row.wins, more=True),
)


def main_column(selection: BoardQuery) -> str:
    """Return the column that the board is ranked by."""
    kind = SCORES.get(selection.by)
    return kind.column if kind else ""


def shown_columns(selection: BoardQuery, lines: list[Line]) -> list[Column]:
    """Return the columns that a reader sees, the one that ranks right behind the name."""
    shown = [column for column in COLUMNS if column.is_shown(selection, lines)]
    return sorted(shown, key=lambda column: (column.key not in {"rank", "name"}, column.key != main_column(selection)))


def arrange(lines: list[Line], selection: BoardQuery) -> list[Line]:
    """Sort the lines of a group as selected; equal ones by rank and name."""
    column = next((column for column in COLUMNS if column.key == selection.key), COLUMNS[0])
    by_rank = sorted(lines, key=lambda line: (line.row.rank, line.row.name))
    return sorted(by_rank, key=column.sorts, reverse=selection.down)

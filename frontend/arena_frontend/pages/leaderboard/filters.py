"""Tabs of the boards of categories and languages, and the filters above the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from arena_frontend.pages.leaderboard.selection import PROVISIONAL_BATTLES, SIZES, are_newcomers_hidden

if TYPE_CHECKING:
    from arena.domain.schemas.leaderboard import BoardView, LeaderboardView
    from arena.domain.schemas.overview import OverviewView
    from arena_frontend.pages.leaderboard.lines import Line
    from arena_frontend.pages.leaderboard.selection import BoardQuery
    from arena_frontend.texts import Texts

PARTS: Final = {"category": "language", "language": "category"}
"""Parts that boards are divided by, each with the other one."""


@dataclass(frozen=True)
class Tab:
    """A link to a board; `votes` is None for the one of all."""

    word: str
    name: str
    href: str
    votes: int | None
    current: bool
    leader: str = ""


@dataclass(frozen=True)
class FilterField:
    """A filter with its values and their names."""

    name: str
    options: list[tuple[str, str]]


def tabs(
    words: Texts, selection: BoardQuery, board: LeaderboardView, table: OverviewView | None = None
) -> dict[str, list[Tab]]:
    """Return the tabs of each part that has boards of its own, those with most votes first."""
    result: dict[str, list[Tab]] = {}
    leaders = _leaders(table) if table else {}
    for part, other in PARTS.items():
        alone = [view for view in board.boards if getattr(view, part) and not getattr(view, other)]
        alone.sort(key=lambda view: -view.votes)
        if alone:
            shown = [_tab(words, selection, part, view, board.boards) for view in (None, *alone)]
            result[part] = [replace(tab, leader=leaders.get((part, tab.word), "")) for tab in shown]
    return result


def _leaders(table: OverviewView) -> dict[tuple[str, str], str]:
    """The first model that each board of a category or language shows, by part and word; newcomers lead nothing."""
    result: dict[tuple[str, str], str] = {}
    for number, board in enumerate(table.boards):
        places = [(place, row.name) for row in table.rows if (place := row.places[number]) and not place.component]
        ranked = sorted((place.rank, place.battles < PROVISIONAL_BATTLES, name) for place, name in places)
        newcomers = sum(is_new for _, is_new, _ in ranked)
        if board.category and are_newcomers_hidden(newcomers, len(ranked)):
            ranked = [line for line in ranked if not line[1]]
        part, word = ("category", board.category) if board.category else ("language", board.language)
        if word and ranked and not ranked[0][1]:
            result[part, word] = ranked[0][2]
    return result


def _tab(words: Texts, selection: BoardQuery, part: str, view: BoardView | None, boards: list[BoardView]) -> Tab:
    """A tab keeps the other selection if there is a board for both, and resets it otherwise."""
    word = getattr(view, part) if view else ""
    other = getattr(selection, PARTS[part])
    both = {part: word, PARTS[part]: other}
    exists = any((board.category, board.language) == (both["category"], both["language"]) for board in boards)
    if word and other and not exists:
        both[PARTS[part]] = ""
    name = words.board(**{"category": "", "language": "", part: word})
    current = getattr(selection, part) == word
    return Tab(word or "all", name, selection.address(**both), view.votes if view else None, current)


def choices(words: Texts, lines: list[Line]) -> list[FilterField]:
    """Return the filters that would hide some lines."""
    owners = sorted({line.row.owner for line in lines if line.row.owner})
    demo = {line.row.demo for line in lines} == {True, False}
    offers: dict[str, list[str]] = {
        "weights": ["open", "closed"] if any(line.open_weights is not None for line in lines) else [],
        "owner": owners if len(owners) > 1 else [],
        "size": [*SIZES, "unknown"],
        "demo": ["none", "only"] if demo else [],
        "young": ["show", "hide"],
    }
    return [
        FilterField(name, [(value, _option_label(words, name, value)) for value in values])
        for name, values in offers.items()
        if values
    ]


def _option_label(words: Texts, name: str, value: str) -> str:
    return words.owner(value) if name == "owner" else words[f"filter.{name}.{value}"]

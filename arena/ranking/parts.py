"""What is published beside the leaderboard of everything: a board per category and language, style, and order.

All of it is a pure function of the log's columns, so that it can run in another process and be checked again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from arena.ranking.methods import UNLISTED, digest_of
from arena.ranking.orders import orders
from arena.ranking.style import style
from arena.rating import RatingError, compute_divided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from arena.ranking.facets import Facets
    from arena.ranking.logs import Head
    from arena.ranking.methods import Method
    from arena.rating import Comparisons, Division, Leaderboard
    from arena.wire import OrdersStandings, StyleStandings

FEWEST: Final = 30
"""Votes that a board needs before it says anything worth a page."""
BOARD: Final = "board"
STYLE: Final = "style"
ORDERS: Final = "orders"


@dataclass(frozen=True, slots=True)
class Part:
    """One table beside a leaderboard; `category` and `language` are empty for all."""

    kind: str
    table: Leaderboard | StyleStandings | OrdersStandings
    votes: int
    category: str = ""
    language: str = ""

    def digest(self, method: Method, head: Head, unlisted: Sequence[str]) -> str:
        """SHA-256 over what it shows, how that was computed, and from which part of the log."""
        table: Any = self.table
        shown = asdict(table) if self.kind == BOARD else table.model_dump(mode="json")
        named = {"kind": self.kind, "category": self.category, "language": self.language}
        return digest_of(
            {**named, "table": shown, "method": method.record(), "head": asdict(head), UNLISTED: list(unlisted)}
        )


@dataclass(frozen=True, slots=True)
class Parts:
    """The tables that could be computed, and why others could not."""

    made: list[Part]
    failed: list[str]


def compute_parts(log: Comparisons, facets: Facets, method: Method) -> Parts:
    """Every table beside the leaderboard; one without a result is named and does not keep the others back."""
    parts = Parts([], [])
    divisions = {"category": facets.category, "language": facets.language, "both": facets.both()}
    for name, division in divisions.items():
        try:
            parts.made.extend(_boards(log, division, name, method))
        except RatingError as error:
            parts.failed.append(f"boards by {name}: {error}")
    for kind, make in ((STYLE, _style), (ORDERS, _orders)):
        try:
            parts.made.extend(make(log, facets, method))
        except RatingError as error:
            parts.failed.append(f"{kind}: {error}")
    return parts


def _style(log: Comparisons, facets: Facets, method: Method) -> Iterator[Part]:
    table = style(log, facets.style, method)
    if table is not None:
        yield Part(STYLE, table, table.votes)


def _orders(log: Comparisons, _facets: Facets, method: Method) -> Iterator[Part]:
    yield Part(ORDERS, orders(log, method), len(log))


def _boards(log: Comparisons, division: Division, name: str, method: Method) -> Iterator[Part]:
    found = compute_divided(log, division, method.parameters, seed=method.seed, fewest=FEWEST)
    for word, board in found.items():
        if word:
            yield Part(BOARD, board, board.votes, *_KEYS[name](word))


_KEYS: Final[Mapping[str, Callable[[str], Sequence[str]]]] = {
    "category": lambda word: (word, ""),
    "language": lambda word: ("", word),
    "both": lambda word: word.split("\t"),
}
"""Category and language of a board, from its word in one of the divisions."""

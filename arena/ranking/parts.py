"""What is published beside the leaderboard of everything: a board per category and language, style, and order.

All of it is a pure function of plain values, so that it can run in another process and be checked again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from arena.ranking.methods import FEWEST, UNLISTED, digest_of
from arena.ranking.orders import orders
from arena.ranking.showing import standings
from arena.ranking.style import style
from arena.rating import RatingError, compute_divided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from arena.ranking.facets import Facets
    from arena.ranking.logs import Head
    from arena.ranking.methods import Method
    from arena.ranking.showing import Face
    from arena.rating import Comparisons, Division, Leaderboard
    from arena.wire import OrdersStandings, StyleStandings

BOARD: Final = "board"
STYLE: Final = "style"
ORDERS: Final = "orders"


@dataclass(frozen=True, slots=True)
class Source:
    """How and from which part of the log to compute, and who takes part; without `faces` nothing can be shown."""

    method: Method
    head: Head
    unlisted: Sequence[str] = ()
    faces: Mapping[str, Face] = field(default_factory=dict[str, "Face"])


@dataclass(frozen=True, slots=True)
class Part:
    """One table beside a leaderboard; `category` and `language` are empty for all.

    `digest` is the SHA-256 over the numbers, how they were computed, and from which part of the log; `payload` is what
    is shown, as JSON.
    """

    kind: str
    category: str
    language: str
    votes: int
    digest: str
    payload: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from the others of its snapshot."""
        return (self.kind, self.category, self.language)


@dataclass(frozen=True, slots=True)
class Parts:
    """The tables that could be computed, and why others could not."""

    made: list[Part]
    failed: list[str]


def compute_parts(log: Comparisons, facets: Facets, source: Source) -> Parts:
    """Every table beside the leaderboard; one without a result is named and does not keep the others back."""
    parts = Parts([], [])
    makers: dict[str, Callable[[], Iterator[Part]]] = {
        "boards by category": lambda: _boards(log, facets.category, lambda word: (word, ""), source),
        "boards by language": lambda: _boards(log, facets.language, lambda word: ("", word), source),
        "boards by both": lambda: _boards(log, facets.both(), lambda word: word.split("\t"), source),
        STYLE: lambda: _table(STYLE, style(log, facets.style, source.method), source),
        ORDERS: lambda: _table(ORDERS, orders(log, source.method), source),
    }
    for name, make in makers.items():
        try:
            parts.made.extend(make())
        except RatingError as error:
            parts.failed.append(f"{name}: {error}")
    return parts


def _boards(
    log: Comparisons, division: Division, key: Callable[[str], Sequence[str]], source: Source
) -> Iterator[Part]:
    method = source.method
    found = compute_divided(log, division, method.parameters, seed=method.seed, fewest=FEWEST)
    for word, board in found.items():
        if word:
            category, language = key(word)
            yield _board(board, category, language, source)


def _board(board: Leaderboard, category: str, language: str, source: Source) -> Part:
    return Part(
        kind=BOARD,
        category=category,
        language=language,
        votes=board.votes,
        digest=_digest(asdict(board), (BOARD, category, language), source),
        payload=standings(board, source.faces).model_dump_json(),
    )


def _table(kind: str, table: StyleStandings | OrdersStandings | None, source: Source) -> Iterator[Part]:
    if table is not None:
        digest = _digest(table.model_dump(mode="json"), (kind, "", ""), source)
        yield Part(kind, "", "", table.votes, digest, table.model_dump_json())


def _digest(table: dict[str, Any], key: tuple[str, str, str], source: Source) -> str:
    named = dict(zip(("kind", "category", "language"), key, strict=True))
    how = {"method": source.method.record(), "head": asdict(source.head), UNLISTED: list(source.unlisted)}
    return digest_of({**named, **how, "table": table})

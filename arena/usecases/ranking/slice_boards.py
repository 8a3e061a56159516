"""The parts of a snapshot: boards by category and language, and tables of style, order, ties and others.

All are pure functions of picklable values, so that they can run in another process and be verified.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Self

from arena.domain.labels.categories import WEB
from arena.domain.labels.label_sets import LABELS
from arena.domain.merged_hosts import HOSTS, merge_hosts
from arena.domain.pair_errors import stored
from arena.domain.terms import JsonObject
from arena.usecases.ranking.further_fits import grounded, inverse_probability_refit, majorities, style, ties
from arena.usecases.ranking.methods import FEWEST, UNLISTED, digest_of, fit
from arena.usecases.ranking.orders import orders
from arena.usecases.ranking.public_rows import standings
from arena.usecases.ranking.vote_slices import both
from arena_rating import METHODS_WITH_CLAIMS, RatingError, compute_by_category, pool_of
from arena_rating.clusters import measure_widening
from arena_rating.pair_difference import PairErrors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from pydantic import BaseModel

    from arena.domain.schemas.board_details import OrdersTableView, StyleTableView
    from arena.domain.schemas.further_fits import GroundedView, MajoritiesView, RefitTableView, TieModelsView
    from arena.domain.schemas.pairs import PairErrorsView
    from arena.usecases.ranking.heads import Head
    from arena.usecases.ranking.methods import Method
    from arena.usecases.ranking.vote_slices import Slices
    from arena_rating import Comparisons, Division, Leaderboard

    Fits = TieModelsView | RefitTableView | GroundedView | MajoritiesView
    Table = StyleTableView | OrdersTableView | Fits | PairErrorsView

BOARD: Final = "board"
STYLE: Final = "style"
ORDERS: Final = "orders"
TIES: Final = "ties"
WEIGHTED: Final = "weighted"
MAJORITIES: Final = "majorities"
GROUNDED: Final = "grounded"
DIFFERENCES: Final = "differences"
_LEVEL: Final = 1
"""Level of the compression, which takes milliseconds for a board of a hundred models and leaves a tenth."""


@dataclass(frozen=True, slots=True)
class Source:
    """Method, position in the log, and competitors of a computation; the payload and `owners` need `identities`.

    `labels` is the source of the topics; None is the category that a vote gets when it is cast. `hosts` are the groups
    of competitors that are hosts of one model.
    """

    method: Method
    head: Head
    unlisted: Sequence[str] = ()
    identities: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    labels: JsonObject | None = None
    hosts: Sequence[Sequence[str]] = ()

    @property
    def owners(self) -> dict[str, str]:
        """The owner of each competitor by name."""
        return {name: identity["owner"] for name, identity in self.identities.items()}


@dataclass(frozen=True, slots=True)
class SnapshotPart:
    """One further table of a snapshot; empty `category` and `language` mean all.

    `digest` is the SHA-256 of the numbers, their method, and the part of the log; `compressed`, the published JSON,
    since those of a snapshot have tens of megabytes.
    """

    kind: str
    category: str
    language: str
    votes: int
    digest: str
    compressed: bytes

    @classmethod
    def of(cls, key: tuple[str, str, str], votes: int, digest: str, view: BaseModel) -> Self:
        """The part with this key and this content."""
        return cls(*key, votes, digest, zlib.compress(view.model_dump_json().encode(), _LEVEL))

    @property
    def payload(self) -> str:
        """The published JSON."""
        return zlib.decompress(self.compressed).decode()

    @property
    def key(self) -> tuple[str, str, str]:
        """Identifies the part within its snapshot."""
        return (self.kind, self.category, self.language)


@dataclass(slots=True)
class Parts:
    """The tables, the reasons why others failed, and the `widening` of the log."""

    tables: list[SnapshotPart]
    failed: list[str]
    widening: float

    def extend(self, parts: Parts) -> None:
        """Add those of another kind of the same log."""
        self.tables.extend(parts.tables)
        self.failed.extend(parts.failed)
        self.widening = parts.widening


def compute_parts(log: Comparisons, slices: Slices, source: Source) -> Parts:
    """All parts of a snapshot; one that fails is reported without affecting the others."""
    parts = Parts([], [], 1.0)
    for kind in parts_by_kind(log, slices, source):
        parts.extend(kind)
    return parts


def parts_by_kind(log: Comparisons, slices: Slices, source: Source) -> Iterator[Parts]:
    """The parts of a snapshot, those of one kind at a time; each kind is computed when it is asked for."""
    widening = _widening(log, slices.person)
    # Style takes most memory, so it comes first, before others leave gaps in it.
    makers: dict[str, Callable[[], Iterator[SnapshotPart]]] = {
        STYLE: lambda: _table(STYLE, style(log, slices.style, source.method, source.owners), source),
        "boards by category": lambda: _boards(log, slices.topics, lambda word: (word, ""), source),
        "boards by language": lambda: _boards(log, [slices.language], lambda word: ("", word), source),
        "boards by both": lambda: _boards(log, both(slices), lambda word: word.split("\t"), source),
        "board with hosts merged": lambda: _merged_board(log, source),
        ORDERS: lambda: _table(ORDERS, orders(log, source.method), source),
        TIES: lambda: _table(TIES, ties(log, source.method), source),
        WEIGHTED: lambda: _table(WEIGHTED, inverse_probability_refit(log, slices.probability, source.method), source),
        MAJORITIES: lambda: _table(MAJORITIES, majorities(log), source),
        GROUNDED: lambda: _table(GROUNDED, grounded(log, source.method), source),
        DIFFERENCES: lambda: _table(DIFFERENCES, differences(log, source.method), source),
        "differences by category": lambda: _differences(log, slices, source),
    }
    for name, make in makers.items():
        try:
            yield Parts(list(make()), [], widening)  # all of them or none
        except RatingError as error:
            yield Parts([], [f"{name}: {error}"], widening)


def _widening(log: Comparisons, person: NDArray[np.int32] | None) -> float:
    return 1.0 if person is None or len(log) < FEWEST else measure_widening(log, person)


def _boards(
    log: Comparisons, divisions: Iterable[Division], key: Callable[[str], Sequence[str]], source: Source
) -> Iterator[SnapshotPart]:
    method, divisions = source.method, list(divisions)
    pool = pool_of(log, divisions, method.parameters, fewest=FEWEST)
    for division in divisions:
        boards = compute_by_category(log, division, method.parameters, seed=method.seed, fewest=FEWEST, pool=pool)
        for word, board in boards:
            category, language = key(word)
            yield board_part(board, category, language, source)


def board_part(board: Leaderboard, category: str, language: str, source: Source) -> SnapshotPart:
    """The board of a category, of a language, or of both, as a part."""
    return _part_of(board, (BOARD, category, language), source)


def _part_of(board: Leaderboard, key: tuple[str, str, str], source: Source) -> SnapshotPart:
    digest = _digest(board.record(), key, source)
    return SnapshotPart.of(key, board.votes, digest, standings(board, source.identities))


def _merged_board(log: Comparisons, source: Source) -> Iterator[SnapshotPart]:
    """The board on which hosts of one model count once, if there are any."""
    merged = merge_hosts(log, source.hosts) if source.hosts else log
    if source.hosts and len(merged) >= FEWEST:
        yield _part_of(fit(merged, source.method), (HOSTS, "", ""), source)


def web_boards(log: Comparisons, source: Source) -> list[SnapshotPart]:
    """The board of the votes on web pages alone, or an empty list below `FEWEST` of them."""
    if len(log) < FEWEST:
        return []
    # Topics come from labels, but this board does not.
    return [board_part(fit(log, source.method), WEB, "", replace(source, labels=None))]


def _differences(log: Comparisons, slices: Slices, source: Source) -> Iterator[SnapshotPart]:
    """The tables of each category and of each language."""
    for topic in slices.topics:
        for word, rows in _categories(topic):
            yield from _table(DIFFERENCES, differences(log.where(rows), source.method), source, category=word)
    for word, rows in _categories(slices.language):
        yield from _table(DIFFERENCES, differences(log.where(rows), source.method), source, language=word)


def _categories(division: Division) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Name and rows [n] of each category with a name and at least `FEWEST` votes."""
    for number, word in enumerate(division.categories):
        rows = division.index == number
        if word and rows.sum() >= FEWEST:
            yield word, rows


def _table(
    kind: str, table: Table | None, source: Source, category: str = "", language: str = ""
) -> Iterator[SnapshotPart]:
    if table is not None:
        key = (kind, category, language)
        digest = _digest(table.model_dump(mode="json"), key, source)
        yield SnapshotPart.of(key, table.votes, digest, table)


def _digest(table: JsonObject, key: tuple[str, str, str], source: Source) -> str:
    names = dict(zip(("kind", "category", "language"), key, strict=True))
    origin = {"method": source.method.record(), "head": source.head.record(), UNLISTED: list(source.unlisted)}
    topics = {LABELS: dict(source.labels)} if source.labels and names["category"] else {}
    hosts = {HOSTS: [list(group) for group in source.hosts]} if key[0] == HOSTS else {}
    return digest_of({**names, **origin, **topics, **hosts, "table": table})


def differences(log: Comparisons, method: Method) -> PairErrorsView | None:
    """The errors of all rating differences of a log, by cluster as on the board; None without votes."""
    if not len(log):
        return None
    errors = PairErrors.of_log(log, method.parameters)
    is_claimed = method.parameters.method in METHODS_WITH_CLAIMS
    return stored(errors if is_claimed else replace(errors, votes=len(log)), claims=is_claimed)

"""Cache of the published leaderboards and ratings over time: documents are built once per snapshot."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from arena.adapters.observability import metrics
from arena.adapters.store import decisions, snapshots
from arena.adapters.store.votes import LeftOut
from arena.api.boards import documents
from arena.api.boards.documents import MAIN_BOARD, Key
from arena.api.boards.overview import overview
from arena.domain.board_methods import places
from arena.domain.errors import NoBoard
from arena.domain.merged_hosts import HOSTS
from arena.domain.schemas.board_details import CourseView, HistoryView, MomentView
from arena.domain.schemas.leaderboard import NewestView
from arena.domain.schemas.models import PlacementView
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.api.boards.documents import BoardDocument
    from arena.domain.pair_errors import PairErrors
    from arena.domain.schemas.board_details import OrdersView, StyleView
    from arena.domain.schemas.leaderboard import LeaderboardView, MethodView, RankedBy
    from arena.domain.schemas.overview import OverviewView

Result = TypeVar("Result")
FRESH: Final = 1.0
"""Seconds for which the ids of the newest snapshot are kept."""
MOST_MOMENTS: Final = 60
"""Maximum number of points of time in a chart; of more, an even selection is taken."""
_FIELDS: Final = ("elo", "bt", "rank")


class History:
    """Caches the tables it has read; used by one board, one request at a time."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[MomentView, dict[str, JsonObject]]] = {}

    def read(self, session: Session) -> tuple[HistoryView, str]:
        """Read the ratings of all models on the newest board, and an ETag that changes with them."""
        numbers = thinned(snapshots.stored_ids(session), MOST_MOMENTS)
        if not numbers:
            return HistoryView(moments=[], courses=[]), "history-none"
        self._read = {number: self._read.get(number) or _table(session, number) for number in numbers}
        moments, tables = zip(*self._read.values(), strict=True)
        courses = [
            CourseView(name=name, **{field: [table.get(name, {}).get(field) for table in tables] for field in _FIELDS})
            for name in tables[-1]
        ]
        return HistoryView(moments=list(moments), courses=courses), f"history-{numbers[-1]}-{len(numbers)}"


def thinned(items: Sequence[int], limit: int) -> list[int]:
    """Select at most `limit` items evenly, with the first and the last."""
    if len(items) <= limit:
        return list(items)
    return [items[round(place * (len(items) - 1) / (limit - 1))] for place in range(limit)]


def _table(session: Session, number: int) -> tuple[MomentView, dict[str, JsonObject]]:
    row = snapshots.by_id(session, number)
    if row is None or row.payload is None:
        raise NoBoard
    try:
        rows: list[JsonObject] = json.loads(row.payload)["rows"]
        ranks = [None if place["component"] else place["rank"] for place in places(rows)]
        lines: list[JsonObject] = [line | {"rank": rank} for line, rank in zip(rows, ranks, strict=True)]
        table = {line["name"]: {field: line[field] for field in _FIELDS} for line in lines}
    except (ValueError, KeyError):
        # A table that another version has written leaves a gap in the lines of the chart.
        table = {}
    return MomentView(snapshot=row.id, votes=row.votes, created_at=row.created_at), table


def _by_model(views: list[LeaderboardView]) -> dict[str, list[PlacementView]]:
    """The rows of each model on these boards."""
    rows = defaultdict[str, list[PlacementView]](list)
    for view in views:
        sizes = Counter(row.component for row in view.rows)
        for row in view.rows:
            placement = PlacementView(
                category=view.category, language=view.language, row=row, count=sizes[row.component]
            )
            rows[row.name].append(placement)
    return dict(rows)


class Boards:
    """Caches the documents of the newest snapshot, of its parts, and of what the gate says of them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._documents: dict[Key, Any] = {}
        self._ids = _Ids()
        self._notes: documents.GateNotes = documents.GateNotes([], {})
        self._building = asyncio.Lock()
        self._query: asyncio.Future[_Ids] | None = None
        self._history = History()
        self._left_out = LeftOut()
        self._collecting = asyncio.Lock()
        self._placements: tuple[BoardDocument[LeaderboardView], dict[str, list[PlacementView]]] | None = None
        self._newest = NewestView(snapshot=0, tables=0)
        self._checked = -FRESH

    async def leaderboard(
        self, category: str = "", language: str = "", by: RankedBy = "bt", *, merged: bool = False
    ) -> BoardDocument[LeaderboardView]:
        """Return the newest leaderboard, or that of one category, one language or both, ranked by a score.

        With `merged`, hosts of one model count once.

        Raises:
            NoBoard: There is none for this category and language, or there are not enough votes for one.
        """
        key = Key(HOSTS if merged else MAIN_BOARD.kind, category, language, by)
        if category or language or merged:
            return await self._part(key)
        return await self._document(key, partial(documents.whole, by=by))

    async def placements(self) -> dict[str, list[PlacementView]]:
        """Return the rows of each model on all boards, the whole one first; raises like `leaderboard`.

        They are collected once per snapshot: the boards together have a row for each model, category and language.
        """
        whole = await self.leaderboard()
        async with self._collecting:
            if self._placements is None or self._placements[0] is not whole:
                parts = [self.leaderboard(part.category, part.language) for part in whole.view.boards]
                views = [board.view for board in (whole, *await asyncio.gather(*parts))]
                self._placements = whole, await asyncio.to_thread(_by_model, views)
            return self._placements[1]

    async def style(self) -> BoardDocument[StyleView]:
        """Return the newest style-controlled fit; raises like `leaderboard`."""
        return await self._part(Key("style"))

    async def orders(self) -> BoardDocument[OrdersView]:
        """Return the newest order sensitivity; raises like `leaderboard`."""
        return await self._part(Key("orders"))

    async def method(self) -> BoardDocument[MethodView]:
        """Return the method of the newest leaderboard; raises like `leaderboard`."""
        return await self._document(Key("method"), partial(documents.method, left_out=self._left_out))

    async def history(self) -> BoardDocument[HistoryView]:
        """Return ratings over time; raises like `leaderboard`."""
        return await self._document(Key("history"), lambda session: documents.encode(*self._history.read(session)))

    async def overview(self) -> BoardDocument[OverviewView]:
        """Return the ranks of all models on all boards; raises like `leaderboard`."""
        return await self._document(Key("overview"), lambda session: documents.encode(*overview(session)))

    async def newest(self) -> NewestView:
        """Return the ids of the newest snapshot of any process, as of at most `FRESH` seconds ago."""
        now = asyncio.get_running_loop().time()
        if now - self._checked >= FRESH:
            board = await self._newest_ids()
            self._newest, self._checked = NewestView(snapshot=board.snapshot, tables=board.tables), now
        return self._newest

    async def differences(self) -> dict[tuple[str, str], PairErrors]:
        """Return the newest errors of differences between two models, by category and language; empty at first."""
        return await self._document(Key("differences"), documents.differences)

    async def _part(self, key: Key) -> BoardDocument[Any]:
        return await self._document(key, partial(documents.part, key=key))

    async def _document(self, key: Key, build: Callable[[Session], Result]) -> Result:
        """Build a document, once per snapshot for all concurrent requests."""
        board = await self._newest_ids()
        if board <= self._ids and (document := self._documents.get(key)):
            return document
        async with self._building:
            if board > self._ids:
                await self._renew(board)
            if key not in self._documents:
                self._documents[key] = await self._database.read(build)
                metrics.PAGES.inc()
            return self._documents[key]

    async def _renew(self, board: _Ids) -> None:
        """Drop the documents, unless there is only a new run of the gate that says the same."""
        notes = await self._database.read(documents.gate_notes)
        if board[:2] != self._ids[:2] or notes != self._notes:
            self._documents = {}
        self._ids = board
        self._notes = notes

    async def _newest_ids(self) -> _Ids:
        """Return the newest ids; concurrent callers share one query."""
        if self._query is None or self._query.done():
            self._query = asyncio.ensure_future(self._database.read(_newest_ids))
        return await asyncio.shield(self._query)


class _Ids(NamedTuple):
    """Ids of the newest snapshot, of the newest one with parts, and of the newest run of the gate; they only grow."""

    snapshot: int = 0
    tables: int = 0
    run: int = 0


def _newest_ids(session: Session) -> _Ids:
    return _Ids(*snapshots.newest_ids(session), decisions.newest_run_number(session))

"""Documents of published numbers, built from stored snapshots: all kinds of boards, and their method."""

from __future__ import annotations

import gzip
import json
import logging
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NamedTuple, TypeVar, cast
from zlib import crc32

from pydantic import BaseModel, ValidationError

from arena.adapters.row_files.csv_rows import csv_table
from arena.adapters.store import decisions, log_leaves, snapshots
from arena.domain.board_methods import practice_apart, rank_by
from arena.domain.errors import NoBoard, Unavailable
from arena.domain.http_documents import Document
from arena.domain.labels.categories import VISION
from arena.domain.merged_hosts import HOSTS, recorded_hosts
from arena.domain.pair_errors import PairErrors, restored
from arena.domain.pairing.eligibility import MIN_MODELS
from arena.domain.schemas.board_details import OrdersTableView, OrdersView, StyleTableView, StyleView
from arena.domain.schemas.further_fits import GroundedView, MajoritiesView, RefitTableView, TieModelsView
from arena.domain.schemas.leaderboard import (
    BoardLabelsView,
    BoardView,
    LeaderboardRowView,
    LeaderboardView,
    MergedHostsView,
    MethodView,
    PairView,
    SnapshotView,
    StandingsView,
)
from arena.domain.schemas.pairs import PairErrorsView
from arena_trust.integrity.preliminary import Preliminary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow
    from arena.adapters.store.votes import LeftOut
    from arena.domain.schemas.leaderboard import RankedBy

log = logging.getLogger(__name__)
View = TypeVar("View", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Key:
    """Key of a document; an empty category or language means all. Boards are ranked by `by`."""

    kind: str = "board"
    category: str = ""
    language: str = ""
    by: RankedBy = "bt"


MAIN_BOARD: Final = Key()


@dataclass(frozen=True)
class BoardDocument(Generic[View]):
    """A response as a view and as bytes, plain and compressed, built once for all readers."""

    view: View
    document: Document

    @cached_property
    def pairs(self) -> dict[str, list[PairView]]:
        """The board's pairs by model; a thousand models have half a million."""
        result = defaultdict[str, list[PairView]](list)
        for pair in getattr(self.view, "pairs", ()):
            result[pair.a].append(pair)
            result[pair.b].append(pair)
        return result

    @cached_property
    def csv(self) -> Document:
        """The rows of a leaderboard as CSV."""
        body = _csv(cast("LeaderboardView", self.view))
        return Document({"": body}, self.document.etag[:-1] + '-csv"')


def _csv(board: LeaderboardView) -> bytes:
    """The rows; reasons for "preliminary" are those of the board and the row's own; "contested" has points."""
    reasons = (" ".join([*board.preliminary, *row.preliminary]) for row in board.rows)
    rows = (
        (row.model_dump() | {"preliminary": reason, "contested": board.contested.get(row.name)}).values()
        for row, reason in zip(board.rows, reasons, strict=True)
    )
    return csv_table([*LeaderboardRowView.model_fields, "contested"], rows).encode()


def encode(view: View, tag: str) -> BoardDocument[View]:
    """Encode a view; its ETag is `tag`, which changes with the numbers, and what the gate says of them."""
    body = view.model_dump_json().encode()
    contested = getattr(view, "contested", None)
    checksum = [f"{crc32(json.dumps(contested).encode()):08x}"] if contested else []
    etag = "-".join([tag, *getattr(view, "preliminary", ()), *checksum])
    return BoardDocument(view, Document({"": body, "gzip": gzip.compress(body, 6, mtime=0)}, f'"{etag}"'))


def whole(session: Session, by: RankedBy = "bt") -> BoardDocument[LeaderboardView]:
    """Build the newest leaderboard, an empty one before the first snapshot."""
    row = snapshots.newest(session)
    if row is None or row.payload is None:
        return encode(LeaderboardView(snapshot=None, by=by, rows=[], pairs=[]), _by_tag("none", by))
    standings = _read(StandingsView, row.payload)
    sides, notes = snapshots.newest_with_parts(session), gate_notes(session)
    view = LeaderboardView(
        snapshot=_snapshot_view(row),
        by=by,
        rows=rank_by(practice_apart(standings.rows), by, row.parameters),
        pairs=standings.pairs,
        boards=_board_views(session, sides),
        beside=_further_tables(session, sides),
        labels=_labels(session, sides),
        preliminary=notes.preliminary,
        contested=notes.contested_among(standings.rows),
    )
    return encode(view, _by_tag(f"{row.id}-{sides.id if sides else 0}-{row.digest[:32]}", by))


def part(session: Session, key: Key) -> BoardDocument[Any]:
    """Build the newest table of this kind, category and language."""
    row = snapshots.newest_with_parts(session)
    if row is None:
        raise NoBoard
    stored = snapshots.part(session, row.id, key.kind, key.category, key.language)
    if stored is None or stored.payload is None:
        if key.kind == HOSTS:
            raise NoBoard(rule="hosts")
        names = ["/".join(filter(None, (b.category, b.language))) for b in _board_views(session, row)]
        raise NoBoard(boards=names or ["none"])
    meta = {"parameters": stored.parameters, "votes": stored.votes, "digest": stored.digest}
    view = _MAKERS[key.kind](session, stored, _snapshot_view(row).model_copy(update=meta), key.by)
    return encode(view, _by_tag(f"{stored.id}-{stored.digest[:32]}", key.by))


def _by_tag(tag: str, by: RankedBy) -> str:
    return tag if by == MAIN_BOARD.by else f"{tag}-{by}"


def differences(session: Session) -> dict[tuple[str, str], PairErrors]:
    """The newest errors of differences between two models, by category and language; the whole board's first."""
    row = snapshots.newest_with_parts(session)
    tables = [part for part in snapshots.parts_of(session, row.id) if part.kind == "differences"] if row else []
    return {
        (part.category, part.language): restored(_read(PairErrorsView, part.payload))
        for part in sorted(tables, key=lambda part: (bool(part.language), part.category, part.language))
    }


def _slice_board(session: Session, part: PartRow, snapshot: SnapshotView, by: RankedBy) -> LeaderboardView:
    standings, notes = _read(StandingsView, part.payload), gate_notes(session)
    sides = snapshots.by_id(session, part.snapshot_id)
    return LeaderboardView(
        snapshot=snapshot,
        by=by,
        rows=rank_by(practice_apart(standings.rows), by, part.parameters),
        pairs=standings.pairs,
        category=part.category,
        language=part.language,
        boards=_board_views(session, sides),
        beside=_further_tables(session, sides),
        labels=_labels(session, sides),
        preliminary=[*notes.preliminary, *_narrow_pool(session, part)],
        contested=notes.contested_among(standings.rows),
        hosts=_merged_hosts(part, sides) if part.kind == HOSTS else None,
    )


def _merged_hosts(part: PartRow, whole: SnapshotRow | None) -> MergedHostsView:
    left_out = whole.votes - part.votes if whole else 0
    return MergedHostsView(groups=recorded_hosts(part.parameters), left_out=left_out)


def _style(_session: Session, part: PartRow, snapshot: SnapshotView, _: RankedBy) -> StyleView:
    return StyleView(snapshot=snapshot, **_read(StyleTableView, part.payload).model_dump())


def _orders(_session: Session, part: PartRow, snapshot: SnapshotView, _: RankedBy) -> OrdersView:
    return OrdersView(snapshot=snapshot, **_read(OrdersTableView, part.payload).model_dump())


_MAKERS: Final[dict[str, Callable[[Session, PartRow, SnapshotView, RankedBy], BaseModel]]] = {
    "board": _slice_board,
    HOSTS: _slice_board,
    "style": _style,
    "orders": _orders,
}


def method(session: Session, left_out: LeftOut) -> BoardDocument[MethodView]:
    """Build the method of the newest leaderboard and its input; `left_out` is advanced to it."""
    row = snapshots.last(session)
    if row is None:
        return encode(MethodView(snapshot=None, log=0, left_out={}, boards=[]), "method-none")
    sides = snapshots.newest_with_parts(session)
    ties = _table(session, sides, "ties", TieModelsView)
    weighted = _table(session, sides, "weighted", RefitTableView)
    view = MethodView(
        snapshot=_snapshot_view(row),
        log=row.last_vote,
        imported=log_leaves.imported_votes(session, row.last_vote),
        left_out=left_out.advance(session, row.last_vote, row.last_exclusion),
        boards=_board_views(session, sides),
        ties=ties.rows if ties else [],
        weighted=weighted.rows if weighted else [],
        majorities=_table(session, sides, "majorities", MajoritiesView),
        grounded=_table(session, sides, "grounded", GroundedView),
        tables=_snapshot_view(sides) if sides else None,
    )
    return encode(view, f"method-{row.id}-{sides.id if sides else 0}-{row.digest[:32]}")


def _read(kind: type[View], payload: str | None) -> View:
    """Parse a stored table.

    Raises:
        Unavailable: Another version has stored it in a different form.
    """
    try:
        return kind.model_validate_json(payload or "")
    except ValidationError as error:
        log.exception("a stored table cannot be read")
        raise Unavailable("This table was stored in a form that cannot be read; the next one replaces it.") from error


def _snapshot_view(row: SnapshotRow) -> SnapshotView:
    return SnapshotView.model_validate(row, from_attributes=True)


def _board_views(session: Session, row: SnapshotRow | None) -> list[BoardView]:
    if row is None:
        return []
    parts = snapshots.parts_of(session, row.id)
    return [BoardView.model_validate(part, from_attributes=True) for part in parts if part.kind == MAIN_BOARD.kind]


def _table(session: Session, row: SnapshotRow | None, name: str, kind: type[View]) -> View | None:
    """A table of a snapshot by its name; None without one."""
    stored = snapshots.part(session, row.id, name) if row else None
    return _read(kind, stored.payload) if stored else None


def _labels(session: Session, row: SnapshotRow | None) -> BoardLabelsView | None:
    """The labels that the boards' categories come from; None without a part."""
    parts = snapshots.parts_of(session, row.id) if row else ()
    labels = parts[0].parameters.get("labels") if parts else None
    return BoardLabelsView(**labels) if labels else None


class GateNotes(NamedTuple):
    """Notes of the newest run of the gate on all boards.

    `preliminary` has codes of reasons, `contested` models with the points by which each may be wrong, None where the
    gate gave no number.
    """

    preliminary: list[str]
    contested: dict[str, float | None]

    def contested_among(self, rows: Sequence[LeaderboardRowView]) -> dict[str, float | None]:
        """The contested models of a board; others have been unlisted since."""
        names = {row.name for row in rows}
        return {name: points for name, points in self.contested.items() if name in names}


def gate_notes(session: Session) -> GateNotes:
    """Read the notes, none before the first run."""
    run = decisions.newest_run(session)
    if run is None:
        return GateNotes([], {})
    bounds: dict[str, float] = run.boards.get("bounds", {})
    contested = {name: bounds.get(name) for name in run.boards.get("undecided", ())}
    return GateNotes(run.boards.get("preliminary", []), contested)


def _narrow_pool(session: Session, part: PartRow) -> list[Preliminary]:
    """The reason if few models have votes with images, or in the board's language; topics exclude no model."""
    board = part
    if part.category != VISION:
        board = snapshots.part(session, part.snapshot_id, MAIN_BOARD.kind, "", part.language)
    models = len(_read(StandingsView, board.payload).rows) if board else MIN_MODELS
    return [Preliminary.NARROW_POOL] if models < MIN_MODELS else []


def _further_tables(session: Session, row: SnapshotRow | None) -> list[Literal["style", "orders", "history", "hosts"]]:
    """List the tables that are not boards; a history has two moments or more."""
    kinds = {part.kind for part in snapshots.parts_of(session, row.id)} if row else set[str]()
    if len(snapshots.stored_ids(session)) > 1:
        kinds.add("history")
    return [kind for kind in ("style", "orders", "history", HOSTS) if kind in kinds]

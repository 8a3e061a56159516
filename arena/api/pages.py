"""Pages of published numbers, built from what is stored: all kinds of boards, and how they were computed."""

from __future__ import annotations

import gzip
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from arena.errors import NoBoard, NoSnapshot, Unavailable
from arena.store import snapshots, votes
from arena.wire import (
    BoardView,
    LeaderboardView,
    MethodView,
    OrdersStandings,
    OrdersView,
    SnapshotView,
    Standings,
    StyleStandings,
    StyleView,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from arena.store.tables import PartRow, SnapshotRow

log = logging.getLogger(__name__)
View = TypeVar("View", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Key:
    """Which page is asked for; empty words stand for all."""

    kind: str = "board"
    category: str = ""
    language: str = ""


WHOLE: Final = Key()


@dataclass(frozen=True, slots=True)
class Page(Generic[View]):
    """One answer, parsed and as bytes, plain and compressed once for all readers."""

    view: View
    json: bytes
    gzip: bytes
    etag: str


def page(view: View, tag: str) -> Page[View]:
    """Put a view into bytes; `tag` changes whenever they do."""
    body = view.model_dump_json().encode()
    return Page(view, body, gzip.compress(body, 6, mtime=0), f'"{tag}"')


def whole(session: Session) -> Page[LeaderboardView]:
    """The newest leaderboard."""
    row = snapshots.newest(session)
    if row is None or row.payload is None:
        raise NoSnapshot
    standings = _read(Standings, row.payload)
    sides = snapshots.newest_with_parts(session)
    view = LeaderboardView(
        snapshot=_seen(row),
        rows=standings.rows,
        pairs=standings.pairs,
        boards=_boards(session, sides),
        beside=_others(session, sides),
    )
    return page(view, f"{row.id}-{sides.id if sides else 0}-{row.digest[:32]}")


def beside(session: Session, key: Key) -> Page[Any]:
    """The newest table of that kind, category and language beside a leaderboard."""
    row = snapshots.newest_with_parts(session)
    if row is None:
        if snapshots.newest_id(session):
            raise NoBoard
        raise NoSnapshot
    part = snapshots.part(session, row.id, key.kind, key.category, key.language)
    if part is None or part.payload is None:
        names = ", ".join("/".join(filter(None, (b.category, b.language))) for b in _boards(session, row)) or "none"
        raise NoBoard(f"There are boards of: {names}.")
    seen = _seen(row).model_copy(update={"parameters": part.parameters, "votes": part.votes, "digest": part.digest})
    return page(_MAKERS[key.kind](session, part, seen), f"{part.id}-{part.digest[:32]}")


def _divided(session: Session, part: PartRow, snapshot: SnapshotView) -> LeaderboardView:
    standings, sides = _read(Standings, part.payload), snapshots.by_id(session, part.snapshot_id)
    return LeaderboardView(
        snapshot=snapshot,
        rows=standings.rows,
        pairs=standings.pairs,
        category=part.category,
        language=part.language,
        boards=_boards(session, sides),
        beside=_others(session, sides),
    )


def _styled(_session: Session, part: PartRow, snapshot: SnapshotView) -> StyleView:
    return StyleView(snapshot=snapshot, **_read(StyleStandings, part.payload).model_dump())


def _ordered(_session: Session, part: PartRow, snapshot: SnapshotView) -> OrdersView:
    return OrdersView(snapshot=snapshot, **_read(OrdersStandings, part.payload).model_dump())


_MAKERS: Final[dict[str, Callable[[Session, PartRow, SnapshotView], BaseModel]]] = {
    "board": _divided,
    "style": _styled,
    "orders": _ordered,
}


def method(session: Session) -> Page[MethodView]:
    """How the newest leaderboard was computed, and from what."""
    row = snapshots.last(session)
    if row is None:
        raise NoSnapshot
    sides = snapshots.newest_with_parts(session)
    left_out = votes.left_out(session, last=row.last_vote, exclusion=row.last_exclusion)
    view = MethodView(snapshot=_seen(row), log=row.last_vote, left_out=left_out, boards=_boards(session, sides))
    return page(view, f"method-{row.id}-{sides.id if sides else 0}-{row.digest[:32]}")


def _read(kind: type[View], payload: str | None) -> View:
    """A stored table; one that another version has written otherwise is told as such, and no bug of this one."""
    try:
        return kind.model_validate_json(payload or "")
    except ValidationError as error:
        log.exception("a stored table cannot be read")
        raise Unavailable("This table was stored in a form that cannot be read; the next one replaces it.") from error


def _seen(row: SnapshotRow) -> SnapshotView:
    return SnapshotView.model_validate(row, from_attributes=True)


def _boards(session: Session, row: SnapshotRow | None) -> list[BoardView]:
    if row is None:
        return []
    parts = snapshots.parts_of(session, row.id)
    return [BoardView.model_validate(part, from_attributes=True) for part in parts if part.kind == WHOLE.kind]


def _others(session: Session, row: SnapshotRow | None) -> list[Literal["style", "orders"]]:
    """The tables that are no boards."""
    if row is None:
        return []
    kinds = {part.kind for part in snapshots.parts_of(session, row.id)}
    return [kind for kind in ("style", "orders") if kind in kinds]

"""The table of all boards, from the stored tables of the newest snapshots and the one of a week ago."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import snapshots
from arena.domain.board_methods import has_claims, places
from arena.domain.schemas.leaderboard import SnapshotView
from arena.domain.schemas.overview import OverviewBoardView, OverviewPlaceView, OverviewRowView, OverviewView
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.adapters.store.tables.snapshots import PartRow, SnapshotRow

WEEK: Final = timedelta(days=7)
Lines = list[JsonObject]
Column = tuple[OverviewBoardView, dict[str, OverviewPlaceView]]


def overview(session: Session) -> tuple[OverviewView, str]:
    """Read the ranks of all models on all boards, and an ETag that changes with them."""
    row = snapshots.newest(session)
    if row is None:
        return OverviewView(snapshot=None, boards=[], rows=[]), "overview-none"
    sides, past = snapshots.newest_with_parts(session), snapshots.newest_before(session, row.created_at - WEEK)
    lines = _lines(row.payload)
    columns = [_column(OverviewBoardView(votes=row.votes), lines), *_parts(session, sides)]
    before = {line["name"]: line for line in _lines(past.payload)} if past else {}
    is_claimed = past is not None and has_claims(past.method) and has_claims(row.method)
    view = OverviewView(
        snapshot=SnapshotView.model_validate(row, from_attributes=True),
        since=past.created_at if past else None,
        boards=[board for board, _ in columns],
        rows=[_row(line, columns, before, is_claimed=is_claimed) for line in lines],
    )
    return view, f"overview-{row.id}-{sides.id if sides else 0}-{past.id if past else 0}"


def _parts(session: Session, sides: SnapshotRow | None) -> list[Column]:
    """The columns of categories and languages, without those of both."""
    listed = snapshots.parts_of(session, sides.id) if sides else ()
    single = [part for part in listed if part.kind == "board" and bool(part.category) != bool(part.language)]
    single.sort(key=lambda part: (not part.category, part.category, part.language))
    return [_column(_board(part), _lines(part.payload)) for part in single]


def _board(part: PartRow) -> OverviewBoardView:
    return OverviewBoardView(category=part.category, language=part.language, votes=part.votes)


def _column(board: OverviewBoardView, lines: Lines) -> Column:
    return board, {line["name"]: _place(line) for line in lines}


def _place(line: JsonObject) -> OverviewPlaceView:
    names = {"rank": "rank", "low": "rank_low", "high": "rank_high", "battles": "battles", "component": "component"}
    return OverviewPlaceView.model_construct(**{name: line.get(stored, 0) for name, stored in names.items()})


def _row(
    line: JsonObject, columns: list[Column], before: dict[str, JsonObject], *, is_claimed: bool
) -> OverviewRowView:
    name, past = line["name"], before.get(line["name"], {})
    return OverviewRowView(
        name=name,
        owner=line["owner"],
        demo=line.get("demo", False),
        before=past.get("rank"),
        battles_before=past.get("battles"),
        moved=_moved(past, line) if past and is_claimed else 0,
        places=[places.get(name) for _, places in columns],
    )


def _moved(past: JsonObject, now: JsonObject) -> int:
    """Places of the largest group between the rank bounds of both boards, below zero if the later ones are worse."""
    if past["component"] or now["component"]:
        return 0
    up: int = past["rank_low"] - now["rank_high"]
    down: int = now["rank_low"] - past["rank_high"]
    return max(up, 0) - max(down, 0)


def _lines(payload: str | None) -> Lines:
    """The rows of a stored table in their places; empty if another version has written it in another form."""
    try:
        rows: Lines = json.loads(payload or "{}")["rows"]
        placed = [line | place for line, place in zip(rows, places(rows), strict=True)]
    except (ValueError, KeyError):
        return []
    return sorted(placed, key=lambda line: (line["component"], line["rank"]))

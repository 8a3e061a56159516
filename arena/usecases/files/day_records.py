"""Boards of a day as JSON, in the layout of collections of daily leaderboards."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from arena.domain.terms import JsonObject
from arena.usecases.files.board_tables import OVERALL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from arena.domain.schemas.leaderboard import LeaderboardRowView
    from arena.usecases.files.board_tables import FileBoard

TEXT: Final = "text"
"""The name of the whole board in this layout."""
_NOT_IN_NAMES: Final = re.compile(r"[^a-z0-9]+")
"""Characters that names of boards must not have in this layout."""


def day_records(boards: Sequence[FileBoard], address: str, now: datetime) -> dict[str, bytes]:
    """The files of a day by path: one for each board with rated models, the index, and one that names the last day."""
    files = {record["meta"]["leaderboard"]: record for board in boards if (record := _record(board, address, now))}
    day = boards[0].day.isoformat()
    index: JsonObject = {
        "date": day,
        "fetched_at": now.isoformat(),
        "leaderboards": {name: {"model_count": len(record["models"])} for name, record in files.items()},
        "errors": [],
    }
    parts = {f"{day}/{name}.json": record for name, record in {**files, "_index": index}.items()}
    return {path: _json(part) for path, part in {**parts, "latest.json": {"date": day, "path": day}}.items()}


def _name(board: FileBoard) -> str:
    return TEXT if board.name == OVERALL else _NOT_IN_NAMES.sub("-", board.name.lower()).strip("-")


def _record(board: FileBoard, address: str, now: datetime) -> JsonObject:
    """The record of a board; empty without a rated model."""
    models = [_model(row) for row in board.placed]
    if not models:
        return {}
    meta = {
        "leaderboard": _name(board),
        "source_url": address + board.page,
        "fetched_at": now.isoformat(),
        "last_updated": f"{board.day:%b} {board.day.day}, {board.day.year}",
        "model_count": len(models),
    }
    return {"meta": meta, "models": models}


def _model(row: LeaderboardRowView) -> JsonObject:
    has_interval = row.bt_low is not None and row.bt_high is not None
    return {
        "rank": row.rank,
        "model": row.name,
        "vendor": row.owner or None,
        "license": None if row.open_weights is None else "open" if row.open_weights else "proprietary",
        "score": round(row.bt or 0),
        "ci": round(((row.bt_high or 0) - (row.bt_low or 0)) / 2) if has_interval else None,
        "votes": row.battles,
    }


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n"

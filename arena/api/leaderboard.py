"""Routes of the leaderboard: JSON, CSV, and word of a newer one."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Header, Response

from arena.api import sse
from arena.api.deps import OnBoard
from arena.wire import LeaderboardRow, LeaderboardView, Snapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from arena.api.board import Board

router = APIRouter(prefix="/leaderboard", tags=["leaderboard"])

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would run a cell that begins so; an apostrophe makes it text."""


@router.get("", response_model=LeaderboardView, responses={304: {"description": "Not modified"}})
async def newest(board: OnBoard, if_none_match: Annotated[str | None, Header()] = None) -> Response:
    """The newest snapshot."""
    page = await board.page()
    return _cached(page.json, page.etag, "application/json", if_none_match)


@router.get(".csv", response_class=Response)
async def table(board: OnBoard, if_none_match: Annotated[str | None, Header()] = None) -> Response:
    """The rows of the newest snapshot as a table."""
    page = await board.page()
    etag = page.etag[:-1] + '-csv"'
    return _cached(_csv(page.view.rows), etag, "text/csv; charset=utf-8", if_none_match)


@router.get("/stream", response_class=Response)
async def follow(board: OnBoard) -> Response:
    """An event with the number of every new snapshot."""
    return sse.stream(_announced(board))


async def _announced(board: Board) -> AsyncIterator[bytes]:
    async for number in board.follow():
        yield sse.event(Snapshot(id=number), str(number))


def _cached(body: bytes, etag: str, media_type: str, if_none_match: str | None) -> Response:
    headers = {"ETag": etag, "Cache-Control": "public, max-age=0, must-revalidate"}
    wanted = {tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")}
    if etag in wanted:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def _csv(rows: list[LeaderboardRow]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(LeaderboardRow.model_fields), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.model_dump().items()})
    return out.getvalue().encode()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value

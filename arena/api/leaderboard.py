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


IfNoneMatch = Annotated[str | None, Header()]


@router.get("", response_model=LeaderboardView, responses={304: {"description": "Not modified"}})
async def newest(
    board: OnBoard, if_none_match: IfNoneMatch = None, accept_encoding: Annotated[str, Header()] = ""
) -> Response:
    """The newest snapshot."""
    page = await board.page()
    if _same(page.etag, if_none_match):
        return _not_modified(page.etag)
    if "gzip" in accept_encoding:
        headers = {**_headers(page.etag), "Content-Encoding": "gzip"}
        return Response(page.gzip, media_type="application/json", headers=headers)
    return Response(page.json, media_type="application/json", headers=_headers(page.etag))


@router.get(".csv", response_class=Response)
async def table(board: OnBoard, if_none_match: IfNoneMatch = None) -> Response:
    """The rows of the newest snapshot as a table."""
    page = await board.page()
    etag = page.etag[:-1] + '-csv"'
    if _same(etag, if_none_match):
        return _not_modified(etag)
    return Response(_csv(page.view.rows), media_type="text/csv; charset=utf-8", headers=_headers(etag))


@router.get("/stream", response_class=Response)
async def follow(board: OnBoard) -> Response:
    """An event with the number of every new snapshot."""
    return sse.stream(_announced(board))


async def _announced(board: Board) -> AsyncIterator[bytes]:
    async for number in board.follow():
        yield sse.event(Snapshot(id=number), str(number))


def _headers(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": "public, max-age=0, must-revalidate", "Vary": "Accept-Encoding"}


def _same(etag: str, if_none_match: str | None) -> bool:
    return etag in {tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")}


def _not_modified(etag: str) -> Response:
    return Response(status_code=304, headers=_headers(etag))


def _csv(rows: list[LeaderboardRow]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(LeaderboardRow.model_fields), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.model_dump().items()})
    return out.getvalue().encode()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value

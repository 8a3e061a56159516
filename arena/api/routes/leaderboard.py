"""Routes of the leaderboard: JSON, CSV, and the ids of the newest snapshot."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Header, Query, Response

from arena.api.contract import BASE, Responses, Table, refusals
from arena.api.dependencies import BoardDep
from arena.domain.errors import NoBoard, Unavailable
from arena.domain.schemas import (
    HistoryView,
    LeaderboardRowView,
    LeaderboardView,
    MethodView,
    NewestView,
    OrdersView,
    StyleView,
)
from arena.domain.spreadsheet_cells import plain_cell

if TYPE_CHECKING:
    from arena.api.boards.documents import Page

router = APIRouter(prefix=f"{BASE}/leaderboard", tags=["leaderboard"])

Word = Annotated[str, Query(max_length=40)]
IfNoneMatch = Annotated[str | None, Header()]
AcceptEncoding = Annotated[str, Header()]
PUBLISHED: Final[Responses] = {304: {"description": "Not modified"}} | refusals(NoBoard, Unavailable)


@router.get("", response_model=LeaderboardView, responses=PUBLISHED)
async def newest(
    board: BoardDep,
    category: Word = "",
    language: Word = "",
    if_none_match: IfNoneMatch = None,
    accept_encoding: AcceptEncoding = "",
) -> Response:
    """Return the newest snapshot, or its board of one category or language."""
    return _answer(await board.page(category, language), if_none_match, accept_encoding)


@router.get(".csv", response_class=Table, responses=PUBLISHED)
async def table(
    board: BoardDep, category: Word = "", language: Word = "", if_none_match: IfNoneMatch = None
) -> Response:
    """Return the rows of the newest snapshot, or of its board of one category or language, as CSV."""
    page = await board.page(category, language)
    etag = page.etag[:-1] + '-csv"'
    if _same(etag, if_none_match):
        return _not_modified(etag)
    return Response(_csv(page.view), media_type="text/csv; charset=utf-8", headers=_headers(etag))


@router.get("/style", response_model=StyleView, responses=PUBLISHED)
async def style(board: BoardDep, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """Return style-controlled Bradley-Terry ratings, and the effect of each style feature on votes."""
    return _answer(await board.style(), if_none_match, accept_encoding)


@router.get("/orders", response_model=OrdersView, responses=PUBLISHED)
async def orders(board: BoardDep, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """Return the effect of the order of votes on ratings and ranks."""
    return _answer(await board.orders(), if_none_match, accept_encoding)


@router.get("/history", response_model=HistoryView, responses=PUBLISHED)
async def history(board: BoardDep, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """Return ratings over time from the snapshots that are kept."""
    return _answer(await board.history(), if_none_match, accept_encoding)


@router.get("/method", response_model=MethodView, responses=PUBLISHED)
async def method(board: BoardDep, if_none_match: IfNoneMatch = None, accept_encoding: AcceptEncoding = "") -> Response:
    """Return the method of the newest snapshot, and the numbers of votes left out by reason."""
    return _answer(await board.method(), if_none_match, accept_encoding)


@router.get("/newest", response_model=NewestView, responses=PUBLISHED)
async def newest_ids(board: BoardDep, if_none_match: IfNoneMatch = None) -> Response:
    """Return the ids of the newest leaderboard and of its further tables, by which open pages notice a new one."""
    newest = await board.newest()
    etag = f'"{newest.snapshot}-{newest.tables}"'
    if _same(etag, if_none_match):
        return _not_modified(etag)
    return Response(newest.model_dump_json(), media_type="application/json", headers=_headers(etag))


def _answer(page: Page[Any], if_none_match: str | None, accept_encoding: str) -> Response:
    if _same(page.etag, if_none_match):
        return _not_modified(page.etag)
    if "gzip" in accept_encoding:
        headers = {**_headers(page.etag), "Content-Encoding": "gzip"}
        return Response(page.gzip, media_type="application/json", headers=headers)
    return Response(page.json, media_type="application/json", headers=_headers(page.etag))


def _headers(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": "public, max-age=0, must-revalidate", "Vary": "Accept-Encoding"}


def _same(etag: str, if_none_match: str | None) -> bool:
    return etag in {tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")}


def _not_modified(etag: str) -> Response:
    return Response(status_code=304, headers=_headers(etag))


def _csv(board: LeaderboardView) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, [*LeaderboardRowView.model_fields, "preliminary"], lineterminator="\n")
    writer.writeheader()
    reasons = " ".join(board.preliminary)
    for row in board.rows:
        writer.writerow(
            {name: plain_cell(value) for name, value in row.model_dump().items()} | {"preliminary": reasons}
        )
    return out.getvalue().encode()

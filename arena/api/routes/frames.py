"""Routes of web pages: the addresses of a battle's pages, and the documents themselves."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request
from fastapi.responses import HTMLResponse

from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep, Holder, NoStore
from arena.api.frames.addresses import FrameAddresses, document_headers, framed, guarded, whole, whole_headers
from arena.domain.errors import BattleNotFound, NotFound
from arena.domain.http_documents import FRAMES
from arena.domain.schemas.battles import PagesView
from arena.usecases.battles import web_pages

router = APIRouter()
_IN_FRAMES = frozenset({"iframe", "frame"})
"""Values of Sec-Fetch-Dest that get a document; a tab of its own sends `document`, and plain HTTP nothing."""


async def _addresses(request: Request) -> FrameAddresses:
    return request.app.state.frames


Destination = Annotated[str, Header(include_in_schema=False)]
Frames = Annotated[FrameAddresses, Depends(_addresses)]


@router.get(
    f"{BASE}/battles/{{battle_id}}/pages", tags=["battles"], dependencies=[NoStore], responses=refusals(BattleNotFound)
)
async def get_web_pages(battle_id: str, database: DatabaseDep, voter: Holder, frames: Frames) -> PagesView:
    """The pages of a battle of web pages, each with an address that is valid for ten minutes."""
    return await web_pages.own_pages(database, voter, battle_id, frames.of)


@router.get(
    f"{BASE}/shared/{{token}}/pages", tags=["shares"], dependencies=[NoStore], responses=refusals(BattleNotFound)
)
async def get_shared_web_pages(token: str, database: DatabaseDep, frames: Frames) -> PagesView:
    """The pages of the battle of a link."""
    return await web_pages.shared_pages(database, token, frames.of)


@router.get(f"{FRAMES}{{token}}", tags=["battles"], response_class=HTMLResponse, responses=refusals(NotFound))
async def get_web_page_document(
    token: str,
    database: DatabaseDep,
    frames: Frames,
    sec_fetch_dest: Destination = "",
) -> HTMLResponse:
    """The document of a page, for frames only: in a tab of its own it could navigate elsewhere."""
    if sec_fetch_dest and sec_fetch_dest not in _IN_FRAMES:
        raise NotFound
    source = await web_pages.source(database, frames.place(token))
    parent = frames.parent if frames.origin else ""
    body = framed(source) if sec_fetch_dest else guarded(source)
    return HTMLResponse(body, headers=document_headers(parent))


@router.get(f"{FRAMES}{{token}}/whole", tags=["battles"], response_class=HTMLResponse, responses=refusals(NotFound))
async def get_web_page_window(token: str, request: Request, frames: Frames) -> HTMLResponse:
    """A page for a tab of its own, which shows the document in a frame with the same confinement."""
    frames.place(token)
    address = frames.origin or f"{request.url.scheme}://{request.url.netloc}"
    return HTMLResponse(whole(f"{FRAMES}{token}", "Page made by a model"), headers=whole_headers(address))

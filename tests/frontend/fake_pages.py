"""The part of the fake API about pages made by models, with the real documents, headers and addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import FastAPI, Header, Request
from fastapi.responses import HTMLResponse

from arena.api.frames.addresses import FrameAddresses, document_headers, framed, guarded, whole, whole_headers
from arena.domain import errors
from arena.domain.http_documents import FRAMES
from arena.domain.schemas.battles import PagesView, PageVersionView, PageView
from arena.domain.terms import BattleKind, Side, TurnState
from arena.domain.web_pages.document import WebPage, find_page
from arena.domain.web_pages.wanted_files import wanted_files
from arena.usecases.battles.web_pages import PagePlace

if TYPE_CHECKING:
    from .fake_api import Battle, FakeArena

ADDRESSES = FrameAddresses(b"a secret of the tests")


def install(app: FastAPI, fake: FakeArena) -> None:
    def view(battle_id: str, number: int, side: Side, answer: str) -> PageView:
        page = find_page(answer)
        if not isinstance(page, WebPage):
            return PageView(missing=page)
        address = ADDRESSES.of(PagePlace(battle_id, number, 0, side))
        return PageView(address=address, wants=wanted_files(page.source), cut=page.cut)

    def versions(battle: Battle) -> PagesView:
        ready = [turn for turn in battle.turns if turn.state is TurnState.READY and battle.kind is BattleKind.WEB_PAGE]
        return PagesView(
            versions=[
                PageVersionView(
                    number=turn.number,
                    pages={side: view(battle.id, turn.number, side, text) for side, text in turn.answers.items()},
                )
                for turn in ready
            ]
        )

    @app.get("/api/v1/battles/{battle_id}/pages")
    async def pages(battle_id: str) -> PagesView:
        return versions(fake.battles[battle_id])

    @app.get("/api/v1/shared/{token}/pages")
    async def shared(token: str) -> PagesView:
        return next(
            versions(fake.battles[battle]) for battle, shared_token in fake.shares.items() if shared_token == token
        )

    @app.get(f"{FRAMES}{{token}}")
    async def document(token: str, sec_fetch_dest: Annotated[str, Header()] = "") -> HTMLResponse:
        place = ADDRESSES.place(token)
        page = find_page(fake.battles[place.battle].turns[place.number - 1].answers[place.side])
        if not isinstance(page, WebPage):
            raise errors.NotFound
        fake.framed.append(place)
        body = framed(page.source) if sec_fetch_dest and fake.is_secure else guarded(page.source)
        return HTMLResponse(body, headers=document_headers(""))

    @app.get(f"{FRAMES}{{token}}/whole")
    async def whole_window(token: str, request: Request) -> HTMLResponse:
        address = f"{request.url.scheme}://{request.url.netloc}"
        return HTMLResponse(whole(f"{FRAMES}{token}", "page"), headers=whole_headers(address))

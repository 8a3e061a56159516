"""Routes of the operator's site: its settings and pages for everybody, and their changes by operators."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Body, Query, Request, Response

from arena.api.contract import BASE, IMAGE_RESPONSES, StyleResponse, refusals
from arena.api.dependencies import RecoderDep, RuntimeDep
from arena.api.operators import Acting, acts, asks
from arena.api.routes.operator import router as operated
from arena.domain.errors import Busy, ImageRefused, Invalid, NotFound, SiteChanged
from arena.domain.operators import ActKind, OperatorRole
from arena.domain.schemas.site import (
    OperatedSiteView,
    ProseRequest,
    ProseView,
    SiteChangeRequest,
    SiteDocument,
    SiteFileView,
    SitePageView,
    SiteView,
)
from arena.domain.site import PAGE_LIMIT, SitePage
from arena.domain.terms import Access
from arena.usecases.operated_site import edits, pages, site_file
from arena.usecases.operated_site.prose import prose

if TYPE_CHECKING:
    from arena.adapters.images.recoding import Recoder
    from arena.domain.site import OperatedSite
    from arena.usecases.battles.runtime import Runtime

router = APIRouter(prefix=f"{BASE}/site", tags=["site"])
_CACHE: Final = {"Cache-Control": "public, max-age=86400"}
_CHANGE_ERRORS: Final = refusals(Invalid, ImageRefused, Busy)


@router.get("")
async def get_site(request: Request, runtime: RuntimeDep) -> SiteView:
    """Return what every page shows of the operator's settings; what they have not set is empty."""
    site, entrance = runtime.site.current, request.app.state.entrance
    return pages.public_view(site, _mark_address(site), entrance.access if entrance else Access.PUBLIC)


@router.get("/colours.css", response_class=StyleResponse, responses=refusals(NotFound))
async def get_site_colours(runtime: RuntimeDep) -> StyleResponse:
    """Return the style sheet with the operator's colour; its address in pages changes with the colour."""
    accent = runtime.site.current.accent
    if not accent:
        raise NotFound
    strong = f"color-mix(in srgb, {accent} 86%, black)"
    return StyleResponse(f":root:root {{ --a-accent: {accent}; --a-accent-strong: {strong}; }}\n", headers=_CACHE)


@router.get("/mark", response_class=Response, responses=IMAGE_RESPONSES | refusals(NotFound))
async def get_site_mark(runtime: RuntimeDep) -> Response:
    """Return the arena's mark; its address changes with its bytes."""
    image = runtime.site.current.mark
    if image is None:
        raise NotFound
    return Response(image.data, media_type=image.media_type, headers=_CACHE)


@router.get("/pages/{page}", responses=refusals(NotFound))
async def get_site_page(
    page: SitePage, runtime: RuntimeDep, language: Annotated[str, Query(max_length=20)] = "en"
) -> SitePageView:
    """Return a published page of the operator, in English or its first language where it lacks the one asked for."""
    return pages.page_view(runtime.site.current, page, language)


@operated.get("/site", dependencies=[asks(OperatorRole.VIEWER)])
async def get_operated_site(request: Request, runtime: RuntimeDep) -> OperatedSiteView:
    """Return all settings, the published texts, drafts to begin with, and the versions so far."""
    return await runtime.database.read(pages.operated, _address(request))


@operated.patch("/site", responses=_CHANGE_ERRORS | refusals(SiteChanged))
async def change_site(
    request: Request,
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.SITE_CHANGED)],
    runtime: RuntimeDep,
    recoder: RecoderDep,
    edit: SiteChangeRequest,
) -> OperatedSiteView:
    """Change settings and publish pages: all that is sent, or nothing if some of it breaks a rule.

    With `versions` it is refused where somebody else has changed what it edits.
    """
    return await _apply(request, by, runtime, recoder, edit)


@operated.get("/site/file", dependencies=[asks(OperatorRole.VIEWER)])
async def export_site(runtime: RuntimeDep) -> SiteFileView:
    """Return the whole site as one file, for another arena."""
    await runtime.site.look(runtime.database)
    return site_file.exported(runtime.site.current)


@operated.put("/site/file", responses=_CHANGE_ERRORS)
async def import_site(
    request: Request,
    by: Annotated[Acting, acts(OperatorRole.OPERATOR, ActKind.SITE_IMPORTED)],
    runtime: RuntimeDep,
    recoder: RecoderDep,
    document: Annotated[SiteDocument, Body()],
) -> OperatedSiteView:
    """Take over the site of a file, whole or not at all."""
    return await _apply(request, by, runtime, recoder, site_file.read(document))


@operated.post("/site/preview", responses=refusals(Invalid), dependencies=[asks(OperatorRole.OPERATOR)])
async def preview_site_prose(request: ProseRequest) -> list[ProseView]:
    """Return Markdown as the elements that a page would show."""
    if len(request.text) > PAGE_LIMIT:
        raise Invalid(field="text", rule="longest", limit=PAGE_LIMIT)
    return list(prose(request.text))


async def _apply(
    request: Request, by: Acting, runtime: Runtime, recoder: Recoder, edit: SiteChangeRequest
) -> OperatedSiteView:
    by.on(edits.target(edit))
    await edits.apply(by.database, recoder, edit, runtime.now(), runtime.terms)
    await runtime.site.look(runtime.database)
    return await runtime.database.read(pages.operated, _address(request))


def _mark_address(site: OperatedSite) -> str:
    return f"{BASE}/site/mark?v={hashlib.sha256(site.mark.data).hexdigest()[:12]}" if site.mark else ""


def _address(request: Request) -> str:
    """The arena's public address, or else the one of the request."""
    _, public = request.app.state.security
    return public or str(request.base_url)

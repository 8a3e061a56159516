"""The part of the fake API about the operator's site."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter

from arena.domain import errors
from arena.domain.schemas.site import (
    OperatedSiteView,
    ProseRequest,
    ProseView,
    PublishedPageView,
    SiteChangeRequest,
    SiteFileView,
)
from arena.domain.site import TRANSLATED, check_pages
from arena.usecases.operated_site.pages import drafts
from arena.usecases.operated_site.prose import prose
from arena.usecases.operated_site.versions import check_versions, edited, versions


@dataclass
class SiteState:
    """The site's settings, published pages, and all requested changes."""

    site: SiteFileView = field(default_factory=SiteFileView)
    history: list[PublishedPageView] = field(default_factory=list)
    requested_changes: list[SiteChangeRequest] = field(default_factory=list)

    def view(self) -> OperatedSiteView:
        missing = "imprint" not in self.site.pages
        return OperatedSiteView(
            site=self.site,
            drafts=drafts(),
            history=self.history,
            imprint_missing=missing,
            versions=versions(self.site),
        )

    def change(self, wanted: SiteChangeRequest) -> OperatedSiteView:
        check_pages(wanted.pages or {})
        check_versions(self.site, wanted.versions or {}, edited(wanted))
        self.requested_changes.append(wanted)
        pages = {page: _merged(self.site.pages.get(page, {}), texts) for page, texts in (wanted.pages or {}).items()}
        for page, texts in pages.items():
            at = datetime(2026, 1, 2, tzinfo=UTC)
            version = PublishedPageView(
                page=page, version=len(self.history) + 1, languages=sorted(texts), published_at=at
            )
            self.history.insert(0, version)
        settings = wanted.model_dump(exclude_none=True, exclude={"pages", "versions"})
        for name in {*TRANSLATED} & settings.keys():
            settings[name] = _merged(getattr(self.site, name), settings[name])
        published = {page: texts for page, texts in (self.site.pages | pages).items() if texts}
        self.site = self.site.model_copy(update=settings | {"pages": published})
        return self.view()


def _merged(earlier: dict[str, Any], edit: dict[str, Any]) -> dict[str, Any]:
    return {language: text for language, text in (earlier | edit).items() if text} if edit else {}


def install(operators: APIRouter, state: SiteState) -> None:
    @operators.get("/site")
    async def site() -> OperatedSiteView:
        return state.view()

    @operators.patch("/site")
    async def change(wanted: SiteChangeRequest) -> OperatedSiteView:
        return state.change(wanted)

    @operators.post("/site/preview")
    async def preview(wanted: ProseRequest) -> list[ProseView]:
        if len(wanted.text) > 20_000:
            raise errors.Invalid(field="text", rule="longest", limit=20_000)
        return list(prose(wanted.text))

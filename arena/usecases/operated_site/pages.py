"""The operator's pages in their public form, drafts for them, and the operator's view of the site."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.adapters.store import site as stored
from arena.domain.errors import NotFound
from arena.domain.schemas.site import OperatedSiteView, PublishedPageView, SitePageView, SiteView
from arena.domain.site import SitePage, imprint_missing, nearest
from arena.usecases.operated_site.prose import prose
from arena.usecases.operated_site.site_file import exported
from arena.usecases.operated_site.versions import versions

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.domain.site import OperatedSite
    from arena.domain.terms import Access

DRAFTS: Final = Path(__file__).with_name("drafts")


def public_view(site: OperatedSite, mark: str, access: Access) -> SiteView:
    """The settings that are on every page; `mark` is the address of the mark."""
    pages = [page for page in SitePage if site.published(page)]
    return SiteView.from_row(site, mark=mark if site.mark else "", pages=pages, access=access)


def page_view(site: OperatedSite, page: SitePage, language: str) -> SitePageView:
    """A published page in the nearest language to the requested one (see `nearest`).

    Raises:
        NotFound: It is not published.
    """
    version = site.published(page)
    if version is None:
        raise NotFound
    best = nearest(sorted(version.texts), language)
    languages, blocks = sorted(version.texts), list(prose(version.texts[best]))
    return SitePageView.from_row(version, page=page, language=best, languages=languages, blocks=blocks)


def operated(session: Session, address: str) -> OperatedSiteView:
    """The operator's view of the site; `address` is the arena's own."""
    site = stored.load(session)
    return OperatedSiteView(
        site=exported(site),
        drafts=drafts(),
        history=[PublishedPageView.from_row(row, languages=sorted(row.texts)) for row in stored.history(session)],
        imprint_missing=imprint_missing(site, address),
        versions=versions(exported(site)),
    )


@cache
def drafts() -> dict[SitePage, dict[str, str]]:
    """The drafts that come with the arena, by page and language; only the operator publishes them."""
    return {
        page: {path.name.split(".")[1]: path.read_text("utf-8") for path in sorted(DRAFTS.glob(f"{page}.*.md"))}
        for page in SitePage
    }

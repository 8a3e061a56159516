"""The operator's pages in their public form, drafts for them, and the operator's view of the site."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.adapters.store import site as stored
from arena.domain.errors import NotFound
from arena.domain.prose import prose
from arena.domain.schemas.site import OperatedSiteView, PublishedPageView, SitePageView, SiteView
from arena.domain.site import SitePage, imprint_missing, nearest
from arena.usecases.operated_site.site_file import exported
from arena.usecases.operated_site.versions import versions

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.domain.site import OperatedSite

DRAFTS: Final = Path(__file__).with_name("drafts")


def public_view(site: OperatedSite, mark: str) -> SiteView:
    """The settings that are on every page; `mark` is the address of the mark."""
    return SiteView(
        name=site.name,
        mark=mark if site.mark else "",
        announcement=dict(site.announcement),
        languages=list(site.languages),
        accent=site.accent,
        ideas=dict(site.ideas),
        pages=[page for page in SitePage if site.published(page)],
    )


def page_view(site: OperatedSite, page: SitePage, language: str) -> SitePageView:
    """A published page in the nearest language to the requested one (see `nearest`).

    Raises:
        NotFound: It is not published.
    """
    version = site.published(page)
    if version is None:
        raise NotFound
    best = nearest(sorted(version.texts), language)
    return SitePageView(
        page=page,
        language=best,
        languages=sorted(version.texts),
        version=version.version,
        published_at=version.published_at,
        blocks=list(prose(version.texts[best])),
    )


def operated(session: Session, address: str) -> OperatedSiteView:
    """The operator's view of the site; `address` is the arena's own."""
    site = stored.load(session)
    return OperatedSiteView(
        site=exported(site),
        drafts=drafts(),
        history=[
            PublishedPageView(
                page=SitePage(row.page),
                version=row.version,
                languages=sorted(row.texts),
                published_at=row.published_at,
            )
            for row in stored.history(session)
        ],
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

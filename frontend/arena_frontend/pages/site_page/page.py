"""Content of a page that the operator has written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pydantic import TypeAdapter

from arena.domain.schemas.site import SitePageView
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

_PAGE: Final = TypeAdapter(SitePageView)


async def read(reading: Reading, query: Mapping[str, str]) -> Content:
    """Read the page that the last part of the path names.

    Raises:
        ApiRefusal: The operator has not published it.
    """
    name = query["path"].removeprefix("/")
    page = await reading.view(f"/site/pages/{name}?language={quote(reading.language)}", _PAGE)
    return Content("site_page/site_page.html", lambda words: _values(page, words))


def _values(page: SitePageView, words: Texts) -> dict[str, object]:
    heading = words[f"nav.{page.page}"]
    return {
        "title": f"{heading} – {words['brand']}",
        "heading": heading,
        "language": page.language,
        "version": page.version,
        "published_at": page.published_at,
        "blocks": page.blocks,
    }

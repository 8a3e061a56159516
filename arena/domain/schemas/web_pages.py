"""Pages of a battle, as its voter may run them."""

from __future__ import annotations

from pydantic import Field

from arena.domain.schemas.base import Wire
from arena.domain.terms import Side
from arena.domain.web_pages.document import Missing


class PageView(Wire):
    """The page of one side: its `address` for some minutes, or why there is none.

    `wants` counts the files of the network that it names, none of which it gets; `cut` says that its end is missing.
    """

    address: str | None = None
    missing: Missing | None = None
    wants: int = 0
    cut: bool = False


class PageVersionView(Wire):
    """Both pages after one prompt."""

    number: int
    pages: dict[Side, PageView]


class PagesView(Wire):
    """All versions of both pages, the first one first."""

    versions: list[PageVersionView] = Field(default=[])

"""The page on which people judge answers by a link, whose secret no server sees: its script asks the API for items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.terms import Side
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading


async def read(_reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page, which is the same for every annotator and names no model."""
    return Content("annotate/annotate.html", lambda _: {"sides": tuple(Side)})

"""The operator's page, which its script fills for whoever has signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading


async def read(_reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page, whose own part has no data of the arena."""
    return Content("signed_in.html", lambda _: {"texts": "op", "place": "operator"})

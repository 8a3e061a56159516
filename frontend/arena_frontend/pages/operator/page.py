"""The operator's page: the door, around the part that the server renders for whoever has signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_frontend.contents import Content
from arena_frontend.pages.providers import providers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page, whose own part has no data of the arena but the ways to sign in, if there are any."""
    values = {"texts": "op", "place": "operator", "ways": "op.signin.with", "providers": await providers(reading)}
    return Content("operator/operator.html", lambda _: values)

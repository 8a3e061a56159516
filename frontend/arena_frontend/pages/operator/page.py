"""The operator's page, which its script fills for whoever has signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.sign_in import ProviderView, SignInView
from arena_frontend.api_reader import ApiNotReady, ApiRefusal
from arena_frontend.contents import Content

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena_frontend.api_reader import Reading

_DOOR: Final = TypeAdapter(SignInView)


async def read(reading: Reading, _query: Mapping[str, str]) -> Content:
    """Read the page, whose own part has no data of the arena but the ways to sign in, if there are any."""
    ways = await providers(reading)
    return Content("operator/operator.html", lambda _: {"texts": "op", "place": "operator", "providers": ways})


async def providers(reading: Reading) -> list[ProviderView]:
    """The providers by which one signs in; none where everybody is a stranger, or as long as the arena starts."""
    try:
        return (await reading.view("/sign-in", _DOOR)).providers
    except (ApiRefusal, ApiNotReady):
        return []

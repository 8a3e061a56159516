"""The providers by which owners and operators sign in, for the pages that ask them to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter

from arena.domain.schemas.owners import ProviderView, SignInView
from arena_frontend.api_reader import ApiNotReady, ApiRefusal

if TYPE_CHECKING:
    from arena_frontend.api_reader import Reading

_DOOR: Final = TypeAdapter(SignInView)


async def providers(reading: Reading) -> list[ProviderView]:
    """The providers; none where everybody is a stranger, or as long as the arena starts."""
    try:
        return (await reading.view("/sign-in", _DOOR)).providers
    except (ApiRefusal, ApiNotReady):
        return []

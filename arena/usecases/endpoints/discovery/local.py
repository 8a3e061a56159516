"""Servers of models on this machine, at the usual ports of well-known programs, for the operator alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arena.domain.schemas.operated_models import LocalServerView
from arena.usecases.endpoints.discovery import sync
from arena.usecases.endpoints.discovery.listing import Proxy, list_models
from arena.usecases.endpoints.discovery.owned import offered_view
from arena_providers import presets
from arena_providers.transport.http_client import HttpClient

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena_providers.presets import VendorPreset
    from arena_providers.transport.egress import Policy

PROGRAMS: Final = ("ollama", "vllm", "lm-studio")
"""Presets of the programs that are looked for; their addresses are of this machine, and no other is asked."""
_SECONDS: Final = 4.0
"""Longest time for the list of one server: this machine answers at once, or not at all."""


async def find_local(database: Database, policy: Policy) -> list[LocalServerView]:
    """List the programs that answer with a list of models, beside those that take part."""
    chosen = [preset for preset in presets.PRESETS if preset.local and preset.name in PROGRAMS]
    async with HttpClient(policy=policy) as client, asyncio.TaskGroup() as group:
        tasks = [group.create_task(_ask(database, client, preset)) for preset in chosen]
    return [view for task in tasks if (view := task.result())]


async def _ask(database: Database, client: HttpClient, preset: VendorPreset) -> LocalServerView | None:
    proxy = Proxy(preset.base_url, private=True)
    listing = await list_models(client, proxy, _SECONDS)
    if not listing.offer.models:
        return None
    state = await database.read(sync.compare, replace(listing, proxy=proxy))
    return LocalServerView(preset=preset.name, url=proxy.url, models=list(map(offered_view, state.offers)))

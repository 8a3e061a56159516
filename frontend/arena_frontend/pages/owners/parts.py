"""Views of the owners' page for whoever has signed in: their endpoints, one of them, and the forms."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from pydantic import TypeAdapter

from arena.domain.schemas.endpoints import PresetView
from arena.domain.schemas.integrity import GateEffectView
from arena.domain.schemas.owners import OwnerView, WebhookView
from arena.domain.terms import EndpointState
from arena_frontend.api_reader import Reading
from arena_frontend.contents import Content
from arena_frontend.pages.owners import proxies
from arena_frontend.pages.owners.endpoint import ENDPOINT, endpoint_values
from arena_frontend.pages.owners.page import takes_no_models
from arena_frontend.pages.providers import providers
from arena_frontend.pages.sentences import vendor
from arena_frontend.texts import texts

_OWNER: Final = TypeAdapter(OwnerView)
_WEBHOOK: Final = TypeAdapter(WebhookView)
_GATE: Final = TypeAdapter(GateEffectView)
_CONFIGURATIONS: Final = TypeAdapter(list[dict[str, object]])
_PRESETS: Final = TypeAdapter(list[PresetView])
_DIALECTS: Final = TypeAdapter(list[str])
_VIEW: Final = re.compile(r"([a-z]*-?)((?:\d{1,18}(?:\.\d{1,18}){0,100})?)", re.ASCII)
Values = proxies.Values
Load = Callable[[Reading, str], Awaitable[Values]]


async def read(reading: Reading, query: Mapping[str, str]) -> Content | None:
    """Read a view by its name, such as `endpoint-3`; None for a name that none has.

    Raises:
        ApiRefusal: Nobody has signed in, or they have no such endpoint.
    """
    name, number = match.groups() if (match := _VIEW.fullmatch(query.get("view", ""))) else ("", "")
    load = VIEWS.get(name) if match and name.endswith("-") == bool(number) else None
    if load is None or (name in POSTED) != bool(reading.body):
        return None
    values = await load(reading, number)
    return Content(f"owners/{name.removesuffix('-') or 'home'}.html", lambda _: values, key=None)


async def _home(reading: Reading, _number: str) -> Values:
    owner = await reading.private("/owners/me", _OWNER)
    probing = any(view.state is EndpointState.PROBING for view in owner.endpoints)
    return {"owner": owner, "probing": probing, "providers": await providers(reading)}


async def _webhook(reading: Reading, _number: str) -> Values:
    return {"hook": await reading.private("/owners/me/webhook", _WEBHOOK)}


async def _new(reading: Reading, _number: str) -> Values:
    await reading.private("/owners/me", _OWNER)  # for owners only, as are all views
    return {"closed": await takes_no_models(reading)} | await _choices(reading)


async def _endpoint(reading: Reading, number: str) -> Values:
    endpoint = await reading.private(f"/endpoints/{number}", ENDPOINT)
    return endpoint_values(endpoint) | await _choices(reading)


async def _gate(reading: Reading, number: str) -> Values:
    return {"gate": await reading.private(f"/endpoints/{number}/gate", _GATE), "number": number}


async def _configurations(reading: Reading, number: str) -> Values:
    return {"configurations": await reading.private(f"/endpoints/{number}/configurations", _CONFIGURATIONS)}


async def _proxy(reading: Reading, _number: str) -> Values:
    await reading.private("/owners/me", _OWNER)
    return {"closed": await takes_no_models(reading)}


async def _choices(reading: Reading) -> Values:
    """Vendors and dialects as choices, and the names of the vendors that ask for a key."""
    presets = await reading.view("/presets", _PRESETS)
    dialects, words = await reading.view("/dialects", _DIALECTS), texts(reading.language)
    return {
        "vendors": [(preset.name, vendor(words, preset.name)) for preset in presets],
        "key_vendors": " ".join(preset.name for preset in presets if preset.needs_key),
        "dialects": [(name, words.named("own.dialect", name)) for name in dialects],
    }


VIEWS: Final[dict[str, Load]] = {
    "": _home,
    "webhook": _webhook,
    "new": _new,
    "endpoint-": _endpoint,
    "gate-": _gate,
    "configurations-": _configurations,
    "proxy": _proxy,
    "models": proxies.models,
    "twins": proxies.twins,
    "batch": proxies.batch,
    "progress-": proxies.progress,
}
"""The function that reads each view, by its name; numbers of endpoints follow a hyphen."""
POSTED: Final = frozenset({"models", "twins", "batch"})
"""Views of the API's answer to a posted body."""

"""The parts of the owners' page for whoever has signed in: their endpoints, one of them, and the forms."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from pydantic import TypeAdapter

from arena.domain.schemas.owners import OwnerView, WebhookView
from arena.domain.terms import EndpointState
from arena_frontend.api_reader import Reading
from arena_frontend.contents import Content
from arena_frontend.pages.providers import providers

_OWNER: Final = TypeAdapter(OwnerView)
_WEBHOOK: Final = TypeAdapter(WebhookView)
_VIEW: Final = re.compile(r"([a-z]*-?)(\d{0,18})", re.ASCII)
Values = dict[str, Any]
Load = Callable[[Reading, str], Awaitable[Values]]


async def read(reading: Reading, view: str) -> Content | None:
    """Read a view by its name, such as `endpoint-3`; None for a name that none has.

    Raises:
        ApiRefusal: Nobody has signed in, or they have no such endpoint.
    """
    name, number = match.groups() if (match := _VIEW.fullmatch(view)) else ("", "")
    load = VIEWS.get(name) if match and name.endswith("-") == bool(number) else None
    if load is None:
        return None
    values = await load(reading, number)
    return Content(f"owners/{name.removesuffix('-') or 'home'}.html", lambda _: values, key=None)


async def _home(reading: Reading, _number: str) -> Values:
    owner = await reading.private("/owners/me", _OWNER)
    probing = any(view.state is EndpointState.PROBING for view in owner.endpoints)
    return {"owner": owner, "probing": probing, "providers": await providers(reading)}


async def _webhook(reading: Reading, _number: str) -> Values:
    return {"hook": await reading.private("/owners/me/webhook", _WEBHOOK)}


VIEWS: Final[dict[str, Load]] = {"": _home, "webhook": _webhook}
"""Of each name of a view what it reads; behind a hyphen stands the number of an endpoint."""

"""Whose API key a request carries, and what the operator's rules are."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Request, Response

from arena import owners
from arena.api.deps import OnDatabase
from arena.endpoints.rules import OwnerRules
from arena.errors import BadApiKey
from arena.owners import Owner

SCHEME: Final = "bearer"


def bearer(request: Request) -> str:
    """The key in the one header that may carry it; an address ends up in logs, so none is read there.

    Raises:
        BadApiKey: The header is missing or of another form.
    """
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    key = key.strip()
    if scheme.lower() != SCHEME or not key:
        raise BadApiKey("Send the header `Authorization: Bearer ` with the key behind it.")
    return key


async def _owner(request: Request, response: Response, database: OnDatabase) -> Owner:
    response.headers["Cache-Control"] = "no-store"
    return await owners.owner_of(database, bearer(request))


async def _rules(request: Request) -> OwnerRules:
    return request.app.state.rules


KeyHolder = Annotated[Owner, Depends(_owner)]
"""The owner whose key was sent; what they are told is not kept by any cache."""
UnderRules = Annotated[OwnerRules, Depends(_rules)]

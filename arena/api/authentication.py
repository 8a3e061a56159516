"""Authentication of owners by API key, and the operator's rules for them."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Request, Response

from arena.api.dependencies import DatabaseDep
from arena.domain.errors import BadApiKey
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.people import owners
from arena.usecases.people.owners import Owner

SCHEME: Final = "bearer"


def bearer(request: Request) -> str:
    """Return the key of the Authorization header; keys in URLs are not read because URLs end up in logs.

    Raises:
        BadApiKey: The header is missing or of another form.
    """
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    key = key.strip()
    if scheme.lower() != SCHEME or not key:
        raise BadApiKey(rule="missing")
    return key


async def _owner(request: Request, response: Response, database: DatabaseDep) -> Owner:
    response.headers["Cache-Control"] = "no-store"
    return await owners.owner_of(database, bearer(request))


async def _rules(request: Request) -> OwnerRules:
    return request.app.state.rules


KeyHolder = Annotated[Owner, Depends(_owner)]
"""The owner whose key was sent; the response may not be cached."""
OwnerRulesDep = Annotated[OwnerRules, Depends(_rules)]

"""Dependencies of routes: runtime, database, boards, and the voter or owner of a request.

All are `async` although few wait, since FastAPI would run other functions in a thread for each request.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Depends, Header, Request, Response

from arena.adapters.images.recoding import Recoder
from arena.adapters.store.engine import Database
from arena.api.boards.cache import Boards
from arena.api.http import signed_cookies
from arena.api.http.clients import network
from arena.api.http.export_places import Exports
from arena.api.http.rate_windows import RateWindows
from arena.api.http.voter_cookie import Cookies
from arena.api.public_models import PublicModels
from arena.calls.targets import Keys
from arena.domain.errors import BadApiKey, Invalid
from arena.domain.terms import Voter
from arena.usecases.battles.runtime import Runtime
from arena.usecases.endpoints.ownership import OwnerRules
from arena.usecases.people import owners
from arena.usecases.people.owners import Owner

KEY_LIMIT: Final = 255
"""Longest idempotency key in characters."""
SCHEME: Final = "bearer"


def nobody(request: Request) -> Voter:
    """Return the voter of a request without a cookie, who owns no battles and shares the limits of the address."""
    address = network(request.client.host) if request.client else ""
    return Voter(key=f"nobody at {address}", address=address)


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


async def _runtime(request: Request) -> Runtime:
    return request.app.state.runtime


async def _database(request: Request) -> Database:
    return request.app.state.runtime.database


async def _keys(request: Request) -> Keys:
    return request.app.state.runtime.keys


async def _boards(request: Request) -> Boards:
    return request.app.state.boards


async def _public_models(request: Request) -> PublicModels:
    return request.app.state.models


async def _cookies(request: Request) -> Cookies:
    return request.app.state.cookies


async def _windows(request: Request) -> RateWindows:
    return request.app.state.windows


async def _recoder(request: Request) -> Recoder:
    return request.app.state.recoder


async def _rules(request: Request) -> OwnerRules:
    return request.app.state.rules


async def _newcomer(request: Request, response: Response) -> Voter:
    cookies: Cookies = request.app.state.cookies
    return cookies.welcome(request, response)


async def _holder(request: Request) -> Voter:
    cookies: Cookies = request.app.state.cookies
    return cookies.voter(request) or nobody(request)


async def _exports(request: Request, holder: Annotated[Voter, Depends(_holder)]) -> Exports:
    return Exports(request.app.state.exports, holder.address)


async def _no_store(response: Response) -> None:
    response.headers["Cache-Control"] = "no-store"


DatabaseDep = Annotated[Database, Depends(_database)]


async def _owner(request: Request, response: Response, database: DatabaseDep) -> Owner:
    response.headers["Cache-Control"] = "no-store"
    if "authorization" not in request.headers and (person := signed_cookies.signed_in_person(request)):
        return await owners.of_person(database, person)
    return await owners.owner_of(database, bearer(request))


async def _idempotency_key(idempotency_key: Annotated[str | None, Header()] = None) -> str | None:
    key = idempotency_key
    if key is not None and (not key.isascii() or not key.isprintable() or not 1 <= len(key) <= KEY_LIMIT):
        raise Invalid(rule="idempotency_key", limit=KEY_LIMIT)
    return key


RuntimeDep = Annotated[Runtime, Depends(_runtime)]
KeysDep = Annotated[Keys, Depends(_keys)]
BoardsDep = Annotated[Boards, Depends(_boards)]
ModelsDep = Annotated[PublicModels, Depends(_public_models)]
CookiesDep = Annotated[Cookies, Depends(_cookies)]
WindowsDep = Annotated[RateWindows, Depends(_windows)]
RecoderDep = Annotated[Recoder, Depends(_recoder)]
OwnerRulesDep = Annotated[OwnerRules, Depends(_rules)]
NoStore: Final = Depends(_no_store)
"""Keeps the response out of every cache."""
Newcomer = Annotated[Voter, Depends(_newcomer)]
"""The voter; a new one gets a cookie."""
Holder = Annotated[Voter, Depends(_holder)]
"""The voter of the cookie, or `nobody`."""
ExportsDep = Annotated[Exports, Depends(_exports)]
"""The places of exports to the neighbourhood of the request."""
KeyHolder = Annotated[Owner, Depends(_owner)]
"""The owner whose key was sent; the response may not be cached."""
IdempotencyKey = Annotated[str | None, Depends(_idempotency_key)]


async def _assumed_terms(
    runtime: RuntimeDep, sec_fetch_site: Annotated[str | None, Header(include_in_schema=False)] = None
) -> int | None:
    """The version of the terms that a request without `terms` accepts.

    A page sends the version that its visitor has accepted; a program accepts the current one by calling. Browsers are
    told from programs by `Sec-Fetch-Site`, which only browsers send.
    """
    return runtime.asked_terms if sec_fetch_site is None else None


AssumedTerms = Annotated[int | None, Depends(_assumed_terms)]

"""The cookie of somebody who signed in as an owner: a keyed digest of who they are, apart from that of their votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.api.contract import BASE
from arena.api.http.signed_cookies import SignedCookie
from arena.domain.privacy.keyed_digest import keyed_digest

if TYPE_CHECKING:
    from fastapi import Request, Response

    from arena.api.http.voter_cookie import Cookies
    from arena.domain.sign_in import SignInProvider

COOKIE: Final = SignedCookie("arena_owner", BASE, "owner", same_site="strict")


def keep(response: Response, subject: str, provider: SignInProvider, cookies: Cookies) -> None:
    """Have the browser keep who somebody is, as long as a member stays signed in."""
    person = keyed_digest(cookies.secret, f"owner {provider.issuer} {subject}")
    seconds = int(provider.lasting.total_seconds())
    COOKIE.keep(response, {"person": person, "via": provider.name}, seconds, cookies)


def person(request: Request) -> str | None:
    """The digest of whoever has signed in in this browser, as long as their provider lets owners in."""
    state = request.app.state
    content = COOKIE.read(request, state.cookies) if state.entrance else None
    provider = state.entrance.providers.get(content["via"]) if content else None
    return content["person"] if content and provider and provider.rules.owners else None

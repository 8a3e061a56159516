"""The cookie of a sign-in under way: what the provider's answer must match, for ten minutes and one use."""

from __future__ import annotations

import hmac
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from arena.adapters.openid import ATTEMPT_SECONDS, Attempt
from arena.api.contract import BASE
from arena.api.http.signed_cookies import SignedCookie
from arena.domain.errors import SignInRefused

if TYPE_CHECKING:
    from fastapi import Request, Response

    from arena.api.http.voter_cookie import Cookies

NAME: Final = "arena_sign_in"
COOKIE: Final = SignedCookie(NAME, f"{BASE}/sign-in", "sign-in attempt")


def keep(response: Response, attempt: Attempt, cookies: Cookies) -> None:
    """Have the browser keep an attempt until it comes back; another one begun meanwhile takes its place."""
    COOKIE.keep(response, asdict(attempt), ATTEMPT_SECONDS, cookies)


def take(request: Request, provider: str, state: str, cookies: Cookies) -> Attempt:
    """Return the attempt that this browser has begun at `provider` and whose `state` has come back.

    Raises:
        SignInRefused: There is none, or it was long ago.
    """
    content = COOKIE.read(request, cookies)
    if content is None:
        raise SignInRefused(rule="attempt")
    attempt = Attempt(**{name: value for name, value in content.items() if name != "until"})
    if not hmac.compare_digest(attempt.state.encode(), state.encode()) or attempt.provider != provider:
        raise SignInRefused(rule="attempt")
    return attempt


def drop(response: Response, cookies: Cookies) -> None:
    """Delete the cookie, so that an answer is taken once."""
    COOKIE.drop(response, cookies)

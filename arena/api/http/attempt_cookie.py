"""The cookie of a sign-in under way: what the provider's answer must match, signed, for ten minutes and one use."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from arena.adapters.openid import ATTEMPT_SECONDS, Attempt
from arena.api.contract import BASE
from arena.domain.errors import SignInRefused
from arena.domain.privacy.keyed_digest import keyed_digest

if TYPE_CHECKING:
    from fastapi import Request, Response

    from arena.api.http.voter_cookie import Cookies

NAME: Final = "arena_sign_in"
PATH: Final = f"{BASE}/sign-in"


def keep(response: Response, attempt: Attempt, cookies: Cookies) -> None:
    """Have the browser keep an attempt until it comes back; another one begun meanwhile takes its place."""
    text = urlsafe_b64encode(json.dumps(asdict(attempt)).encode()).decode()
    response.set_cookie(
        NAME,
        f"{text}.{_sign(text, cookies)}",
        path=PATH,
        max_age=ATTEMPT_SECONDS,
        httponly=True,
        samesite="lax",
        secure=cookies.secure,
    )


def take(request: Request, provider: str, state: str, cookies: Cookies) -> Attempt:
    """Return the attempt that this browser has begun at `provider` and whose `state` has come back.

    Raises:
        SignInRefused: There is none, or it was long ago.
    """
    text, _, signature = request.cookies.get(NAME, "").partition(".")
    if not text or not hmac.compare_digest(signature.encode(), _sign(text, cookies).encode()):
        raise SignInRefused(rule="attempt")
    attempt = Attempt(**json.loads(urlsafe_b64decode(text)))
    same = hmac.compare_digest(attempt.state.encode(), state.encode())
    if not same or attempt.provider != provider or attempt.until < time.time():
        raise SignInRefused(rule="attempt")
    return attempt


def drop(response: Response, cookies: Cookies) -> None:
    """Delete the cookie, so that an answer is taken once."""
    response.delete_cookie(NAME, path=PATH, httponly=True, samesite="lax", secure=cookies.secure)


def _sign(text: str, cookies: Cookies) -> str:
    return keyed_digest(cookies.secret, f"sign-in attempt {text}")

"""Cookies whose content the arena has signed: attempts to sign in, operators and owners."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, Literal

from arena.adapters.openid import ATTEMPT_SECONDS, Attempt
from arena.api.contract import BASE
from arena.domain.errors import SignInRefused
from arena.domain.operators import Operator
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from fastapi import Request, Response

    from arena.api.http.voter_cookie import Cookies
    from arena.domain.sign_in import OperatorRule, SignInProvider


@dataclass(frozen=True, slots=True)
class SignedCookie:
    """A cookie for the addresses below `path`; `purpose` keeps its signatures apart from those of other cookies."""

    name: str
    path: str
    purpose: str
    same_site: Literal["lax", "strict"] = "lax"

    def keep(self, response: Response, content: Mapping[str, object], seconds: int, cookies: Cookies) -> None:
        """Have the browser keep `content` for so many seconds, in place of what it kept before."""
        response.set_cookie(
            self.name,
            seal(content, seconds, self.purpose, cookies),
            path=self.path,
            max_age=seconds,
            httponly=True,
            samesite=self.same_site,
            secure=cookies.secure,
        )

    def read(self, request: Request, cookies: Cookies) -> JsonObject | None:
        """The content of a request's cookie; None without one that the arena has signed and that has not ended."""
        return unseal(request.cookies.get(self.name, ""), self.purpose, cookies)

    def drop(self, response: Response, cookies: Cookies) -> None:
        """Delete the cookie."""
        response.delete_cookie(self.name, path=self.path, httponly=True, samesite=self.same_site, secure=cookies.secure)


def seal(content: Mapping[str, object], seconds: int, purpose: str, cookies: Cookies) -> str:
    """Content as a text that holds for so many seconds and that the arena alone can make."""
    dated = {**content, "until": int(time.time()) + seconds}
    text = urlsafe_b64encode(json.dumps(dated).encode()).decode()
    return f"{text}.{keyed_digest(cookies.secret, f'{purpose} {text}')}"


def unseal(sealed: str, purpose: str, cookies: Cookies) -> JsonObject | None:
    """The content of a text that the arena has sealed for this purpose and that still holds; None of any other."""
    text, _, signature = sealed.partition(".")
    if not text or not hmac.compare_digest(
        signature.encode(), keyed_digest(cookies.secret, f"{purpose} {text}").encode()
    ):
        return None
    content: JsonObject = json.loads(urlsafe_b64decode(text))
    return content if content["until"] >= time.time() else None


NAME: Final = "arena_sign_in"
ATTEMPT_COOKIE: Final = SignedCookie(NAME, f"{BASE}/sign-in", "sign-in attempt")
"""A sign-in under way: what the provider's answer must match, for ten minutes and one use."""
OPERATOR_COOKIE: Final = SignedCookie("arena_operator", f"{BASE}/operator", "operator", same_site="strict")
"""An operator who signed in, and by which rule of the file of providers they have a role.

The role itself is not in it: the rule is looked up for each request, so that whoever a changed file no longer names has
no role from the next start on.
"""
OWNER_COOKIE: Final = SignedCookie("arena_owner", BASE, "owner", same_site="strict")
"""A keyed digest of who an owner is, apart from that of their votes."""


def keep_attempt(response: Response, attempt: Attempt, cookies: Cookies) -> None:
    """Have the browser keep an attempt until it comes back; another one begun meanwhile takes its place."""
    ATTEMPT_COOKIE.keep(response, asdict(attempt), ATTEMPT_SECONDS, cookies)


def take_attempt(request: Request, provider: str, state: str, cookies: Cookies) -> Attempt:
    """Return the attempt that this browser has begun at `provider` and whose `state` has come back.

    Raises:
        SignInRefused: There is none, or it was long ago.
    """
    content = ATTEMPT_COOKIE.read(request, cookies)
    if content is None:
        raise SignInRefused(rule="attempt")
    attempt = Attempt(**{name: value for name, value in content.items() if name != "until"})
    if not hmac.compare_digest(attempt.state.encode(), state.encode()) or attempt.provider != provider:
        raise SignInRefused(rule="attempt")
    return attempt


def drop_attempt(response: Response, cookies: Cookies) -> None:
    """Delete the cookie, so that an answer is taken once."""
    ATTEMPT_COOKIE.drop(response, cookies)


def keep_operator(
    response: Response, name: str, provider: SignInProvider, rule: OperatorRule, cookies: Cookies
) -> None:
    """Have the browser keep that somebody is an operator, for the hours of the rule."""
    content = {"name": name, "via": provider.name, "rule": rule.digest}
    OPERATOR_COOKIE.keep(response, content, rule.hours * 3_600, cookies)


def operator(request: Request) -> Operator | None:
    """The operator who has signed in in this browser, if the rule still stands."""
    state = request.app.state
    content = OPERATOR_COOKIE.read(request, state.cookies) if state.entrance else None
    provider = state.entrance.providers.get(content["via"]) if content else None
    rules = provider.rules.operator if provider else ()
    for rule in rules:
        if content and rule.digest == content["rule"]:
            return Operator(content["name"], content["via"], rule.role)
    return None


def keep_owner(response: Response, subject: str, provider: SignInProvider, cookies: Cookies) -> None:
    """Have the browser keep who somebody is, as long as a member stays signed in."""
    person = keyed_digest(cookies.secret, f"owner {provider.issuer} {subject}")
    seconds = int(provider.lasting.total_seconds())
    OWNER_COOKIE.keep(response, {"person": person, "via": provider.name}, seconds, cookies)


def signed_in_person(request: Request) -> str | None:
    """The digest of whoever has signed in in this browser, as long as their provider lets owners in."""
    state = request.app.state
    content = OWNER_COOKIE.read(request, state.cookies) if state.entrance else None
    provider = state.entrance.providers.get(content["via"]) if content else None
    return content["person"] if content and provider and provider.rules.owners else None

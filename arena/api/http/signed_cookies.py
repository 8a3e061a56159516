"""Cookies whose content the arena has signed: attempts to sign in, operators and owners."""

from __future__ import annotations

import hmac
import json
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, Literal

from arena.adapters.openid.attempt import ATTEMPT_SECONDS, Attempt
from arena.api.contract import BASE
from arena.domain.errors import SignInRefused
from arena.domain.operators import Operator
from arena.domain.privacy.keyed_digest import keyed_digest
from arena.domain.sittings import Sitting
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from fastapi import Request, Response

    from arena.api.http.voter_cookie import Cookies
    from arena.domain.sign_in import OperatorRule, SignInProvider


_SEALED: Final = re.compile(r"[A-Za-z0-9_-]+={0,2}")


@dataclass(frozen=True, slots=True)
class SignedCookie:
    """A signed cookie for the paths below `path`; its signatures are valid for `purpose` only."""

    name: str
    path: str
    purpose: str
    same_site: Literal["lax", "strict"] = "lax"

    def keep(self, response: Response, content: Mapping[str, object], seconds: int, cookies: Cookies) -> None:
        """Set the cookie to `content` for so many seconds."""
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
        """The content of a request's cookie; None if it is missing, expired or not signed by the arena."""
        return unseal(request.cookies.get(self.name, ""), self.purpose, cookies)

    def drop(self, response: Response, cookies: Cookies) -> None:
        """Delete the cookie."""
        response.delete_cookie(self.name, path=self.path, httponly=True, samesite=self.same_site, secure=cookies.secure)


def seal(content: Mapping[str, object], seconds: int, purpose: str, cookies: Cookies) -> str:
    """Content as a signed text that is valid for so many seconds."""
    dated = {**content, "until": int(time.time()) + seconds}
    text = urlsafe_b64encode(json.dumps(dated).encode()).decode()
    return f"{text}.{keyed_digest(cookies.secret, f'{purpose} {text}')}"


def unseal(sealed: str, purpose: str, cookies: Cookies) -> JsonObject | None:
    """The content of a sealed text; None if it is expired, or not signed by the arena for this purpose."""
    text, _, signature = sealed.partition(".")
    # A text with a space could be the end of another purpose.
    if not _SEALED.fullmatch(text) or not hmac.compare_digest(
        signature.encode(), keyed_digest(cookies.secret, f"{purpose} {text}").encode()
    ):
        return None
    content: JsonObject = json.loads(urlsafe_b64decode(text))
    return content if content["until"] >= time.time() else None


NAME: Final = "arena_sign_in"
ATTEMPT_COOKIE: Final = SignedCookie(NAME, f"{BASE}/sign-in", "sign-in attempt")
"""A sign-in under way: what the provider's answer must match, for ten minutes and one use."""
OPERATOR_COOKIE: Final = SignedCookie("arena_operator", f"{BASE}/operator", "operator", same_site="strict")
"""An operator's name and provider, and the digest of the rule in the file of providers that gives the role.

Each request looks the rule up, so that a rule that is taken out of the file ends the role at the next start.
"""
EXIT_COOKIE: Final = SignedCookie("arena_operator_exit", f"{BASE}/sign-out", "operator exit", same_site="strict")
"""The sitting of an operator for the route that ends it, which the operator's cookie does not reach."""
OWNER_COOKIE: Final = SignedCookie("arena_owner", BASE, "owner", same_site="strict")
"""A keyed digest of an owner's issuer and subject, another than that of the same person as a voter."""


def keep_attempt(response: Response, attempt: Attempt, cookies: Cookies) -> None:
    """Set the cookie of an attempt, in place of an earlier one."""
    ATTEMPT_COOKIE.keep(response, asdict(attempt), ATTEMPT_SECONDS, cookies)


def take_attempt(request: Request, provider: str, state: str, cookies: Cookies) -> Attempt:
    """Return the attempt that this browser has begun at `provider` and whose `state` has come back.

    Raises:
        SignInRefused: There is none, or it has expired.
    """
    content = ATTEMPT_COOKIE.read(request, cookies)
    if content is None:
        raise SignInRefused(rule="attempt")
    attempt = Attempt(**{name: value for name, value in content.items() if name != "until"})
    if not hmac.compare_digest(attempt.state.encode(), state.encode()) or attempt.provider != provider:
        raise SignInRefused(rule="attempt")
    return attempt


def drop_attempt(response: Response, cookies: Cookies) -> None:
    """Delete the cookie, so that a provider's answer is accepted once."""
    ATTEMPT_COOKIE.drop(response, cookies)


def keep_operator(
    response: Response,
    name: str,
    provider: SignInProvider,
    *,
    rule: OperatorRule,
    sitting: Sitting,
    cookies: Cookies,
) -> None:
    """Set the cookies of an operator, for the hours of the rule."""
    content = {"name": name, "via": provider.name, "rule": rule.digest, "sitting": asdict(sitting)}
    OPERATOR_COOKIE.keep(response, content, rule.hours * 3_600, cookies)
    EXIT_COOKIE.keep(response, {"sitting": asdict(sitting)}, rule.hours * 3_600, cookies)


def operator(request: Request) -> Operator | None:
    """The operator of a request's cookie; None if it is not valid, or its rule is gone."""
    state = request.app.state
    content = _sitting_content(OPERATOR_COOKIE, request) if state.entrance else None
    provider = state.entrance.providers.get(content["via"]) if content else None
    rules = provider.rules.operator if provider else ()
    for rule in rules:
        if content and rule.digest == content["rule"]:
            return Operator(content["name"], content["via"], rule.role)
    return None


def keep_owner(
    response: Response, subject: str, provider: SignInProvider, *, sitting: Sitting, cookies: Cookies
) -> None:
    """Set the cookie of an owner, for as long as members stay signed in."""
    person = keyed_digest(cookies.secret, f"owner {provider.issuer} {subject}")
    seconds = int(provider.lasting.total_seconds())
    content = {"person": person, "via": provider.name, "sitting": asdict(sitting)}
    OWNER_COOKIE.keep(response, content, seconds, cookies)


def signed_in_person(request: Request) -> str | None:
    """The person's digest in a request's owner cookie; None if it is not valid, or its provider admits no owners."""
    state = request.app.state
    content = _sitting_content(OWNER_COOKIE, request) if state.entrance else None
    provider = state.entrance.providers.get(content["via"]) if content else None
    return content["person"] if content and provider and provider.rules.owners else None


def sittings(request: Request) -> list[Sitting]:
    """The sittings that a request's cookies name; an ended one is among them no more."""
    cookies: Cookies = request.app.state.cookies
    contents = (_sitting_content(cookie, request) for cookie in (EXIT_COOKIE, OWNER_COOKIE))
    roles = (_sitting(content) for content in contents if content)
    return [sitting for sitting in (cookies.sitting(request), *roles) if sitting]


def _sitting_content(cookie: SignedCookie, request: Request) -> JsonObject | None:
    """The content of a cookie; None if it is not valid, or somebody has signed out of its sitting."""
    cookies: Cookies = request.app.state.cookies
    content = cookie.read(request, cookies)
    sitting = _sitting(content) if content else None
    return None if sitting and cookies.ended.has_ended(sitting) else content


def _sitting(content: JsonObject) -> Sitting | None:
    """The sitting in the content of a cookie; those of earlier versions have none."""
    return Sitting(**content["sitting"]) if "sitting" in content else None

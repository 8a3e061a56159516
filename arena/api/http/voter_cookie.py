"""The voter cookie: a signed cookie that identifies an anonymous person.

A visitor's holds a random number. That of a member, who has signed in, holds a keyed digest of issuer and subject, the
same on all their devices, and the second at which it expires.
"""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

from arena.api.http.clients import network
from arena.domain.privacy.keyed_digest import keyed_digest, remembered_digest
from arena.domain.terms import Voter

if TYPE_CHECKING:
    from datetime import datetime

    from fastapi import Request, Response

COOKIE: Final = "arena_voter"
YEAR: Final = 365 * 24 * 3600
HOME: Final = 4
"""First characters of a cookie, by which the proxy sends its voter to one process."""

MEMBER: Final = "~"
"""Separates the digest of a member from the time; no random number has it."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """Signs and reads the voter cookie; `secure` adds the `__Host-` prefix and sends it over HTTPS only."""

    secret: bytes
    secure: bool = False

    @property
    def name(self) -> str:
        """Name of the cookie."""
        return f"__Host-{COOKIE}" if self.secure else COOKIE

    def voter(self, request: Request) -> Voter | None:
        """Return the voter of a request, or None without a validly signed cookie."""
        number, _, signature = request.cookies.get(self.name, "").partition(".")
        if not number or not hmac.compare_digest(signature.encode(), self._sign(number).encode()):
            return None
        member, _, until = number.partition(MEMBER)
        if not until:
            return self._voter(number, request)
        return self._member(member) if int(until) > time.time() else None

    def welcome(self, request: Request, response: Response) -> Voter:
        """Return the voter of a request; a new one gets a cookie."""
        if voter := self.voter(request):
            return voter
        number = _home(request) + secrets.token_urlsafe(16)
        response.set_cookie(
            self.name,
            f"{number}.{self._sign(number)}",
            max_age=YEAR,
            httponly=True,
            samesite="lax",
            secure=self.secure,
        )
        return self._voter(number, request)

    def admitted(self, issuer: str, subject: str, until: datetime) -> str:
        """The cookie's value for the member whom an issuer calls `subject`."""
        digest = keyed_digest(self.secret, f"member {issuer} {subject}")
        number = f"{digest}{MEMBER}{ceil(until.timestamp())}"
        return f"{number}.{self._sign(number)}"

    def admit(self, response: Response, cookie: str, until: datetime) -> None:
        """Set the cookie to that of a member."""
        response.set_cookie(self.name, cookie, expires=until, httponly=True, samesite="lax", secure=self.secure)

    def farewell(self, response: Response) -> None:
        """Delete the cookie, and with it the only copy of the voter's random number."""
        response.delete_cookie(self.name, httponly=True, samesite="lax", secure=self.secure)

    def _voter(self, number: str, request: Request) -> Voter:
        return Voter(
            key=remembered_digest(self.secret, f"voter key {number}"),
            address=network(request.client.host) if request.client else "",
        )

    def _member(self, digest: str) -> Voter:
        key = remembered_digest(self.secret, f"voter key {digest}")
        return Voter(key, address=f"member {digest}", member=True)

    def _sign(self, number: str) -> str:
        return remembered_digest(self.secret, f"voter cookie {number}")


def _home(request: Request) -> str:
    """The first characters of the request's id, by which the proxy chose this process; empty without a proxy.

    A new cookie begins with them, so that its voter stays with the process.
    """
    start = request.headers.get("x-request-id", "")[:HOME]
    return start if len(start) == HOME and start.isascii() and start.isalnum() else ""

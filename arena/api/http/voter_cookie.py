"""The voter cookie: a signed cookie that identifies an anonymous person."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.api.http.clients import network
from arena.domain.privacy.keyed_digest import remembered_digest
from arena.domain.terms import Voter

if TYPE_CHECKING:
    from fastapi import Request, Response

COOKIE: Final = "arena_voter"
YEAR: Final = 365 * 24 * 3600
HOME: Final = 4
"""First characters of a cookie, by which the proxy sends its voter to one process."""


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
        return self._voter(number, request)

    def welcome(self, request: Request, response: Response) -> Voter:
        """Return the voter of a request; a new one gets a cookie."""
        if known := self.voter(request):
            return known
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

    def farewell(self, response: Response) -> None:
        """Delete the cookie, and with it the only copy of the voter's random number."""
        response.delete_cookie(self.name, httponly=True, samesite="lax", secure=self.secure)

    def _voter(self, number: str, request: Request) -> Voter:
        return Voter(
            key=remembered_digest(self.secret, f"voter key {number}"),
            address=network(request.client.host) if request.client else "",
        )

    def _sign(self, number: str) -> str:
        return remembered_digest(self.secret, f"voter cookie {number}")


def _home(request: Request) -> str:
    """The characters by which the proxy has chosen a process for somebody without a cookie, so that they stay there.

    They are the first of its id of the request; without a proxy there is none.
    """
    start = request.headers.get("x-request-id", "")[:HOME]
    return start if len(start) == HOME and start.isascii() and start.isalnum() else ""

"""The voter cookie: a signed cookie that identifies an anonymous person.

A visitor's holds a random number. That of a member, who has signed in, holds a keyed digest of issuer and subject, the
same on all their devices, the second at which it expires, and the sitting, which signing out ends.
"""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Final

from arena.api.http.clients import network
from arena.domain.privacy.keyed_digest import keyed_digest, remembered_digest
from arena.domain.sittings import Sitting
from arena.domain.terms import Voter
from arena.usecases.people.sittings import EndedSittings

if TYPE_CHECKING:
    from datetime import datetime

    from fastapi import Request, Response

COOKIE: Final = "arena_voter"
YEAR: Final = 365 * 24 * 3600
HOME: Final = 4
"""First characters of a cookie, by which the proxy sends its voter to one process."""

MEMBER: Final = "~"
"""Separates the digest of a member, the time, the generation and the sitting; no random number has it."""


@dataclass(frozen=True, slots=True)
class Cookies:
    """Signs and reads the voter cookie; `secure` adds the `__Host-` prefix and sends it over HTTPS only."""

    secret: bytes
    secure: bool = False
    ended: EndedSittings = field(default_factory=EndedSittings, compare=False)

    @property
    def name(self) -> str:
        """Name of the cookie."""
        return f"__Host-{COOKIE}" if self.secure else COOKIE

    def voter(self, request: Request) -> Voter | None:
        """Return the voter of a request, or None without a validly signed cookie."""
        number = self._signed_number(request)
        member, _, sitting = number.partition(MEMBER)
        if not sitting:
            return self._voter(number, request) if number else None
        return self._member(member) if self.sitting(request) else None

    def sitting(self, request: Request) -> Sitting | None:
        """The sitting of a member's request; None if it is no member's, has expired, or somebody signed out of it."""
        member, _, rest = self._signed_number(request).partition(MEMBER)
        until, _, rest = rest.partition(MEMBER)
        generation, _, name = rest.partition(MEMBER)
        if not until or int(until) <= time.time():
            return None
        sitting = Sitting(self._person(member), int(generation or 0), name)
        return None if self.ended.has_ended(sitting) else sitting

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

    def person(self, issuer: str, subject: str) -> str:
        """The digest by which the sittings of a person are known."""
        return self._person(self._digest(issuer, subject))

    def admitted(self, issuer: str, subject: str, until: datetime, sitting: Sitting | None = None) -> str:
        """The cookie's value for the member whom an issuer calls `subject`.

        Without a sitting it is one of this moment, as a proxy vouches for the person in every request.
        """
        digest = self._digest(issuer, subject)
        person = self._person(digest)
        sitting = sitting or Sitting(person, self.ended.generations.get(person, 0))
        number = MEMBER.join((digest, str(ceil(until.timestamp())), str(sitting.generation), sitting.id))
        return f"{number}.{self._sign(number)}"

    def admit(self, response: Response, cookie: str, until: datetime) -> None:
        """Set the cookie to that of a member."""
        response.set_cookie(self.name, cookie, expires=until, httponly=True, samesite="lax", secure=self.secure)

    def farewell(self, response: Response) -> None:
        """Delete the cookie, and with it the only copy of the voter's random number."""
        response.delete_cookie(self.name, httponly=True, samesite="lax", secure=self.secure)

    def _signed_number(self, request: Request) -> str:
        """The signed part of a request's cookie; empty without one that the arena has signed."""
        number, _, signature = request.cookies.get(self.name, "").partition(".")
        return number if hmac.compare_digest(signature.encode(), self._sign(number).encode()) else ""

    def _digest(self, issuer: str, subject: str) -> str:
        return keyed_digest(self.secret, f"member {issuer} {subject}")

    def _person(self, digest: str) -> str:
        return remembered_digest(self.secret, f"sittings of {digest}")

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

"""Clients of requests: their address behind trusted proxies, and their kind."""

from __future__ import annotations

import hmac
import json
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.datastructures import Headers

from arena.adapters.limits.rules import neighbourhood
from arena.domain.terms import Client, JsonObject
from arena.domain.text import well_formed

if TYPE_CHECKING:
    from fastapi import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

FORWARDED: Final = "x-forwarded-for"
VISITOR: Final = "x-arena-visitor"
_ENTRIES: Final = 64
"""Entries of the header that are parsed, from its end."""


class ClientAddress:
    """Sets the client's address in the scope to the one that the outermost of `hops` trusted proxies has seen.

    Each proxy appends the address of its client to `X-Forwarded-For`. Only the last `hops` entries were written by
    trusted proxies; entries before them may be forged. Without a trusted proxy the header is not read at all.
    """

    def __init__(self, app: ASGIApp, hops: int) -> None:
        self.app = app
        self.hops = hops

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.hops and scope["type"] == "http" and (client := scope.get("client")):
            address = forwarded(Headers(scope=scope).getlist(FORWARDED), self.hops) or client[0]
            scope = {**scope, "client": (address, client[1])}
        await self.app(scope, receive, send)


class NamedVisitor:
    """Takes address, user agent and kind of device from the header in which the Gradio app names its visitor.

    It is believed with the token that both know alone, an empty one never, and never goes further.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and VISITOR in (headers := Headers(scope=scope)):
            scope = self._named(scope, headers[VISITOR])
        await self.app(scope, receive, send)

    def _named(self, scope: Scope, text: str) -> Scope:
        pairs = [pair for pair in scope["headers"] if pair[0] != VISITOR.encode()]
        visitor = _visitor(text)
        if not self.token or not hmac.compare_digest(visitor.get("token", "").encode(), self.token):
            return {**scope, "headers": pairs}
        agent, mobile = visitor.get("agent", ""), visitor.get("mobile", "")
        facts = [(b"user-agent", agent.encode()), (b"sec-ch-ua-mobile", mobile.encode())]
        pairs = [*(pair for pair in pairs if pair[0] not in dict(facts)), *facts]
        address = _address(visitor.get("address", ""))
        return {**scope, "headers": pairs, "client": (str(address), 0) if address else scope.get("client")}


def _visitor(text: str) -> dict[str, str]:
    """The well-formed texts of the header, an object of JSON; none if it is no such object."""
    try:
        fields: Any = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    items = cast("JsonObject", fields).items() if isinstance(fields, dict) else ()
    return {name: well_formed(value) for name, value in items if isinstance(value, str)}


def forwarded(lines: list[str], hops: int) -> str | None:
    """Return the entry of the outermost trusted proxy; None if there is none or it is not an address."""
    entries = ",".join(lines).rsplit(",", _ENTRIES)[-_ENTRIES:]
    if len(entries) < hops:
        return None
    address = _address(entries[-hops].strip())
    return str(address) if address else None


def network(address: str) -> str:
    """Return the /24 or /48 network of an address, which limits count as one; other text unchanged."""
    parsed = _address(address)
    return neighbourhood(str(parsed)) if parsed else address


def client_of(request: Request) -> Client:
    """The kind of client by its headers; a false one only changes the slice in which the vote gate counts a vote."""
    agent = request.headers.get("user-agent", "")
    if not agent.startswith("Mozilla/"):
        return Client.PROGRAM
    return Client.PHONE if "Mobi" in agent or request.headers.get("sec-ch-ua-mobile") == "?1" else Client.DESKTOP


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address, optionally with a port or in brackets; a mapped IPv6 address becomes the IPv4 one."""
    for host in (text, text.rpartition(":")[0], text.strip("[]")):
        try:
            address = ip_address(host.strip("[]").partition("%")[0])
        except ValueError:
            continue
        return getattr(address, "ipv4_mapped", None) or address
    return None

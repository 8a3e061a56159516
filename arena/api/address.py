"""Whose address a request comes from, when proxies of the operator's stand in between."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

FORWARDED: Final = "x-forwarded-for"
_ENTRIES: Final = 64
_NETWORK: Final = {4: 24, 6: 64}
"""Bits of an address that one school, office or household shares."""


class ClientAddress:
    """Puts the client's own address into the scope: the one that the outermost of `hops` trusted proxies has seen.

    Each proxy appends the address it was called from to `X-Forwarded-For`. Only the last `hops` entries were written by
    proxies of ours; whatever stands before them is the client's own invention. Without a trusted hop the header is
    not read at all.
    """

    def __init__(self, app: ASGIApp, hops: int) -> None:
        self.app = app
        self.hops = hops

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.hops and scope["type"] == "http" and (client := scope.get("client")):
            seen = forwarded(Headers(scope=scope).getlist(FORWARDED), self.hops) or client[0]
            scope = {**scope, "client": (seen, client[1])}
        await self.app(scope, receive, send)


def forwarded(lines: list[str], hops: int) -> str | None:
    """The entry that the outermost trusted proxy wrote; None if it wrote none, or something that is no address."""
    entries = ",".join(lines).rsplit(",", _ENTRIES)[-_ENTRIES:]
    if len(entries) < hops:
        return None
    address = _address(entries[-hops].strip())
    return str(address) if address else None


@lru_cache(4_096)
def network(address: str) -> str:
    """What limits are counted by: the /24 or /64 around an address, or the text itself if it is none."""
    known = _address(address)
    return str(ip_network((known, _NETWORK[known.version]), strict=False)) if known else address


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """An address, also with a port or in brackets, and the IPv4 one inside a mapped IPv6 one."""
    for bare in (text, text.rpartition(":")[0], text.strip("[]")):
        try:
            address = ip_address(bare.strip("[]").partition("%")[0])
        except ValueError:
            continue
        return getattr(address, "ipv4_mapped", None) or address
    return None

"""The kind of client that a request comes from, as far as its headers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.api.raw_headers import first_values
from arena.domain.terms import Client

if TYPE_CHECKING:
    from fastapi import Request


def client_of(request: Request) -> Client:
    """A browser on a phone or another device, or a program; whoever lies about it only chooses a slice to be in."""
    headers = first_values(request.scope)
    agent = headers.get(b"user-agent", b"")
    if not agent.startswith(b"Mozilla/"):
        return Client.PROGRAM
    return Client.PHONE if b"Mobi" in agent or headers.get(b"sec-ch-ua-mobile") == b"?1" else Client.DESKTOP

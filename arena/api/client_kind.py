"""The kind of client that a request comes from, as far as its headers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.domain.terms import Client

if TYPE_CHECKING:
    from fastapi import Request


def client_of(request: Request) -> Client:
    """A browser on a phone or another device, or a program; whoever lies about it only chooses a slice to be in."""
    agent = request.headers.get("user-agent", "")
    if not agent.startswith("Mozilla/"):
        return Client.PROGRAM
    return Client.PHONE if "Mobi" in agent or request.headers.get("sec-ch-ua-mobile") == "?1" else Client.DESKTOP

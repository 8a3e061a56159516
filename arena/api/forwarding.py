"""Forwarding of requests about a turn that runs in another process of this arena."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from starlette.datastructures import MutableHeaders
from starlette.responses import StreamingResponse

from arena.adapters.store import conversations
from arena.api.contract import BASE
from arena.client import Relay

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.adapters.store.conversations import AnyKind
    from arena.usecases.battles import Runtime

_PATH: Final = re.compile(rf"{BASE}/(battles|chats)/([^/]+)(?:/(?:stream|stop|skip))?")
_KINDS: Final[dict[str, AnyKind]] = {"battles": conversations.BATTLES, "chats": conversations.CHATS}
_FORWARDED: Final = "x-arena-passed-on"
_HOP_BY_HOP: Final = ("connection", "keep-alive", "transfer-encoding", "content-length", "te", "upgrade")


class Forwarding:
    """Middleware that forwards requests about a running turn to its process, which the database names.

    If that process is gone, the request is answered here from the stored state.
    """

    def __init__(self, app: ASGIApp, runtime: Runtime, relay: Relay) -> None:
        self.app = app
        self.runtime = runtime
        self.relay = relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = await self._where(scope) if scope["type"] == "http" else None
        if address is None or not await self._forward(address, scope, receive, send):
            await self.app(scope, receive, send)

    async def _where(self, scope: Scope) -> str | None:
        """The address of the other process, or None if the request is answered here."""
        found = _PATH.fullmatch(scope["path"])
        if found is None or found[2] in self.runtime.runs or _FORWARDED in MutableHeaders(scope=scope):
            return None
        address = await self.runtime.database.read(conversations.running_at, _KINDS[found[1]], found[2])
        return address if address != self.runtime.process else None

    async def _forward(self, address: str, scope: Scope, receive: Receive, send: Send) -> bool:
        headers = MutableHeaders(raw=list(scope["headers"]))
        for name in _HOP_BY_HOP:
            del headers[name]
        headers[_FORWARDED] = "1"
        try:
            async with self.relay.ask(scope["method"], address + scope["path"], headers.raw) as answer:
                passed = StreamingResponse(answer.chunks, answer.status)
                passed.raw_headers = [pair for pair in answer.headers if pair[0].lower().decode() not in _HOP_BY_HOP]
                await passed(scope, receive, send)
        except ConnectionError:
            return False
        return True

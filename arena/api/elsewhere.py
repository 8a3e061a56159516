"""A turn runs in one process; whoever asks another one for it is served through that other one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from starlette.datastructures import MutableHeaders
from starlette.responses import StreamingResponse

from arena.client import Relay
from arena.store import talks

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.battles import Stage
    from arena.store.talks import AnyBook

_PATH: Final = re.compile(r"/api/v1/(battles|chats)/([^/]+)(?:/(?:stream|stop|skip))?")
_BOOKS: Final[dict[str, AnyBook]] = {"battles": talks.BATTLES, "chats": talks.CHATS}
_PASSED: Final = "x-arena-passed-on"
_HOP_BY_HOP: Final = ("connection", "keep-alive", "transfer-encoding", "content-length", "te", "upgrade")


class Elsewhere:
    """Passes on what is asked of a turn that runs in another process of this arena.

    The database says where. When that process is gone, the request is answered here from what is stored.
    """

    def __init__(self, app: ASGIApp, stage: Stage, relay: Relay) -> None:
        self.app = app
        self.stage = stage
        self.relay = relay

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = await self._where(scope) if scope["type"] == "http" else None
        if address is None or not await self._passed_on(address, scope, receive, send):
            await self.app(scope, receive, send)

    async def _where(self, scope: Scope) -> str | None:
        """The other process that this request is about."""
        found = _PATH.fullmatch(scope["path"])
        if found is None or found[2] in self.stage.runs or _PASSED in MutableHeaders(scope=scope):
            return None
        address = await self.stage.database.read(talks.running_at, _BOOKS[found[1]], found[2])
        return address if address != self.stage.process else None

    async def _passed_on(self, address: str, scope: Scope, receive: Receive, send: Send) -> bool:
        headers = MutableHeaders(raw=list(scope["headers"]))
        for name in _HOP_BY_HOP:
            del headers[name]
        headers[_PASSED] = "1"
        try:
            async with self.relay.ask(scope["method"], address + scope["path"], headers.raw) as answer:
                passed = StreamingResponse(answer.chunks, answer.status)
                passed.raw_headers = [pair for pair in answer.headers if pair[0].lower().decode() not in _HOP_BY_HOP]
                await passed(scope, receive, send)
        except ConnectionError:
            return False
        return True

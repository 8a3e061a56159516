"""HEAD wherever GET is answered: the same status and headers, and no body."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Head:
    """Answers HEAD like GET without the body; a stream is ended after its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def heads_only(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                # From here on receive() reports a disconnect, which ends every stream.
                await send({"type": "http.response.body", "body": b""})

        await self.app({**scope, "method": "GET"}, receive, heads_only)

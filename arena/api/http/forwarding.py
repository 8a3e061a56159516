"""Forwarding of requests about a turn that runs in another process of this arena."""

from __future__ import annotations

import hmac
import re
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import httpx2
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import StreamingResponse

from arena.adapters.store import conversations
from arena.api.contract import BASE
from arena.domain.privacy.keyed_digest import keyed_digest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from starlette.types import ASGIApp, Receive, Scope, Send

    from arena.adapters.store.conversations import AnyKind
    from arena.api.http.voter_cookie import Cookies
    from arena.usecases.battles.runtime import Runtime

_PATH: Final = re.compile(rf"{BASE}/(battles|chats)/([^/]+)(?:/(?:stream|stop|skip))?")
_KINDS: Final[dict[str, AnyKind]] = {"battles": conversations.BATTLES, "chats": conversations.CHATS}
_MARK_HEADER: Final = "x-arena-passed-on"
_MARK: Final = re.compile(r"([0-9]{1,11})\.[0-9a-f]{64}")
_SECONDS: Final = 60
"""Seconds for which a mark is valid; clocks of machines may differ by that."""
_HOP_BY_HOP: Final = ("connection", "keep-alive", "transfer-encoding", "content-length", "te", "upgrade")


class Forwarding:
    """Middleware that forwards a voter's requests about a running turn to its process, which the database names.

    Requests of others, and those whose process is gone, are answered here from the stored state; a conversation of
    somebody else looks like one that does not exist. A keyed digest of conversation and time marks a forwarded request,
    so that it is not forwarded again and no client can mark one.
    """

    def __init__(self, app: ASGIApp, runtime: Runtime, client: ProcessClient, cookies: Cookies) -> None:
        self.app = app
        self.runtime = runtime
        self.client = client
        self.cookies = cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        address = await self._target(scope, match) if match else None
        if not (match and address and await self._forward(address, match[2], scope, receive, send)):
            await self.app(scope, receive, send)

    async def _target(self, scope: Scope, match: re.Match[str]) -> str | None:
        """The address of the process that runs the turn, or None if the request is answered here."""
        if match[2] in self.runtime.runs:
            return None
        request = Request(scope)
        voter = self.cookies.voter(request)
        if voter is None or self._is_marked(request, match[2]):
            return None
        address = await self.runtime.database.read(conversations.running_at, _KINDS[match[1]], match[2], voter.key)
        # A process without an address has another kind of name.
        return address if address and "://" in address and address != self.runtime.process else None

    def _mark(self, conversation_id: str, second: int) -> str:
        return f"{second}.{keyed_digest(self.cookies.secret, f'forwarded {conversation_id} {second}')}"

    def _is_marked(self, request: Request, conversation_id: str) -> bool:
        """Whether another process of this arena has forwarded a request."""
        match = _MARK.fullmatch(request.headers.get(_MARK_HEADER, ""))
        if match is None or abs(int(match[1]) - self.runtime.now().timestamp()) > _SECONDS:
            return False
        return hmac.compare_digest(match[0], self._mark(conversation_id, int(match[1])))

    async def _forward(self, address: str, conversation_id: str, scope: Scope, receive: Receive, send: Send) -> bool:
        headers = MutableHeaders(raw=list(scope["headers"]))
        for name in _HOP_BY_HOP:
            del headers[name]
        headers[_MARK_HEADER] = self._mark(conversation_id, int(self.runtime.now().timestamp()))
        try:
            async with self.client.ask(scope["method"], address + _target(scope), headers.raw) as answer:
                response = StreamingResponse(answer.chunks, answer.status)
                response.raw_headers = [pair for pair in answer.headers if pair[0].lower().decode() not in _HOP_BY_HOP]
                await response(scope, receive, send)
        except ConnectionError:
            return False
        return True


def _target(scope: Scope) -> str:
    """The path of a request with its query."""
    query: bytes = scope["query_string"]
    return f"{scope['path']}?{query.decode('latin-1')}" if query else scope["path"]


@dataclass(frozen=True, slots=True)
class ProcessAnswer:
    """The response of another process as it arrives."""

    status: int
    headers: list[tuple[bytes, bytes]]
    chunks: AsyncIterator[bytes]


class ProcessClient:
    """HTTP client of the other processes of this arena."""

    def __init__(self, *, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        timeout = httpx2.Timeout(None, connect=2)
        self._client = httpx2.AsyncClient(transport=transport, timeout=timeout, trust_env=False)

    @asynccontextmanager
    async def ask(self, method: str, url: str, headers: list[tuple[bytes, bytes]]) -> AsyncGenerator[ProcessAnswer]:
        """Send a request without a body; the block has its response.

        Raises:
            ConnectionError: The other process does not answer.
        """
        request = self._client.build_request(method, url, headers=headers)
        try:
            response = await self._client.send(request, stream=True)
        except httpx2.TransportError as error:
            raise ConnectionError(url) from error
        try:
            yield ProcessAnswer(response.status_code, response.headers.raw, self._chunks(response))
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    @staticmethod
    async def _chunks(response: httpx2.Response) -> AsyncIterator[bytes]:
        with suppress(httpx2.TransportError):  # the other process has ended; the reader will reconnect
            async for chunk in response.aiter_raw():
                yield chunk

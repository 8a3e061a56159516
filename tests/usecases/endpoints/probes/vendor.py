"""A fake model server on a real socket: speaks every dialect, may require a key, and fails as a test sets it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.providers.dialects import ANTHROPIC, DIALECTS, GEMINI, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES

PATHS = {
    OPENAI_CHAT.name: "/chat/completions",
    OPENAI_RESPONSES.name: "/responses",
    ANTHROPIC.name: "/messages",
    GEMINI.name: ":streamGenerateContent",
    OLLAMA.name: "/api/chat",
}
USUAL, AGAIN = ("It ", "is ", "so."), ("It ", "is ", "it!")
DIALECT_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}


@dataclass(frozen=True)
class ReceivedRequest:
    """One request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def streams(self) -> bool:
        """Whether it asks for a stream."""
        return b'"stream": false' not in self.body and not self.path.endswith(":generateContent")

    @property
    def key(self) -> str | None:
        keys = (self.headers.get(name) for name in ("authorization", "x-api-key", "x-goog-api-key"))
        key = next((value for value in keys if value), None)
        return key.removeprefix("Bearer ") if key else None


def answer(status: int, body: bytes = b"", media: str = "application/json", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {media}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


@dataclass
class Vendor:
    """The server and its settings; `faulty` may return another answer, where numbers are pauses in seconds."""

    dialect: str = "openai_chat"
    base: str = "/v1"
    key: str | None = None
    challenge: bytes | None = None
    text: tuple[str, ...] = USUAL
    again: tuple[str, ...] = ()
    """The answer to a further question; as usual, or the same, if it is not set."""
    whole: str = "It is so."
    """The answer to a request without streaming."""
    faulty: Callable[[ReceivedRequest], Iterable[bytes | float] | None] = lambda _asked: None
    received: list[ReceivedRequest] = field(default_factory=list)
    url: str = ""
    meeting: int = 0
    most_at_once: int = 0

    @asynccontextmanager
    async def listening(self, **how):
        meetings: set[asyncio.Task] = set()

        async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            meetings.add(task)
            task.add_done_callback(meetings.discard)
            self.meeting += 1
            self.most_at_once = max(self.most_at_once, self.meeting)
            try:
                await self._meet(reader, writer)
            finally:
                self.meeting -= 1

        server = await asyncio.start_server(meet, "127.0.0.1", 0, backlog=1000, **how)
        async with server:
            self.port = server.sockets[0].getsockname()[1]
            self.url = f"http://127.0.0.1:{self.port}{self.base}"
            yield self
        await asyncio.gather(*set(meetings))

    @property
    def posted(self) -> list[ReceivedRequest]:
        """The requests for streams."""
        return [request for request in self.received if request.method == "POST" and request.streams]

    @property
    def compared(self) -> list[ReceivedRequest]:
        """The requests for answers without streaming."""
        return [request for request in self.received if request.method == "POST" and not request.streams]

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            request = await _read(reader)
            self.received.append(request)
            for piece in self.faulty(request) or self._said(request):
                if isinstance(piece, float | int):
                    await _pause(reader, piece)
                else:
                    writer.write(piece)
                    await writer.drain()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    def _said(self, asked: ReceivedRequest) -> list[bytes | float]:
        if asked.method == "GET":
            challenge = self.challenge if asked.path == "/.well-known/arena-challenge" else None
            return [answer(404) if challenge is None else answer(200, challenge, "text/plain")]
        path = PATHS[self.dialect] if asked.streams else PATHS[self.dialect].replace("streamG", "g")
        if path not in asked.path or not asked.path.startswith(self.base + "/"):
            return [answer(404, b'{"error": "no such path"}')]
        if self.key is not None and asked.key != self.key:
            return [answer(401, json.dumps({"error": {"message": f"bad key {asked.key}"}}).encode())]
        if not asked.streams:
            return [answer(200, DIALECT_BY_NAME[self.dialect].whole(self.whole))]
        again = self.again or (AGAIN if self.text == USUAL else self.text)
        return good_stream(self.dialect, *(again if "".join(self.text).encode() in asked.body else self.text))


def good_stream(dialect: str, *texts: str, pause: float = 0.002) -> list[bytes | float]:
    """A complete answer, one write for each text."""
    spoken = DIALECT_BY_NAME[dialect]
    writes: list[bytes | float] = [f"HTTP/1.1 200 OK\r\nContent-Type: {spoken.media_type}\r\n\r\n".encode()]
    for text in texts:
        writes += [spoken.delta(text), pause]
    return [*writes, spoken.ended(spoken.stop)]


def endless(dialect: str = "openai_chat", pause: float = 0.05) -> Iterator[bytes | float]:
    """An answer that never ends, one word at a time."""
    spoken = DIALECT_BY_NAME[dialect]
    yield f"HTTP/1.1 200 OK\r\nContent-Type: {spoken.media_type}\r\n\r\n".encode()
    while True:
        yield spoken.delta("and ")
        yield pause


async def _pause(reader: asyncio.StreamReader, seconds: float) -> None:
    """Wait until the time is over or the client disconnects."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await reader.read()


async def _read(reader: asyncio.StreamReader) -> ReceivedRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *rest = head.strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in rest)}
    return ReceivedRequest(method, path, headers, await reader.readexactly(int(headers.get("content-length", 0))))

"""Fixtures: scripted endpoints behind the real HTTP client, and a reader of whole streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio

from arena_providers.base import Chunk, Provider, Target, Usage
from arena_providers.deadlines import TimedStream, TimeLimits
from arena_providers.local.provider import LocalServer
from arena_providers.terms import Finish, Message, Role
from arena_providers.transport.connection import BODY
from arena_providers.transport.http_client import HttpClient
from tests.providers.dialects import DIALECTS, Dialect
from tests.providers.tiny_gguf import write_tiny_gguf

KEY = "sk-canary-0123456789"
HELLO = (Message(Role.USER, "Hello"),)


class Body(httpx2.AsyncByteStream):
    """A response's body in scripted reads; records how much was read and whether it was closed."""

    def __init__(self, reads: Iterable[bytes | Exception | float]) -> None:
        self.reads = iter(reads)
        self.sent = 0
        self.closed = False
        self._read: bytes | Exception | None = b""

    async def wait(self) -> None:
        """Get the next read ready, if the last has been taken."""
        while self._read == b"":
            read = next(self.reads, None)
            if isinstance(read, float | int):
                await asyncio.sleep(read)
                continue
            self.sent += len(read) if isinstance(read, bytes) else 0
            self._read = read

    def take(self) -> bytes | None:
        """Return the read that is ready."""
        read, self._read = self._read, None if self._read is None else b""
        if isinstance(read, Exception):
            raise read
        return read

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            await self.wait()
            if (read := self.take()) is None:
                return
            yield read

    async def aclose(self) -> None:
        self.closed = True


@dataclass
class StreamContents:
    """The contents of one stream."""

    text: str = ""
    finish: Finish | None = None
    usage: Usage | None = None
    chunks: list[Chunk] = field(default_factory=list)


async def hear(provider: Provider, target: Target, messages=HELLO, limits: TimeLimits | None = None) -> StreamContents:
    contents = StreamContents()
    async with aclosing(TimedStream(provider.stream(target, messages), limits or TimeLimits())) as chunks:
        async for chunk in chunks:
            contents.chunks.append(chunk)
            contents.text += chunk.text
            contents.finish, contents.usage = chunk.finish or contents.finish, chunk.usage or contents.usage
    return contents


@dataclass
class Endpoint:
    """A scripted endpoint behind the real client: returns `answer` and records the requests."""

    dialect: Dialect
    target: Target
    answer: httpx2.Response | Exception = field(default_factory=lambda: httpx2.Response(500))
    asked: list[httpx2.Request] = field(default_factory=list)

    def says(self, *reads: bytes | Exception | float, status: int = 200, **headers: str) -> Body:
        """Answer with these reads; `Content_Type="…"` sets a header."""
        body = Body(reads)
        header_fields = {"content-type": self.dialect.media_type}
        header_fields |= {name.replace("_", "-").lower(): value for name, value in headers.items()}
        self.answer = httpx2.Response(status, headers=header_fields, stream=body, extensions={BODY: body})
        return body

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def hear(self, messages=HELLO, limits: TimeLimits | None = None, **client) -> StreamContents:
        async with HttpClient(transport=httpx2.MockTransport(self._handle), **client) as opened:
            return await hear(self.dialect.provider(opened), self.target, messages, limits)


def target_of(dialect: Dialect) -> Target:
    return Target(dialect=dialect.name, url="https://model.test/v1", wire_model="m-1", key=KEY)


@pytest.fixture(params=DIALECTS, ids=lambda dialect: dialect.name)
def endpoint(request) -> Endpoint:
    return Endpoint(request.param, target_of(request.param))


@pytest.fixture(scope="session")
def endless_gguf(tmp_path_factory) -> Path:
    """A tiny model for llama.cpp's server; skips where that server is not installed."""
    pytest.importorskip("xllamacpp", reason="the package xllamacpp is not installed")
    return write_tiny_gguf(tmp_path_factory.mktemp("weights") / "tiny.gguf", endless=True)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(endless_gguf: Path) -> AsyncIterator[LocalServer]:
    """llama.cpp's own server with that model and one slot, for the tests of a file: its start costs more than most."""
    async with LocalServer(endless_gguf, parallel=1) as running:
        yield running

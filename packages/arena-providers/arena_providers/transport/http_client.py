"""The only HTTP client of the server: one pool, no redirects, cookies, proxies or retries, every size limited.

Endpoints are untrusted. Responses are not decompressed, so they cannot grow. The status determines the error; the text
goes only to the private log, without the key of the request.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Final

import httpx2

from arena_providers.errors import BadCredentials, BadReply, TimedOut
from arena_providers.refusals import parse_retry_after, refusal
from arena_providers.transport.connection import BODY
from arena_providers.transport.egress import PUBLIC_ONLY
from arena_providers.transport.guarded_transport import PRIVATE, GuardedTransport
from arena_providers.transport.http_failures import as_provider_error, translated
from arena_providers.transport.redaction import one_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping
    from typing import Self

    from arena_providers.transport.connection import ResponseBody
    from arena_providers.transport.egress import Policy

RAW_LIMIT: Final = 32 * 1024 * 1024
"""Most bytes of one streamed response: servers frame each token in 200 to 400 bytes."""
DOCUMENT_LIMIT: Final = 8 * 1024 * 1024
"""Most bytes of a response that is held in memory as a whole."""
PIECE_LIMIT: Final = 200_000
"""Most reads of one response: each takes the same time for a token as for a byte."""
_PIECES_PER_TURN: Final = 64
EXCERPT_LIMIT: Final = 8 * 1024
"""Most bytes of an error's body that are read."""
_EXCERPT_SECONDS: Final = 2.0
_FILE_SECONDS: Final = 10.0
_OK: Final = range(200, 201)
SUCCESS: Final = range(200, 300)
"""Statuses that a receiver of webhooks may confirm with."""
_LAST_PORT: Final = 65535
_COMPRESSED: Final = (b"\x1f", b"\x28\xb5\x2f\xfd")
"""First bytes of gzip and zstd, which no text starts with."""
_HEADERS: Final = {
    "Accept": "*/*",
    "Accept-Encoding": "identity",
    # A common value, so that an endpoint cannot distinguish this caller from other callers.
    "User-Agent": "python-httpx2",
    "Content-Type": "application/json",
}
_SPACE: Final = b" \t\r\n\xef\xbb\xbf"
"""Bytes of white space and of a byte order mark."""
_FRAMING: Final = frozenset({"content-length", "transfer-encoding"})
_HEADER_VALUE: Final = re.compile(r"[\x20-\x7e]*")


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class OpenResponse:
    """An accepted response whose body is read by `take`, with or without a `wait` before."""

    media_type: str
    framed: bool
    """Whether HTTP states where the body ends, so that an end that is none is an error."""
    _response: httpx2.Response = field(repr=False)
    _raw_limit: int
    _secret: str | None = field(repr=False)
    _size: int = 0
    _pieces: int = 0
    _peeked: bytes = b""

    def take(self) -> bytes | None:
        """Return the part of the body that has arrived since the last call; None at its end.

        Raises:
            EndpointUnavailable: The connection was lost.
            BadReply: The body is compressed, or exceeds a limit; everything up to the limit has been returned.
        """
        if peeked := self._peeked:
            self._peeked = b""
            return peeked
        if self._size > self._raw_limit:
            raise BadReply(f"the answer is longer than {self._raw_limit} bytes", fault="too_large")
        if self._pieces > PIECE_LIMIT:
            raise BadReply(f"the answer comes in more than {PIECE_LIMIT} pieces", fault="too_large")
        try:
            data = self._body.take()
        except httpx2.HTTPError as error:
            raise as_provider_error(error, self._secret, garbled="cut") from None
        if not data:
            return data
        if not self._size:
            _check_uncompressed(data)
        room = self._raw_limit - self._size
        self._size += len(data)
        self._pieces += 1
        return data[:room]

    async def first_byte(self) -> bytes:
        """The first byte of the body that is no white space; empty if there is none. `take` begins before it.

        Raises:
            ProviderError: As `take`.
        """
        data = bytearray()
        while not data.strip(_SPACE) and len(data) < EXCERPT_LIMIT:
            await self._body.wait()
            if (piece := self.take()) is None:
                break
            data += piece
        self._peeked = bytes(data)
        return self._peeked.strip(_SPACE)[:1]

    async def wait(self) -> None:
        """Return once `take` has something new, or the end."""
        if self._peeked:
            return
        await self._body.wait()
        if self._pieces % _PIECES_PER_TURN == 0:
            # Buffered pieces are returned without suspending: give other tasks a turn.
            await asyncio.sleep(0)

    @property
    def _body(self) -> ResponseBody:
        return self._response.extensions[BODY]

    async def excerpt(self) -> str:
        """The beginning of the body, sanitised for the private log.

        Raises:
            BadReply: It is compressed without declaring so.
        """
        data = self._peeked + await _read_beginning(self._response)
        _check_uncompressed(data)
        return _text(data[:EXCERPT_LIMIT], self._secret)


class HttpClient:
    """Sends requests to endpoints; open as long as the server runs."""

    def __init__(
        self,
        *,
        connect: float = 5,
        raw_limit: int = RAW_LIMIT,
        now: Callable[[], datetime] = _utc_now,
        policy: Policy = PUBLIC_ONLY,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """`connect` is in seconds; the other time limits are in `TimeLimits`. `now` is for `Retry-After` dates.

        `policy` is the operator's egress policy.
        """
        self._raw_limit = raw_limit
        self._clock = now
        self._client = httpx2.AsyncClient(
            transport=transport or GuardedTransport(policy),
            headers=_HEADERS,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            timeout=httpx2.Timeout(None, connect=connect, write=connect),
            follow_redirects=False,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def post(
        self,
        url: str,
        body: Mapping[str, object],
        *,
        headers: Mapping[str, str],
        secret: str | None = None,
        private: bool = False,
        accept: range = _OK,
    ) -> AsyncGenerator[OpenResponse, None]:
        """Send `body` as JSON and yield the response; its end closes the connection unless all was read.

        Args:
            url: The complete URL.
            body: Serialisable as JSON; lone surrogates become question marks.
            headers: Those of the dialect, including the key's.
            secret: The key, redacted from everything the endpoint sends.
            private: As in `Target`.
            accept: Statuses that are no failure.

        Raises:
            ProviderError: The status of the response is not accepted, or the request could not be sent.
        """
        _check_sendable(headers)
        async with self._ask(
            "POST", url, json_bytes(body), headers, secret, private=private, accept=accept
        ) as response:
            media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            framed = not _FRAMING.isdisjoint(response.headers)
            yield OpenResponse(media_type, framed, response, self._raw_limit, secret)

    async def get(self, url: str, *, private: bool = False) -> bytes:
        """The first `EXCERPT_LIMIT` bytes of a file, requested without a key.

        Raises:
            ProviderError: It was not found, is compressed, or took too long.
        """
        try:
            async with (
                asyncio.timeout(_FILE_SECONDS),
                self._ask("GET", url, None, {}, None, private=private) as response,
            ):
                return await _read_beginning(response)
        except TimeoutError as error:
            raise TimedOut("file") from error

    async def document(
        self,
        url: str,
        *,
        headers: Mapping[str, str],
        secret: str | None = None,
        private: bool = False,
        limit: int = DOCUMENT_LIMIT,
    ) -> bytes:
        """A complete document of at most `limit` bytes, such as a list of models; other arguments as in `post`.

        Raises:
            ProviderError: It was not found, is compressed, exceeds the limit, or took too long.
        """
        _check_sendable(headers)
        try:
            async with (
                asyncio.timeout(_FILE_SECONDS),
                self._ask("GET", url, None, headers, secret, private=private) as response,
            ):
                return await _read_body(response, min(self._raw_limit, limit), secret)
        except TimeoutError as error:
            raise TimedOut("file") from error

    @asynccontextmanager
    async def _ask(
        self,
        method: str,
        url: str,
        content: bytes | None,
        headers: Mapping[str, str],
        secret: str | None,
        *,
        private: bool,
        accept: range = _OK,
    ) -> AsyncGenerator[httpx2.Response, None]:
        """Send a request; yields the response if it is uncompressed and its status is accepted."""
        with translated(secret):
            request = self._client.build_request(method, url, content=content, headers=dict(headers))
            request.extensions = {**request.extensions, PRIVATE: private}
            if not 0 < (request.url.port or _LAST_PORT) <= _LAST_PORT:
                raise httpx2.InvalidURL(f"no such port: {request.url.port}")
            response = await self._client.send(request, stream=True)
        try:
            await self._check(response, secret, accept)
            yield response
        finally:
            with suppress(httpx2.HTTPError):
                await response.aclose()

    async def _check(self, response: httpx2.Response, secret: str | None, accept: range) -> None:
        """Raise unless the response is uncompressed and its status is accepted."""
        is_plain = response.headers.get("Content-Encoding", "").strip().lower() in {"", "identity"}
        if response.status_code not in accept:
            words = _text(await _read_beginning(response), secret) if is_plain else ""
            wait = parse_retry_after(response.headers.get("Retry-After"), self._clock())
            raise refusal(response.status_code, words, retry_after=wait)
        if not is_plain:
            raise _compression_error()


def json_bytes(body: Mapping[str, object]) -> bytes:
    """The JSON bytes of a body, as they are sent or signed; lone surrogates become question marks."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def _check_sendable(headers: Mapping[str, str]) -> None:
    if not all(_HEADER_VALUE.fullmatch(value) for value in headers.values()):
        raise BadCredentials("the key contains characters that are not allowed in a header")


async def _read_body(response: httpx2.Response, limit: int, secret: str | None) -> bytes:
    """The body, without decompression."""
    data = bytearray()
    with translated(secret):
        async with aclosing(response.aiter_raw()) as pieces:
            async for piece in pieces:
                data += piece
                if len(data) > limit:
                    raise BadReply(f"the document is longer than {limit} bytes", fault="too_large")
    _check_uncompressed(bytes(data[:4]))
    return bytes(data)


def _check_uncompressed(beginning: bytes) -> None:
    """Reject bytes that are compressed although no header declares it."""
    if beginning.startswith(_COMPRESSED):
        raise _compression_error()


def _compression_error() -> BadReply:
    return BadReply("the answer is compressed although plain bytes were requested", fault="compressed")


async def _read_beginning(response: httpx2.Response) -> bytes:
    """The start of the body, within limits of size and time; errors are ignored, since the status matters more."""
    data = bytearray()
    with suppress(httpx2.HTTPError, TimeoutError):
        async with asyncio.timeout(_EXCERPT_SECONDS), aclosing(response.aiter_raw()) as pieces:
            async for piece in pieces:
                data += piece[: EXCERPT_LIMIT - len(data)]
                if len(data) >= EXCERPT_LIMIT:
                    break
    return bytes(data)


def _text(data: bytes, secret: str | None) -> str:
    return one_line(data.decode("utf-8", "replace"), secret)

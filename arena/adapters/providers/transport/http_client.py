"""The only HTTP client of the server: one pool, no redirects, cookies, proxies or retries, every size limited.

Endpoints are untrusted. A response is read raw, so it cannot grow by decompression; its status determines the error;
its text goes only to the private log; and the key of the request appears in neither.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import ssl
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Final, cast

import httpcore2
import httpx2

from arena.adapters.providers.errors import (
    AddressRefused,
    BadCredentials,
    BadReply,
    EndpointUnavailable,
    ProviderError,
    RequestRefused,
    TimedOut,
    Unreachable,
)
from arena.adapters.providers.refusals import parse_retry_after, refusal
from arena.adapters.providers.transport.connection import BODY
from arena.adapters.providers.transport.connections import Pool
from arena.adapters.providers.transport.egress import PUBLIC_ONLY, allowed
from arena.adapters.providers.transport.redaction import redact
from arena.adapters.providers.transport.sockets import Backend, Resolver, dial, is_own

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Generator, Mapping
    from typing import Self

    from arena.adapters.providers.transport.connection import Body
    from arena.adapters.providers.transport.egress import Address, Policy
    from arena.adapters.providers.transport.sockets import Dial, Lookup

RAW_LIMIT: Final = 8 * 1024 * 1024
"""Most bytes of one response, including the dialect's framing."""
PIECE_LIMIT: Final = 200_000
"""Most pieces of one response: a piece costs the same time whether it holds a token or a byte."""
_TURN: Final = 64
EXCERPT_LIMIT: Final = 8 * 1024
"""Most bytes of an error's body that are read."""
_EXCERPT_SECONDS: Final = 2.0
_FILE_SECONDS: Final = 10.0
_MESSAGE_LIMIT: Final = 500
_OK: Final = 200
_PRIVATE: Final = "arena.private"
_LAST_PORT: Final = 65535
_KEEP_IDLE: Final = 100
_PACKED: Final = (b"\x1f", b"\x28\xb5\x2f\xfd")
"""First bytes of gzip and zstd, with which no text begins."""
_IDLE_SECONDS: Final = 3
"""Common servers close after five idle seconds, and a request sent at that moment would fail."""
_HEADERS: Final = {
    "Accept": "*/*",
    "Accept-Encoding": "identity",
    # A common value, so that an endpoint cannot distinguish the arena from other callers.
    "User-Agent": "python-httpx2",
    "Content-Type": "application/json",
}
_EXPIRED: Final = 10
_WRONG_NAME: Final = 62
"""OpenSSL's codes of certificate errors (X509_V_ERR_…)."""
# At DEBUG it logs response headers, in which an endpoint may echo the key.
logging.getLogger("httpcore2").setLevel(logging.INFO)
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\s]+")
_HEADER_VALUE: Final = re.compile(r"[\x20-\x7e]*")


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class OpenResponse:
    """A 200 response whose body has not been read yet; `take` polls it, after a `wait` or on the ticks of a clock."""

    media_type: str
    _response: httpx2.Response = field(repr=False)
    _raw_limit: int
    _secret: str | None = field(repr=False)
    _size: int = 0
    _pieces: int = 0

    def take(self) -> bytes | None:
        """Return the part of the body that has arrived since the last call; None at its end.

        Raises:
            EndpointUnavailable: The connection was lost.
            BadReply: The body is compressed, or exceeds a limit; everything up to the limit has been returned.
        """
        if self._size > self._raw_limit:
            raise BadReply(f"the answer is longer than {self._raw_limit} bytes", fault="too_large")
        if self._pieces > PIECE_LIMIT:
            raise BadReply(f"the answer comes in more than {PIECE_LIMIT} pieces", fault="too_large")
        try:
            data = self._body.take()
        except (httpx2.HTTPError, *_POOL_ERRORS) as error:
            # Polled for every frame of every answer: a plain clause costs nothing where nothing is raised.
            raise _as_provider_error(_as_client_error(error), self._secret, garbled="cut") from None
        if not data:
            return data
        if not self._size:
            _check_unpacked(data)
        room = self._raw_limit - self._size
        self._size += len(data)
        self._pieces += 1
        return data[:room]

    async def wait(self) -> None:
        """Return once `take` has something new, or the end."""
        await self._body.wait()
        if self._pieces % _TURN == 0:
            # Buffered pieces are returned without suspending: give other tasks a turn.
            await asyncio.sleep(0)

    @property
    def _body(self) -> Body:
        return self._response.extensions[BODY]

    async def excerpt(self) -> str:
        """The beginning of the body, sanitised for the private log.

        Raises:
            BadReply: It is compressed without declaring so.
        """
        data = await _beginning(self._response)
        _check_unpacked(data)
        return _line(data, self._secret)


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
        """`connect` is in seconds; the other time limits are in `deadlines.within`. `now` is for `Retry-After` dates.

        `policy` is the operator's egress policy.
        """
        self._raw_limit = raw_limit
        self._now = now
        self._client = httpx2.AsyncClient(
            transport=transport or Guarded(policy),
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
        body: Mapping[str, Any],
        *,
        headers: Mapping[str, str],
        secret: str | None = None,
        private: bool = False,
    ) -> AsyncGenerator[OpenResponse, None]:
        """Send `body` as JSON and give the reply; leaving the block closes the connection unless all was read.

        Args:
            url: The complete URL.
            body: Serialisable as JSON; lone surrogates become question marks.
            headers: Those of the dialect, including the key's.
            secret: The key, redacted from everything the endpoint sends.
            private: As in `Target`.

        Raises:
            ProviderError: The response was not a 200, or the request could not be sent.
        """
        response = await self._send(url, body, headers, secret, private=private)
        try:
            await self._check(response, secret)
            media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            yield OpenResponse(media_type, response, self._raw_limit, secret)
        finally:
            with suppress(httpx2.HTTPError):
                await response.aclose()

    async def get(self, url: str, *, private: bool = False) -> bytes:
        """The first `EXCERPT_LIMIT` bytes of a small file, requested without a key.

        Raises:
            ProviderError: It was not found, is compressed, or took too long.
        """
        try:
            async with asyncio.timeout(_FILE_SECONDS):
                response = await self._send(url, None, {}, None, private=private)
                try:
                    await self._check(response, None)
                    return await _beginning(response)
                finally:
                    with suppress(httpx2.HTTPError):
                        await response.aclose()
        except TimeoutError as error:
            raise TimedOut("file") from error

    async def _send(
        self, url: str, body: Mapping[str, Any] | None, headers: Mapping[str, str], secret: str | None, *, private: bool
    ) -> httpx2.Response:
        if not all(_HEADER_VALUE.fullmatch(value) for value in headers.values()):
            raise BadCredentials("the key contains characters that are not allowed in a header")
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        with _translated(secret):
            method = "GET" if content is None else "POST"
            request = self._client.build_request(method, url, content=content, headers=dict(headers))
            request.extensions = {**request.extensions, _PRIVATE: private}
            if not 0 < (request.url.port or _LAST_PORT) <= _LAST_PORT:
                raise httpx2.InvalidURL(f"no such port: {request.url.port}")
            return await self._client.send(request, stream=True)

    async def _check(self, response: httpx2.Response, secret: str | None) -> None:
        """Raise unless this is an uncompressed 200."""
        encoded = not _is_plain(response)
        if response.status_code != _OK:
            words = "" if encoded else await _excerpt(response, secret)
            raise self._refusal(response, words)
        if encoded:
            raise _compressed()

    def _refusal(self, response: httpx2.Response, words: str) -> ProviderError:
        wait = parse_retry_after(response.headers.get("Retry-After"), self._now())
        return refusal(response.status_code, words, retry_after=wait)


class Guarded(httpx2.AsyncBaseTransport):
    """The transport of all requests: two pools, one for public addresses, one for the operator's exceptions.

    They share no connection, so that an ordinary request never uses a connection to a private address.

    Args:
        policy: The operator's egress policy.
        lookup: Resolves a name; by default with the system's resolver.
        connect: Connects a socket; replaceable in tests.
        verify: TLS context; by default with the system's certificates.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        lookup: Lookup | None = None,
        connect: Dial = dial,
        verify: ssl.SSLContext | None = None,
    ) -> None:
        self._policy = policy
        self._resolver = Resolver()
        verify = verify or httpx2.create_ssl_context(trust_env=False)
        lookup = lookup or self._resolver
        self._pools = {
            route: Pool(
                verify=verify, backend=Backend(judge, lookup, connect), idle=_KEEP_IDLE, idle_seconds=_IDLE_SECONDS
            )
            for route, judge in _JUDGES.items()
        }

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        private = bool(request.extensions.get(_PRIVATE))
        route = self._policy.route(url.scheme, url.raw_host.decode("ascii"), url.port, private=private)
        if route is None:
            raise AddressRefused("only https on port 443 is public; the operator has not opened this address")
        asked = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _mapped():
            answer = await self._pools[route].handle_async_request(asked)
        extensions = cast("dict[str, Any]", answer.extensions)  # pyright: ignore[reportUnknownMemberType] - theirs
        return httpx2.Response(answer.status, headers=answer.headers, stream=_Body(answer), extensions=extensions)

    async def aclose(self) -> None:
        for pool in self._pools.values():
            with _mapped():
                await pool.aclose()
        self._resolver.close()


class _Body(httpx2.AsyncByteStream):
    """The body of a response."""

    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _mapped():
            async for piece in cast("AsyncIterable[bytes]", self._answer.stream):
                yield piece

    async def aclose(self) -> None:
        with _mapped():
            await self._answer.aclose()


def _is_public(address: Address) -> bool:
    return allowed(address) and not is_own(address)


_JUDGES: Final[Mapping[str, Callable[[Address], bool]]] = {"guarded": _is_public, "open": lambda _address: True}


_POOL_ERRORS: Final = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.UnsupportedProtocol,
)


@contextmanager
def _mapped() -> Generator[None, None, None]:
    """Convert errors of httpcore2 to those of httpx2 with the same names."""
    try:
        yield
    except _POOL_ERRORS as error:
        raise _as_client_error(error) from error


def _as_client_error(error: Exception) -> Exception:
    return getattr(httpx2, type(error).__name__)(str(error)) if isinstance(error, _POOL_ERRORS) else error


def _is_plain(response: httpx2.Response) -> bool:
    return response.headers.get("Content-Encoding", "").strip().lower() in {"", "identity"}


def _check_unpacked(beginning: bytes) -> None:
    """Reject bytes that are compressed although no header declares it."""
    if beginning.startswith(_PACKED):
        raise _compressed()


def _compressed() -> BadReply:
    return BadReply("the answer is compressed although plain bytes were requested", fault="compressed")


@contextmanager
def _translated(secret: str | None) -> Generator[None, None, None]:
    """Convert errors of httpx2 to `ProviderError`s."""
    try:
        yield
    except (httpx2.InvalidURL, httpx2.HTTPError) as error:
        raise _as_provider_error(error, secret) from None


def _as_provider_error(error: Exception, secret: str | None, *, garbled: str = "no_http") -> ProviderError:
    """The `ProviderError` for an error of httpx2; `garbled` is the fault for invalid HTTP."""
    match error:
        case httpx2.ConnectTimeout():
            return TimedOut("connect")
        case httpx2.TimeoutException():
            return TimedOut("request")
        case httpx2.InvalidURL() | httpx2.UnsupportedProtocol():
            return AddressRefused(f"invalid URL: {_fit(str(error), secret)}")
        case httpx2.LocalProtocolError():
            return RequestRefused(f"the request cannot be sent: {_fit(str(error), secret)}")
        case _:
            words = f"{type(error).__name__}: {_fit(str(error), secret)}"
            if isinstance(error, httpx2.ConnectError):
                return _unconnected(error, words)
            return EndpointUnavailable(words, fault=garbled if isinstance(error, httpx2.ProtocolError) else "cut")


def _unconnected(error: httpx2.ConnectError, words: str) -> EndpointUnavailable:
    """The error for a failed connection or TLS handshake."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        # The pool re-raises without the cause, which may be in the context.
        cause = cause.__cause__ or cause.__context__
    if cause is None:
        return Unreachable(words)
    return EndpointUnavailable(words, fault=_tls_fault(cause))


def _tls_fault(error: ssl.SSLError) -> str:
    code = error.verify_code if isinstance(error, ssl.SSLCertVerificationError) else 0
    return {_WRONG_NAME: "tls_name", _EXPIRED: "tls_expired", 0: "tls"}.get(code, "tls_untrusted")


async def _excerpt(response: httpx2.Response, secret: str | None) -> str:
    """One line of the body for the private log."""
    return _line(await _beginning(response), secret)


def _line(data: bytes, secret: str | None) -> str:
    return _fit(data.decode("utf-8", "replace"), secret)


async def _beginning(response: httpx2.Response) -> bytes:
    """The beginning of the body, within limits of size and time; errors are ignored, as the status matters more."""
    data = bytearray()
    with suppress(httpx2.HTTPError, TimeoutError):
        async with asyncio.timeout(_EXCERPT_SECONDS), aclosing(response.aiter_raw()) as raw:
            async for piece in raw:
                data += piece[: EXCERPT_LIMIT - len(data)]
                if len(data) >= EXCERPT_LIMIT:
                    break
    return bytes(data)


def _fit(words: str, secret: str | None) -> str:
    """One short printable line without the key."""
    return _UNPRINTABLE.sub(" ", redact(words, secret)).strip()[:_MESSAGE_LIMIT]

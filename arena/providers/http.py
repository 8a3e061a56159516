"""The only HTTP client of the server: one pool, no redirects, cookies, proxies or retries, every size limited.

An endpoint belongs to a stranger. Its answer is read raw, so nothing it sends can grow on the way; its status
decides the error; its words stay in the private log; and the key it was asked with appears in neither.
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

from arena.providers.connection import Pool
from arena.providers.egress import PUBLIC_ONLY, allowed
from arena.providers.errors import (
    AddressRefused,
    BadCredentials,
    BadReply,
    EndpointUnavailable,
    ProviderError,
    RequestRefused,
    TimedOut,
    Unreachable,
)
from arena.providers.network import Backend, Resolver, dial, is_own
from arena.providers.refusals import parse_retry_after, refusal
from arena.providers.striking import strike

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Generator, Mapping
    from typing import Self

    from arena.providers.egress import Address, Policy
    from arena.providers.network import Dial, Lookup

RAW_LIMIT: Final = 8 * 1024 * 1024
"""Most bytes of one answer, with everything the dialect wraps around its text."""
PIECE_LIMIT: Final = 200_000
"""Most pieces of one answer: a piece costs the same time whether it holds a token or a byte."""
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
_IDLE_SECONDS: Final = 3
"""Common servers hang up after five idle seconds, and a request sent at that moment would fail."""
_HEADERS: Final = {
    "Accept": "*/*",
    "Accept-Encoding": "identity",
    # What thousands of programs say: an endpoint should not be able to tell the arena from any other caller.
    "User-Agent": "python-httpx2",
    "Content-Type": "application/json",
}
_EXPIRED: Final = 10
_WRONG_NAME: Final = 62
"""OpenSSL's numbers of what is wrong with a certificate (X509_V_ERR_…)."""
# At DEBUG it logs the headers of answers, in which an endpoint may say the key back.
logging.getLogger("httpcore2").setLevel(logging.INFO)
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\s]+")
_HEADER_VALUE: Final = re.compile(r"[\x20-\x7e]*")


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Reply:
    """A 200 whose body is still to be read."""

    media_type: str
    _response: httpx2.Response = field(repr=False)
    _raw_limit: int
    _secret: str | None = field(repr=False)

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives.

        Raises:
            EndpointUnavailable: The connection was cut.
            BadReply: The body goes on beyond a limit; all up to it has been yielded.
        """
        room, number = self._raw_limit, 0
        async with aclosing(self._response.aiter_raw()) as raw:
            with _translated(self._secret, garbled="cut"):
                async for data in raw:
                    if (number := number + 1) > PIECE_LIMIT:
                        raise BadReply(f"the answer comes in more than {PIECE_LIMIT} pieces", fault="too_large")
                    if number % _TURN == 1:
                        # Pieces that have arrived together come without a wait, and nobody else's turn would come.
                        await asyncio.sleep(0)
                    yield data[:room]
                    room -= len(data)
                    if room < 0:
                        raise BadReply(f"the answer is longer than {self._raw_limit} bytes", fault="too_large")

    async def excerpt(self) -> str:
        """The beginning of the body, fit for the private log."""
        return await _excerpt(self._response, self._secret)


class Client:
    """Asks endpoints; open as long as the server runs."""

    def __init__(
        self,
        *,
        connect: float = 5,
        raw_limit: int = RAW_LIMIT,
        now: Callable[[], datetime] = _utc_now,
        policy: Policy = PUBLIC_ONLY,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """`connect` is in seconds; the other time limits are `deadlines.within`. `now` reads a `Retry-After` date.

        `policy` is what the operator has opened besides public HTTPS.
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
    ) -> AsyncGenerator[Reply, None]:
        """Send `body` as JSON and give the reply; leaving the block closes the connection unless all was read.

        Args:
            url: Full address.
            body: What `json` can write; half characters in it become question marks.
            headers: Those of the dialect, the key's among them.
            secret: The key, to be struck out of whatever the endpoint says.
            private: `Target.private`: the operator opened this very URL.

        Raises:
            ProviderError: The endpoint did not answer 200, or could not be asked at all.
        """
        response = await self._send(url, body, headers, secret, private=private)
        try:
            await self._check(response, secret)
            media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            yield Reply(media_type, response, self._raw_limit, secret)
        finally:
            with suppress(httpx2.HTTPError):
                await response.aclose()

    async def get(self, url: str, *, private: bool = False) -> bytes:
        """The beginning of a small file, as much of it as an error's body would be read; no key goes with this.

        Raises:
            ProviderError: It is not there, not plain, or not here in time.
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
            raise BadCredentials("the key holds characters that no header can carry")
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        with _translated(secret):
            method = "GET" if content is None else "POST"
            request = self._client.build_request(method, url, content=content, headers=dict(headers))
            request.extensions = {**request.extensions, _PRIVATE: private}
            if not 0 < (request.url.port or _LAST_PORT) <= _LAST_PORT:
                raise httpx2.InvalidURL(f"no such port: {request.url.port}")
            return await self._client.send(request, stream=True)

    async def _check(self, response: httpx2.Response, secret: str | None) -> None:
        """Raise unless this is a 200 that can be read raw."""
        encoded = not _is_plain(response)
        if response.status_code != _OK:
            words = "" if encoded else await _excerpt(response, secret)
            raise self._refusal(response, words)
        if encoded:
            raise BadReply("the answer is compressed although plain bytes were asked for", fault="compressed")

    def _refusal(self, response: httpx2.Response, words: str) -> ProviderError:
        wait = parse_retry_after(response.headers.get("Retry-After"), self._now())
        return refusal(response.status_code, words, retry_after=wait)


class Guarded(httpx2.AsyncBaseTransport):
    """The only way out: two pools, one to public addresses, one to what the operator opened.

    They share no connection, so that a request without leave never travels on one that was made with it.

    Args:
        policy: What the operator opened.
        lookup: Asks for the addresses of a name; the system's by default.
        connect: Connects a socket; a parameter so that a test can see what is dialled.
        verify: Decides about certificates; those the system trusts by default.
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
        return httpx2.Response(answer.status, headers=answer.headers, stream=_Body(answer))

    async def aclose(self) -> None:
        for pool in self._pools.values():
            with _mapped():
                await pool.aclose()
        self._resolver.close()


class _Body(httpx2.AsyncByteStream):
    """What is still to be read of an answer."""

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


@contextmanager
def _mapped() -> Generator[None, None, None]:
    """Errors of the pool as those of the client, which bear the same names."""
    try:
        yield
    except (
        httpcore2.TimeoutException,
        httpcore2.NetworkError,
        httpcore2.ProtocolError,
        httpcore2.UnsupportedProtocol,
    ) as error:
        raise getattr(httpx2, type(error).__name__)(str(error)) from error


def _is_plain(response: httpx2.Response) -> bool:
    return response.headers.get("Content-Encoding", "").strip().lower() in {"", "identity"}


@contextmanager
def _translated(secret: str | None, *, garbled: str = "no_http") -> Generator[None, None, None]:
    """Turn the client's errors into the provider's; `garbled` is the fault of what is no HTTP."""
    try:
        yield
    except httpx2.ConnectTimeout as error:
        raise TimedOut("connect") from error
    except httpx2.TimeoutException as error:
        raise TimedOut("request") from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise AddressRefused(f"this is no address to ask: {_fit(str(error), secret)}") from None
    except httpx2.LocalProtocolError as error:
        raise RequestRefused(f"the request cannot be sent: {_fit(str(error), secret)}") from None
    except httpx2.HTTPError as error:
        words = f"{type(error).__name__}: {_fit(str(error), secret)}"
        if isinstance(error, httpx2.ConnectError):
            raise _unconnected(error, words) from None
        raise EndpointUnavailable(words, fault=garbled if isinstance(error, httpx2.ProtocolError) else "cut") from None


def _unconnected(error: httpx2.ConnectError, words: str) -> EndpointUnavailable:
    """Nobody answered, or somebody whose TLS will not do."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLError):
        # The pool strikes causes out of what it raises again.
        cause = cause.__cause__ or cause.__context__
    if cause is None:
        return Unreachable(words)
    return EndpointUnavailable(words, fault=_tls_fault(cause))


def _tls_fault(error: ssl.SSLError) -> str:
    code = error.verify_code if isinstance(error, ssl.SSLCertVerificationError) else 0
    return {_WRONG_NAME: "tls_name", _EXPIRED: "tls_expired", 0: "tls"}.get(code, "tls_untrusted")


async def _excerpt(response: httpx2.Response, secret: str | None) -> str:
    """One line of the body for the private log."""
    return _fit((await _beginning(response)).decode("utf-8", "replace"), secret)


async def _beginning(response: httpx2.Response) -> bytes:
    """As much of the body as comes soon and fits; why a body cannot be read matters less than the status."""
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
    return _UNPRINTABLE.sub(" ", strike(words, secret)).strip()[:_MESSAGE_LIMIT]

"""The one HTTP client of a provider: answers of bounded size and time, no redirects, cookies or proxies."""

from __future__ import annotations

import asyncio
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Final, cast

import httpx2
from authlib.integrations.httpx_client import AsyncOAuth2Client

if TYPE_CHECKING:
    from collections.abc import AsyncIterable

    from arena.domain.sign_in import SignInProvider

ANSWER_LIMIT: Final = 1_000_000
"""Most bytes of an answer of a provider."""
ANSWER_SECONDS: Final = 10.0
"""Longest time for a whole answer, however slowly its parts come."""


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Reads each answer whole within `ANSWER_LIMIT` and `ANSWER_SECONDS`; refuses a compressed one, which could grow.

    Raises:
        httpx2.ReadError: The answer is larger, or compressed.
        httpx2.ReadTimeout: It takes longer.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._whole(request)
        except TimeoutError:
            raise httpx2.ReadTimeout(f"the answer takes longer than {ANSWER_SECONDS:.0f} s") from None

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _whole(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        try:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise httpx2.ReadError("the answer is compressed")
            body = bytearray()
            async for part in cast("AsyncIterable[bytes]", response.stream):
                body += part
                if len(body) > ANSWER_LIMIT:
                    raise httpx2.ReadError(f"the answer is larger than {ANSWER_LIMIT} bytes")
        finally:
            await response.aclose()
        return httpx2.Response(response.status_code, headers=response.headers, content=bytes(body))


def new_client(rules: SignInProvider, callback: str, transport: httpx2.AsyncBaseTransport | None) -> Any:  # noqa: ANN401 - Authlib gives no types
    """A client of a provider. Its TLS context takes a twentieth of a second of processor time."""
    secret = rules.client_secret.get_secret_value()
    return AsyncOAuth2Client(
        client_id=rules.client_id,
        client_secret=secret or None,
        token_endpoint_auth_method="client_secret_basic" if secret else "none",
        scope=rules.scope,
        redirect_uri=callback,
        code_challenge_method="S256",
        transport=BoundedTransport(transport or httpx2.AsyncHTTPTransport(trust_env=False)),
        timeout=ANSWER_SECONDS,
        trust_env=False,
        headers={"Accept-Encoding": "identity"},
        # A cookie of one person's sign-in must not reach another's.
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
    )

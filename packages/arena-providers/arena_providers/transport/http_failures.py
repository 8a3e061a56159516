"""Translation of httpx2's errors to `ProviderError`s, whose texts go to the private log without the key."""

from __future__ import annotations

import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import httpx2

from arena_providers.errors import (
    AddressRefused,
    EndpointUnavailable,
    ProviderError,
    RequestRefused,
    TimedOut,
    Unreachable,
)
from arena_providers.transport.connection import TooManyHeaders
from arena_providers.transport.redaction import one_line

if TYPE_CHECKING:
    from collections.abc import Generator

_EXPIRED: Final = 10
_WRONG_NAME: Final = 62
"""OpenSSL's codes of certificate errors (X509_V_ERR_…)."""


@contextmanager
def translated(secret: str | None) -> Generator[None, None, None]:
    """Convert errors of httpx2 to `ProviderError`s."""
    try:
        yield
    except (httpx2.InvalidURL, httpx2.HTTPError) as error:
        raise as_provider_error(error, secret) from None


def as_provider_error(error: Exception, secret: str | None, *, garbled: str = "no_http") -> ProviderError:
    """The `ProviderError` for an error of httpx2; `garbled` is the fault for invalid HTTP."""
    text = one_line(str(error), secret)
    match error:
        case httpx2.TimeoutException():
            return TimedOut("connect" if isinstance(error, httpx2.ConnectTimeout) else "request")
        case httpx2.InvalidURL() | httpx2.UnsupportedProtocol():
            return AddressRefused(f"invalid URL: {text}")
        case httpx2.LocalProtocolError():
            return RequestRefused(f"the request cannot be sent: {text}")
        case httpx2.ConnectError(__cause__=ssl.SSLError() as cause):
            return EndpointUnavailable(f"ConnectError: {text}", fault=_tls_fault(cause))
        case httpx2.ConnectError():
            return Unreachable(f"ConnectError: {text}")
        case _:
            fault = garbled if isinstance(error, httpx2.ProtocolError) else "cut"
            fault = "headers_too_large" if isinstance(error, TooManyHeaders) else fault
            return EndpointUnavailable(f"{type(error).__name__}: {text}", fault=fault)


def _tls_fault(error: ssl.SSLError) -> str:
    code = error.verify_code if isinstance(error, ssl.SSLCertVerificationError) else 0
    return {_WRONG_NAME: "tls_name", _EXPIRED: "tls_expired", 0: "tls"}.get(code, "tls_untrusted")

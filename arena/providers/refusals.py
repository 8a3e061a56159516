"""Which error an endpoint's refusal is: the HTTP status decides, words only tell a context that is too long."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from arena.providers.errors import (
    BadCredentials,
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    RequestRefused,
)

_UNAUTHORIZED: Final = (401, 403)
_REQUEST_TIMEOUT: Final = 408
_CONTENT_TOO_LARGE: Final = 413
_TOO_MANY: Final = 429
_MAY_BE_TOO_LONG: Final = (400, 422)
_TOO_LONG: Final = re.compile(
    r"context[ _-]{0,2}(length|size|window)"
    r"|(prompt|input|messages?)\b.{0,40}\btoo (long|large)"
    r"|maximum (model length|number of tokens)"
    r"|reduce the length"
    r"|range of input length"
    r"|max_new_tokens.{0,6} must be"
    r"|(输入|上下文|prompt).{0,12}(超长|过长|超过|超出)",
    re.IGNORECASE | re.DOTALL,
)
_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")


def refusal(status: int, words: str, *, retry_after: float | None = None) -> ProviderError:
    """The error for an HTTP status other than 200; `words` are what the endpoint said of it."""
    message = f"HTTP {status}: {words}" if words else f"HTTP {status}"
    if status in _UNAUTHORIZED:
        return BadCredentials(message)
    if status == _TOO_MANY:
        return RateLimitedUpstream(message, retry_after=retry_after)
    if status == _CONTENT_TOO_LARGE or (status in _MAY_BE_TOO_LONG and _TOO_LONG.search(words)):
        return ContextTooLong(message)
    return _by_hundreds(status)(message)


def _by_hundreds(status: int) -> type[ProviderError]:
    """5xx is a state of the endpoint, 4xx of the request; 2xx without an answer and 3xx are not the dialect."""
    if status >= 500 or status == _REQUEST_TIMEOUT:  # noqa: PLR2004 - the first server error
        return EndpointUnavailable
    return RequestRefused if status >= 400 else BadReply  # noqa: PLR2004 - the first client error


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait, from a `Retry-After` of seconds or an HTTP date (RFC 9110, 10.2.3); None if it says neither."""
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())

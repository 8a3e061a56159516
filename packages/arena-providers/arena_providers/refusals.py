"""Mapping of endpoints' failures to errors by HTTP status; the text only serves to detect a context that is too long.

An error object inside a stream follows a 200; it is mapped by its own status, or else by its type.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final, cast

from arena_providers.errors import (
    BadCredentials,
    BadReply,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    RequestRefused,
)
from arena_providers.transport.redaction import redact

_UNAUTHORIZED: Final = (401, 403)
_CONTENT_TOO_LARGE: Final = 413
_REDIRECTS: Final = range(300, 400)
_FAULTS: Final = {402: "no_credit", 404: "not_found", 405: "not_found", 410: "not_found"}
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
_STATUS_OF: Final = {
    "authentication_error": 401,
    "invalid_api_key": 401,
    "unauthenticated": 401,
    "permission_error": 403,
    "permission_denied": 403,
    "not_found_error": 404,
    "not_found": 404,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "resource_exhausted": 429,
    "context_length_exceeded": 413,
    "exceed_context_size_error": 413,
    "request_too_large": 413,
    "invalid_request_error": 400,
    "invalid_argument": 400,
    "invalid_prompt": 400,
    "content_filter": 400,
}
"""HTTP statuses by the type or code of an error object."""
_WORDS_LIMIT: Final = 500
_ERROR_STATUS: Final = re.compile(r"[45]\d\d", re.ASCII)
_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")


def refusal(status: int, words: str, *, retry_after: float | None = None) -> ProviderError:
    """The error for an HTTP status other than 200; `words` is the endpoint's message."""
    message = f"HTTP {status}: {words}" if words else f"HTTP {status}"
    if status in _UNAUTHORIZED:
        return BadCredentials(message)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimitedUpstream(message, retry_after=retry_after)
    if status == _CONTENT_TOO_LARGE or (status in _MAY_BE_TOO_LONG and _TOO_LONG.search(words)):
        return ContextTooLong(message)
    return _by_hundreds(status)(message, fault="redirect" if status in _REDIRECTS else _FAULTS.get(status))


def _by_hundreds(status: int) -> type[ProviderError]:
    """5xx is the endpoint's fault, 4xx the request's; 2xx without an answer and 3xx do not conform to the dialect."""
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.REQUEST_TIMEOUT:
        return EndpointUnavailable
    return RequestRefused if status >= HTTPStatus.BAD_REQUEST else BadReply


def error_in_stream(error: object, key: str | None) -> ProviderError:
    """The error for an error object after a 200; without a status or known type it is the endpoint's fault.

    Args:
        error: The error as sent, any JSON.
        key: The key to redact.
    """
    details = cast("dict[str, object]", error) if isinstance(error, dict) else {"message": error}
    words = " ".join(str(details[name]) for name in ("type", "code", "message") if details.get(name))
    words = redact(words, key)[:_WORDS_LIMIT]
    for name in ("code", "status", "type"):
        status = _status(details.get(name)) or _STATUS_OF.get(str(details.get(name)).lower())
        if status is not None:
            return refusal(status, words)
    return EndpointUnavailable(f"error in the stream: {words}")


def _status(value: object) -> int | None:
    return int(str(value)) if _ERROR_STATUS.fullmatch(str(value)) else None


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait, from a `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3); None if it is neither."""
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())

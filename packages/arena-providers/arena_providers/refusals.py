"""Mapping of endpoints' failures to errors by HTTP status; the text only serves to detect a context that is too long.

An error object inside a stream follows a 200; it is mapped by its own status, or else by its type.
"""

from __future__ import annotations

import html
import json
import re
from contextlib import suppress
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
from arena_providers.transport.redaction import one_line

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
_NO_CREDIT: Final = re.compile(
    r"insufficient[_ ](user[_ ])?(quota|balance|credit|funds)"
    r"|billing[_ ](hard[_ ]limit|not[_ ]active)|account[_ ]is[_ ]not[_ ]active"
    r"|credit balance is too low|arrearage|余额不足|欠费",
    re.IGNORECASE,
)
"""An empty account, which vendors report as 400, 403 or 429: a retry does not help."""
_MAY_LACK_CREDIT: Final = (400, 403, 429)
_STATUS_OF: Final = {
    "authenticationerror": 401,
    "invalidapikey": 401,
    "invalidkey": 401,
    "unauthenticated": 401,
    "unauthorized": 401,
    "permissionerror": 403,
    "permissiondenied": 403,
    "accessdenied": 403,
    "notfounderror": 404,
    "notfound": 404,
    "modelnotfound": 404,
    "ratelimiterror": 429,
    "ratelimitexceeded": 429,
    "throttling": 429,
    "insufficientquota": 429,
    "resourceexhausted": 429,
    "contextlengthexceeded": 413,
    "exceedcontextsizeerror": 413,
    "requesttoolarge": 413,
    "invalidrequesterror": 400,
    "invalidargument": 400,
    "invalidparameter": 400,
    "invalidprompt": 400,
    "contentfilter": 400,
    "datainspectionfailed": 400,
    "arrearage": 400,
}
"""HTTP statuses by the type or code of an error object, in lower case and letters only."""
_NO_LETTER: Final = re.compile(r"[^a-z]+")
WORDS_LIMIT: Final = 300
"""Most characters of a server's own sentence."""
_MESSAGE: Final = re.compile(r'"(?:message|detail|error)"\s*:\s*"((?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*)')
"""The sentence in the JSON of most servers' errors, perhaps cut; the whole JSON is quoted where there is none."""
_PAGE: Final = re.compile(r"\s*<(?:!doctype|html)\b", re.IGNORECASE)
_MARKUP: Final = re.compile(r"<(script|style|title)\b.*?(?:</\1>|\Z)|<[^>]*(?:>|\Z)", re.IGNORECASE | re.DOTALL)
"""Markup in the page of a proxy or a web server, perhaps cut, and its title, which only repeats the page."""
_SENTENCES: Final = ("message", "msg", "error_msg", "error_message", "errorMessage", "text")
"""Fields of an error with its sentence."""
_STATUSES: Final = ("status", "status_code", "statusCode")
_CONTAINERS: Final = ("errors", "detail", "exception", "error_message", "errorMessage", "error_msg")
"""Fields that are an error by themselves in an object that has no structure of a dialect."""
_BLANK: Final[tuple[object, ...]] = ("", {}, [])
"""Errors without a word, such as the text of a Python exception that has none."""
_BARE: Final = frozenset({"error", "code", "type", *_STATUSES})
"""Fields of an object that is nothing but an error."""
_SUCCESSES: Final = frozenset({"0", "200", "201", "202", "ok", "success", "true"})
_ERROR_STATUS: Final = re.compile(r"[45]\d\d", re.ASCII)
_SECONDS: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")


def refusal(status: int, text: str, *, retry_after: float | None = None) -> ProviderError:
    """The error for an HTTP status other than 200; `text` is the endpoint's, in one line without the key."""
    message, words = f"HTTP {status}: {text}" if text else f"HTTP {status}", quotation(text)
    if status in _MAY_LACK_CREDIT and _NO_CREDIT.search(text):
        return RequestRefused(message, fault="no_credit", words=words)
    if status in _UNAUTHORIZED:
        return BadCredentials(message, words=words)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimitedUpstream(message, retry_after=retry_after, words=words)
    if status == _CONTENT_TOO_LARGE or (status in _MAY_BE_TOO_LONG and _TOO_LONG.search(text)):
        return ContextTooLong(message, words=words)
    fault = "redirect" if status in _REDIRECTS else _FAULTS.get(status)
    return _by_hundreds(status)(message, fault=fault, words=words)


def quotation(text: str) -> str:
    """The server's own sentence in the text of an error, or the text if it has none; at most `WORDS_LIMIT` long.

    Of a page in HTML, which proxies and web servers send, it is what a reader sees.
    """
    if _PAGE.match(text):
        text = html.unescape(_MARKUP.sub(" ", text)).strip() or text
    elif match := _MESSAGE.search(text):
        with suppress(ValueError):
            text = str(json.loads(f'"{match[1]}"')).strip() or text
    return one_line(text, None)[:WORDS_LIMIT]


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
    message = next((details[name] for name in _SENTENCES if details.get(name)), "")
    text = one_line(" ".join(str(value) for value in (details.get("type"), details.get("code"), message) if value), key)
    words = one_line(str(message or text), key)[:WORDS_LIMIT]
    for name in ("code", *_STATUSES, "type"):
        if (status := _status(details.get(name))) is not None:
            failure = refusal(status, text)
            failure.words = words
            return failure
    return EndpointUnavailable(f"error in the stream: {text}", words=words)


def error_object(body: dict[str, object], *, formed: bool = False) -> object:
    """The error in the JSON object of a response with status 200 or of one of its events, or None.

    It is below `error`, or else the object itself says so. `formed` means that the object has the dialect's own
    structure, in which other fields than `error` state no error.
    """
    if error := body.get("error"):
        return error
    if formed:
        return None
    is_blank = body.get("error") in _BLANK and body.keys() <= _BARE
    return body if is_blank else _foreign_error(body)


def _foreign_error(body: dict[str, object]) -> object:
    """The error in an object of no dialect, as web frameworks, gateways and other vendors write it, or None."""
    for name in _CONTAINERS:
        if error := body.get(name):
            return cast("list[object]", error)[0] if isinstance(error, list) else error
    has_sentence = any(isinstance(body.get(name), str) and body[name] for name in _SENTENCES)
    is_error = (
        body.get("object") == "error"
        or any(_is_failure(body.get(name)) for name in ("error_code", "errorCode"))
        or any(_status(body.get(name)) is not None for name in _STATUSES)
        or _is_failure(body.get("code"))
    )
    return body if has_sentence and is_error else None


def _is_failure(code: object) -> bool:
    """Whether a code is stated and none of success."""
    return bool(code) and str(code).lower() not in _SUCCESSES


def _status(value: object) -> int | None:
    """The HTTP status that a code or type is or stands for, such as that of `InvalidApiKey`."""
    text = str(value)
    return int(text) if _ERROR_STATUS.fullmatch(text) else _STATUS_OF.get(_NO_LETTER.sub("", text.lower()))


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

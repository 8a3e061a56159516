"""Guard in front of the routes, as pure ASGI: security headers, paths, request size, JSON, origins, and HEAD."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from arena.api.http.problems import Passing, problem
from arena.api.http.protocol import HEAD_LIMIT, OPERATED_FILES, UPLOADS, VOTE_FILES
from arena.api.http.spool import FILE_BYTES
from arena.domain.errors import (
    ArenaError,
    CrossOrigin,
    FileTooLarge,
    HeadersTooLarge,
    ImageTooLarge,
    Invalid,
    NotFound,
    TooDeep,
    TooLarge,
)
from arena.domain.http_documents import CLOSED, POLICY, SECURITY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
COOKIE_LIMIT: Final = 4_096
"""Maximum bytes of cookies; the arena's take 120, and the standard library parses quoted ones in quadratic time."""
HEADER_COUNT: Final = 100
IMAGE_BYTES: Final = 8 * 2**20
DEPTH: Final = 20
"""Levels of nested JSON; valid requests have three."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""Control characters, which no path of the arena has; PostgreSQL stores no zero byte."""
_API: Final = "/api/"
_NO_STORE: Final = (b"cache-control", b"no-store")
_ZERO: Final = re.compile(rb"%00|\0")
"""A zero byte in a query."""
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in (*SECURITY, (POLICY, CLOSED))]
# Linear for any input: quantifiers are possessive, and a string without an end runs to the last byte.
_STRINGS: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS: Final = re.compile(rb"[\[\]{}]")
_STORABLE: Final = re.compile(
    rb"(?:[^\\]++"
    rb"|\\(?:[^u]"
    rb"|u(?!0000|[dD][89a-fA-F])"
    rb"|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}))*+",
    re.DOTALL,
)
"""JSON without NUL and without halves of surrogate pairs, where an escape may write them; linear for any input."""


class Guard:
    """Refuses changes from other origins, oversized heads and bodies, unsafe JSON, and text that no database takes.

    JSON is unsafe if it is nested too deep or not UTF-8. PostgreSQL stores no NUL, and no database half of a surrogate
    pair: paths, queries and JSON are free of both behind here. HEAD is answered like GET, without the body.
    """

    def __init__(self, app: ASGIApp, body_limit: int, image_limit: int = IMAGE_BYTES) -> None:
        self.app = app
        self.body_limit = body_limit
        self.image_limit = image_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        head = scope["method"] == "HEAD"
        path = scope["path"]
        respond = _secure(send, head=head, is_api=path.startswith(_API))
        limit, too_large = self._limit(path)
        if error := _refusal(scope, limit, too_large):
            await problem(error)(scope, receive, respond)
            return
        read = _limited(receive, limit, too_large, is_json=path != UPLOADS and path not in VOTE_FILES)
        await self.app({**scope, "method": "GET"} if head else scope, read, respond)

    def _limit(self, path: str) -> tuple[int, TooLarge]:
        """Maximum size of a body in bytes for a path, and the error of a longer one."""
        if path == UPLOADS:
            return self.image_limit, ImageTooLarge(limit=self.image_limit // 2**20)
        if path in VOTE_FILES:
            return FILE_BYTES, FileTooLarge(limit=FILE_BYTES // 2**20)
        sizes = (size for start, size in OPERATED_FILES.items() if path.startswith(start))
        return max(self.body_limit, *sizes, 0), TooLarge()


def _refusal(scope: Scope, limit: int, too_large: TooLarge) -> ArenaError | None:
    """The error of a request that is refused by its head alone."""
    headers = Headers(scope=scope)
    if _CONTROL.search(scope["path"]):
        return NotFound()
    if scope["method"] not in SAFE and not same_origin(headers, scope["scheme"]):
        return CrossOrigin()
    if _has_oversized_head(scope):
        return HeadersTooLarge()
    if _ZERO.search(scope["query_string"]):
        return Invalid(rule="characters")
    return too_large if _declares_more(headers.get("content-length", ""), limit) else None


def _declares_more(length: str, limit: int) -> bool:
    """Whether a Content-Length is a number above a limit; it may have thousands of zeros, which `int` does not take."""
    digits = length.lstrip("0")
    is_number = digits.isascii() and digits.isdigit()
    return is_number and (len(digits) > len(str(limit)) or int(digits) > limit)


def _secure(send: Send, *, head: bool, is_api: bool) -> Send:
    """Add security headers to responses; to HEAD, send the headers alone, and end a stream after them.

    No cache keeps an answer of the API that does not say how it may be kept, since it may be one voter's own.
    """

    async def respond(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in message["headers"]}
            if POLICY.encode() not in names:  # a page brings all of its own
                message["headers"] = [*message["headers"], *_HEADERS]
            if is_api and b"cache-control" not in names:
                message["headers"] = [*message["headers"], _NO_STORE]
            await send(message)
            if head:
                # From here on receive() reports a disconnect, which ends every stream.
                await send({"type": "http.response.body", "body": b""})
        elif not head:
            await send(message)

    return respond


def _limited(receive: Receive, limit: int, too_large: TooLarge, *, is_json: bool) -> Receive:
    """Receive at most `limit` bytes of a body, and check JSON once it is complete."""
    pieces: list[bytes] = []
    size = 0

    async def read() -> Message:
        nonlocal size
        message = await receive()
        if piece := message.get("body", b""):
            size += len(piece)
            if is_json:
                pieces.append(piece)
        if size > limit:
            raise Passing(too_large)
        if pieces and not message.get("more_body", False):
            _check(b"".join(pieces))
            pieces.clear()
        return message

    return read


def _check(body: bytes) -> None:
    if not is_utf8(body):
        raise Passing(Invalid(rule="utf8"))
    if is_deeper(body, DEPTH):
        raise Passing(TooDeep())
    if not is_storable(body):
        raise Passing(Invalid(rule="characters"))


def is_utf8(body: bytes) -> bool:
    """Whether a body is UTF-8, the only encoding of JSON; parsers would guess others from zero bytes."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in body


def is_storable(body: bytes) -> bool:
    """Whether every text of JSON can be stored: without NUL and halves of surrogate pairs; undefined for invalid JSON.

    It answers for texts that are written as escapes; as bytes, neither is UTF-8 without a zero byte.
    """
    return b"\\u" not in body or _STORABLE.fullmatch(body) is not None


def is_deeper(body: bytes, limit: int) -> bool:
    """Whether JSON is nested more than `limit` levels deep, without recursion; undefined for invalid JSON."""
    if body.count(b"[") + body.count(b"{") <= limit:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", body)):
        depth += 1 if bracket in b"[{" else -1
        if depth > limit:
            return True
    return False


def same_origin(headers: Mapping[str, str], scheme: str) -> bool:
    """Whether a request comes from the arena's own pages or from a program.

    Browsers send `Sec-Fetch-Site` and `Origin`; programs that send neither have no person's cookies to abuse. A form of
    a page without a referrer has the origin `null`, whosever page it is.
    """
    site = headers.get("sec-fetch-site", "none")
    if site not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    if origin == "null":
        return site == "same-origin"
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    # Behind a TLS proxy `scheme` is http while the page's is https; a plain page must not act for a secure arena.
    return parts.netloc == headers.get("host") and parts.scheme in {scheme, "https"}


def _has_oversized_head(scope: Scope) -> bool:
    headers = scope["headers"]
    size = sum(map(len, chain.from_iterable(headers)), len(scope["path"]) + len(scope["query_string"]))
    if len(headers) > HEADER_COUNT or size > HEAD_LIMIT:
        return True
    return size > COOKIE_LIMIT and sum(len(value) for name, value in headers if name == b"cookie") > COOKIE_LIMIT

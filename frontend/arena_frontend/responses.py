"""Complete responses of the site: bytes compressed once, with all security headers."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import brotli  # pyright: ignore[reportMissingTypeStubs]

from arena.domain.http_documents import ANYWHERE, CLOSED, FRAMING, PART_SECURITY, POLICY, SECURITY, Document

_PACKED: Final = ("text/", "application/json", "image/svg")
_PARTS: Final = ("text/javascript", "text/css", "font/")
"""Types of the parts of a page, which are never documents."""
_REFUSALS: Final = {404: b"Not found", 405: b"Method not allowed", 503: b"Not ready"}
_WORTH: Final = 1024
"""Bytes from which on a body is compressed."""
_QUALITY: Final = 8
"""Of brotli: the next one is seven times as slow and saves three in a thousand."""
_MAX_SMALL_BYTES: Final = 131_072
_WINDOWS: Final = 16, 22
"""Of brotli, as powers of two, for small bodies and for others: from 17 on each compression takes 16 MB, which stay
with the process, and saves half a percent of a small body."""
Pairs = list[tuple[str, str]]
SendMessage = Callable[[MutableMapping[str, object]], Awaitable[None]]


@dataclass(frozen=True)
class StaticResponse:
    """A document with its headers, built once for all requests."""

    status: int
    document: Document
    headers: Pairs

    @classmethod
    def make(
        cls, body: bytes, content_type: str, cache: str, extra: Pairs | None = None, status: int = 200
    ) -> StaticResponse:
        """Compress a body once for all requests."""
        etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        bodies = _compress(body) if content_type.startswith(_PACKED) else {"": body}
        headers = [("content-type", content_type), ("cache-control", cache), *(extra or [])]
        return cls(status, Document(bodies, etag), _complete(headers))

    @classmethod
    def text(cls, words: str) -> StaticResponse:
        return cls.make(words.encode(), "text/plain; charset=utf-8", "public, max-age=3600")

    @classmethod
    def refusal(cls, status: int, extra: Pairs | None = None) -> StaticResponse:
        """Build a response with only a status."""
        headers = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"), *(extra or [])]
        return cls(status, Document({"": _REFUSALS[status]}), _complete(headers))

    async def send(self, send: SendMessage, method: str, request: dict[str, str], extra: Pairs) -> None:
        """Respond in the best accepted content coding, or with a 304 if the client has these bytes."""
        status, body, headers = 304, b"", [*self._raw, *_encode(extra)]
        coding = self.document.coding(request.get("accept-encoding", ""))
        headers += [(b"etag", self.document.tag(coding).encode())] if self.document.etag else []
        if not self.document.is_unchanged(request.get("if-none-match"), coding):
            status, body = self.status, self.document.bodies[coding]
            headers += [(b"content-encoding", coding.encode())] if coding else []
            headers.append((b"content-length", b"%d" % len(body)))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if method == "HEAD" else body})

    @cached_property
    def _raw(self) -> list[tuple[bytes, bytes]]:
        return _encode(self.headers)


def _compress(body: bytes) -> dict[str, bytes]:
    """The bodies of a file that rarely changes, in the codings that make it as small as can be."""
    if len(body) < _WORTH:
        return {"": body}
    window = _WINDOWS[len(body) > _MAX_SMALL_BYTES]
    br: bytes = brotli.compress(body, quality=_QUALITY, lgwin=window)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return {"": body, "br": br, "gzip": gzip.compress(body, 9, mtime=0)}


def _encode(headers: Pairs) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _complete(headers: Pairs) -> Pairs:
    fields = dict(headers)
    policy = fields.get(POLICY, CLOSED)
    pairs: Pairs = [*(PART_SECURITY if fields["content-type"].startswith(_PARTS) else SECURITY), (POLICY, policy)]
    more = [pair for pair in pairs if pair[0] not in fields and not (pair[0] == FRAMING and ANYWHERE in policy)]
    vary = ", ".join([*(value for name, value in headers if name == "vary"), "Accept-Encoding"])
    return [*(pair for pair in headers if pair[0] != "vary"), ("vary", vary), *more]

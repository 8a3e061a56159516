"""A complete response of the gate: bytes compressed once, with all security headers."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import brotli  # pyright: ignore[reportMissingTypeStubs]

SECURITY: Final = (
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
)
"""On every answer."""
DOCUMENT: Final = (
    ("cross-origin-opener-policy", "same-origin"),
    ("x-frame-options", "DENY"),
    ("x-dns-prefetch-control", "off"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"),
)
"""On whatever a browser could show as a document. DNS prefetch is off because a link in an answer could otherwise call
home by its host name. A page loads eighty scripts and style sheets, where these would be 15 KB of nothing."""
CLOSED: Final = "default-src 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of everything that is no page."""

_WORTH = 1024
_QUALITY = 8
"""Of brotli: the next one is seven times as slow and saves three in a thousand."""
_SMALL = 131_072
_WINDOWS = 16, 22
"""Of brotli, as powers of two, for small bodies and for others: from 17 on each compression takes 16 MB, which stay
with the process, and saves half a percent of a small body."""
_PACKED = ("text/", "application/json", "image/svg")
_PARTS = ("text/javascript", "text/css", "font/")
"""Types of the parts of a page, which are never documents."""
Pairs = list[tuple[str, str]]
SendMessage = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass(frozen=True)
class Reply:
    """Bodies by content coding ("" means uncompressed) with their headers."""

    status: int
    bodies: dict[str, bytes]
    headers: Pairs
    etag: str = field(default="")

    @classmethod
    def make(cls, body: bytes, content_type: str, cache: str, extra: Pairs | None = None, status: int = 200) -> Reply:
        """Compress a body once for all requests."""
        bodies = {"": body}
        if len(body) >= _WORTH and content_type.startswith(_PACKED):
            bodies |= {"br": _brotli(body), "gzip": gzip.compress(body, 9, mtime=0)}
        etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = [("content-type", content_type), ("cache-control", cache), ("etag", etag), *(extra or [])]
        return cls(status, bodies, _complete(headers), etag)

    @classmethod
    def text(cls, words: str) -> Reply:
        return cls.make(words.encode(), "text/plain; charset=utf-8", "public, max-age=3600")

    @classmethod
    def refusal(cls, status: int, extra: Pairs | None = None) -> Reply:
        """Build a response with only a status."""
        body = {404: b"Not found", 405: b"Method not allowed", 503: b"Not ready"}[status]
        headers = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"), *(extra or [])]
        return cls(status, {"": body}, _complete(headers))

    async def send(self, send: SendMessage, method: str, asked: dict[str, str], extra: Pairs) -> None:
        """Respond in the best accepted content coding, or with a 304 if the client has these bytes."""
        coding = self._coding(asked.get("accept-encoding", ""))
        unchanged = bool(self.etag) and self.etag in asked.get("if-none-match", "")
        body = b"" if unchanged else self.bodies[coding]
        raw = [*self._raw, *_encoded(extra)]
        if coding and not unchanged:
            raw.append((b"content-encoding", coding.encode()))
        if not unchanged:
            raw.append((b"content-length", b"%d" % len(body)))
        await send({"type": "http.response.start", "status": 304 if unchanged else self.status, "headers": raw})
        await send({"type": "http.response.body", "body": b"" if method == "HEAD" else body})

    @cached_property
    def _raw(self) -> list[tuple[bytes, bytes]]:
        return _encoded(self.headers)

    def _coding(self, accept: str) -> str:
        offered = {
            part.partition(";")[0].strip() for part in accept.split(",") if "q=0" not in part.replace(" ", "")[-4:]
        }
        return next((coding for coding in ("br", "gzip") if coding in offered and coding in self.bodies), "")


def _encoded(headers: Pairs) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]


def _complete(headers: Pairs) -> Pairs:
    given = dict(headers)
    more: Pairs = [*SECURITY] if given["content-type"].startswith(_PARTS) else [*SECURITY, *DOCUMENT]
    if "content-security-policy" not in given:
        more.append(("content-security-policy", CLOSED))
    vary = ", ".join([*(value for name, value in headers if name == "vary"), "Accept-Encoding"])
    return [*(pair for pair in headers if pair[0] != "vary"), ("vary", vary), *more]


def _brotli(body: bytes) -> bytes:
    window = _WINDOWS[len(body) > _SMALL]
    return brotli.compress(body, quality=_QUALITY, lgwin=window)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

"""HTTP documents of pages and API: security headers, content negotiation and ETags."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

FRAMING: Final = "x-frame-options"
ANYWHERE: Final = "frame-ancestors *"
"""Words of a policy that allows every site to frame the page; older browsers read the header `FRAMING` instead."""
PART_SECURITY: Final = (
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
)
"""Headers of every response."""
SECURITY: Final = (
    *PART_SECURITY,
    ("cross-origin-opener-policy", "same-origin"),
    (FRAMING, "DENY"),
    ("x-dns-prefetch-control", "off"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"),
)
"""Headers of responses that a browser could show as a document. DNS prefetch is off because it would disclose a reader
to the host of a link in an answer. Scripts and style sheets, eighty a page, do without: here they would add 15 KB."""
FRAMES: Final = "/frames/"
"""Prefix of the paths of web pages by models."""
PARTS: Final = {f"/api/v1/{name}/part": name for name in ("owners", "operator")}
"""Paths at which the front end renders parts of a page for people who have signed in, with the name of the page. They
are below the API's paths because cookies of a role are sent to those only."""
POLICY: Final = "content-security-policy"
CLOSED: Final = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""The Content-Security-Policy of responses that are not pages."""


_REFUSAL: Final = re.compile(r"\s*q=0(\.0{0,3})?\s*", re.IGNORECASE)
"""The weight of a coding that a client does not accept (RFC 9110, 12.4.2)."""


@dataclass(frozen=True, slots=True)
class Document:
    """Bodies by content coding, compressed once for all requests; "" is the uncompressed one.

    `etag` has quotes; the bodies of other codings have ETags of their own (RFC 9110, 8.8.3.3).
    """

    bodies: dict[str, bytes]
    etag: str = ""

    def tag(self, coding: str) -> str:
        """The ETag of the body in a coding."""
        return f'{self.etag[:-1]}-{coding}"' if coding and self.etag else self.etag

    def is_unchanged(self, if_none_match: str | None, coding: str = "") -> bool:
        """Whether the header `If-None-Match` has the ETag of the body in this coding, strong or weak, or is `*`."""
        return bool(self.etag) and bool(
            {self.tag(coding), "*"} & {tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")}
        )

    def coding(self, accept_encoding: str) -> str:
        """The best available coding that the header `Accept-Encoding` allows."""
        parts = [part.partition(";") for part in accept_encoding.split(",")]
        offers = {name.strip().lower() for name, _, weight in parts if not _REFUSAL.fullmatch(weight)}
        return next((coding for coding in ("br", "gzip") if coding in offers and coding in self.bodies), "")

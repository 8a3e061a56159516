"""HTTP documents, as pages and API serve them: security headers, content negotiation and ETags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FRAMING: Final = "x-frame-options"
ANYWHERE: Final = "frame-ancestors *"
"""A policy with these words lets every site have the page in a frame, which older browsers ask `FRAMING` for."""
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
"""Headers of whatever a browser could show as a document. DNS prefetch is off because a link in an answer could
otherwise call home by its host name. A page loads eighty scripts and style sheets, where these would be 15 KB of
nothing."""
FRAMES: Final = "/frames/"
"""Beginning of the paths of pages that models have made."""
PARTS: Final = {f"/api/v1/{name}/part": name for name in ("owners", "operator")}
"""Of each path the page whose parts the front end renders there for whoever has signed in. They are below the API's
paths because cookies of a role go to no others."""
POLICY: Final = "content-security-policy"
CLOSED: Final = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""The Content-Security-Policy of everything that is no page."""


@dataclass(frozen=True, slots=True)
class Document:
    """A body by content coding, compressed once for all requests; "" is uncompressed. The ETag has its quotes."""

    bodies: dict[str, bytes]
    etag: str = ""

    def is_unchanged(self, if_none_match: str | None) -> bool:
        """Whether a client that sends this header has the body, by a strong or a weak ETag."""
        return bool(self.etag) and self.etag in {
            tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")
        }

    def coding(self, accept_encoding: str) -> str:
        """The best of the codings that a client accepts."""
        offers = {
            part.partition(";")[0].strip()
            for part in accept_encoding.split(",")
            if "q=0" not in part.replace(" ", "")[-4:]
        }
        return next((coding for coding in ("br", "gzip") if coding in offers and coding in self.bodies), "")

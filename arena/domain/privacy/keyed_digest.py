"""Keyed digests: what a person or place is called where nobody may find out who or where it is."""

from __future__ import annotations

import hmac
from functools import lru_cache


def keyed_digest(secret: bytes, text: str) -> str:
    """HMAC-SHA-256 (RFC 2104) in 64 hexadecimal digits."""
    return hmac.digest(secret, text.encode(), "sha256").hex()


remembered_digest = lru_cache(8_192)(keyed_digest)
"""The same for texts that come back: a voter sends one cookie with each of a dozen requests for one vote."""

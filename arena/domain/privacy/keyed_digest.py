"""Keyed digests, which identify a person or a place without disclosing either."""

from __future__ import annotations

import hmac
from functools import lru_cache


def keyed_digest(secret: bytes, text: str) -> str:
    """HMAC-SHA-256 (RFC 2104) in 64 hexadecimal digits."""
    return hmac.digest(secret, text.encode(), "sha256").hex()


remembered_digest = lru_cache(8_192)(keyed_digest)
"""`keyed_digest` with a cache, for texts that recur: a dozen requests of a voter for one vote send the same cookie."""

"""Signatures of webhooks, as the public specification Standard Webhooks 1.0 has them. Pure.

Source: standardwebhooks.com, "Signature scheme": HMAC-SHA-256 over id, time and body, with a secret in base64.
"""

from __future__ import annotations

import base64
import hmac
from typing import Final

PREFIX: Final = "whsec_"


def signed_headers(secret: str, number: int, seconds: int, body: bytes) -> dict[str, str]:
    """Return the headers of an event by its number, sent at a time (seconds since 1970)."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    digest = hmac.digest(key, f"{number}.{seconds}.".encode() + body, "sha256")
    return {
        "Webhook-Id": str(number),
        "Webhook-Timestamp": str(seconds),
        "Webhook-Signature": f"v1,{base64.b64encode(digest).decode()}",
    }

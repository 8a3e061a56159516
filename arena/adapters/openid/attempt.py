"""A sign-in under way. Apart from the provider, since only an arena where somebody signs in needs Authlib."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Final

ATTEMPT_SECONDS: Final = 600
"""Seconds within which a sign-in has to return from the provider."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in that has begun: values that the provider's answer must match, and `to`, the path to return to."""

    provider: str
    to: str
    levels: tuple[str, ...] = ()
    """Required levels of authentication (`acr_values`)."""
    state: str = field(default_factory=secrets.token_urlsafe)
    nonce: str = field(default_factory=secrets.token_urlsafe)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

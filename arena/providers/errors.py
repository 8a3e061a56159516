"""What can go wrong while an endpoint answers. Private: the public sees one neutral text for all of them.

ProviderError
├── BadCredentials      401, 403
├── RateLimitedUpstream 429; carries retry_after in seconds when the endpoint said so
├── TimedOut            connect, first token, between tokens or in all; `phase` says which
├── EndpointUnavailable 5xx, connection cut
│   └── Unreachable     nobody answers there
│       └── AddressRefused  nothing was sent: it is no address, or not a public one that somebody opened
├── RequestRefused      another 4xx, or a content filter before the first token
├── ContextTooLong      the conversation does not fit
├── BadReply            not the dialect, no end marker, no text at all
└── UnknownDialect      nobody here speaks the endpoint's dialect
"""

from __future__ import annotations

from typing import ClassVar


class ProviderError(Exception):
    """Root; `kind` is the stable word that is stored and logged.

    `fault` says more closely what its owner would have to mend, where that is known.
    """

    kind: ClassVar[str] = "provider_error"

    def __init__(self, message: str, *, fault: str | None = None) -> None:
        super().__init__(message)
        self.fault = fault


class BadCredentials(ProviderError):
    kind = "bad_credentials"


class RateLimitedUpstream(ProviderError):
    kind = "rate_limited"

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TimedOut(ProviderError):
    kind = "timed_out"

    def __init__(self, phase: str) -> None:
        super().__init__(f"timed out: {phase}")
        self.phase = phase


class EndpointUnavailable(ProviderError):
    kind = "unavailable"


class Unreachable(EndpointUnavailable):
    """Why nobody answers stays in the private log, or the arena could be used to scan ports."""

    kind = "unreachable"


class AddressRefused(Unreachable):
    """To its owner it looks like any other unreachable endpoint."""


class RequestRefused(ProviderError):
    kind = "refused"


class ContextTooLong(ProviderError):
    kind = "context_too_long"


class BadReply(ProviderError):
    kind = "bad_reply"


class UnknownDialect(ProviderError, KeyError):
    """A KeyError too, because it is what a mapping of providers raises."""

    kind = "unknown_dialect"
    __str__ = Exception.__str__

    def __init__(self, dialect: str) -> None:
        super().__init__(f"no provider speaks {dialect!r}")

"""The verdict on a failed call: whether it counts against the endpoint, and whether a retry may help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.breaker import CallVerdict
from arena.adapters.providers.errors import (
    AddressRefused,
    BadCredentials,
    ContextTooLong,
    EndpointUnavailable,
    ProviderError,
    RateLimitedUpstream,
    RequestRefused,
    TimedOut,
    UnknownDialect,
)

if TYPE_CHECKING:
    from arena.adapters.breaker import Call


def tell(call: Call, error: Exception) -> None:
    """Report a failed call to the endpoint's circuit breaker."""
    call.report(_verdict(error), rest=error.retry_after if isinstance(error, RateLimitedUpstream) else None)


def is_transient(error: Exception) -> bool:
    """Whether an immediate retry may succeed; after a Retry-After it may not."""
    if isinstance(error, TimedOut):
        return error.phase == "connect"
    return isinstance(error, EndpointUnavailable) and not isinstance(error, AddressRefused)


def _verdict(error: Exception) -> CallVerdict:
    """Refused or too long conversations and errors of the arena do not count against the endpoint."""
    match error:
        case BadCredentials() | UnknownDialect():
            return CallVerdict.HOPELESS
        case RequestRefused() | ContextTooLong():
            return CallVerdict.NOTHING
        case ProviderError():
            return CallVerdict.FAULT
        case _:
            return CallVerdict.NOTHING

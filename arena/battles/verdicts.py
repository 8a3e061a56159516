"""Whose fault a failed call was, and whether another try may help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.health import Verdict
from arena.providers.errors import (
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
    from arena.health import Call


def tell(call: Call, error: Exception) -> None:
    """Let the endpoint's health know how a call failed."""
    call.report(_verdict(error), rest=error.retry_after if isinstance(error, RateLimitedUpstream) else None)


def passing(error: Exception) -> bool:
    """Whether the same call may well succeed a moment later; one that was told to wait may not."""
    if isinstance(error, TimedOut):
        return error.phase == "connect"
    return isinstance(error, EndpointUnavailable) and not isinstance(error, AddressRefused)


def _verdict(error: Exception) -> Verdict:
    """A conversation that is refused or too long speaks of itself, an error of ours of nobody else."""
    match error:
        case BadCredentials() | UnknownDialect():
            return Verdict.HOPELESS
        case RequestRefused() | ContextTooLong():
            return Verdict.NOTHING
        case ProviderError():
            return Verdict.FAULT
        case _:
            return Verdict.NOTHING

"""Errors of calls to endpoints, for the private log: the public sees one neutral text for all of them.

ProviderError
├── BadCredentials      401, 403
├── RateLimitedUpstream 429; carries retry_after in seconds when the endpoint said so
├── TimedOut            connect, first token, between tokens or total; `phase` says which
├── EndpointUnavailable 5xx, connection cut
│   └── Unreachable     no connection
│       └── AddressRefused  nothing was sent: an invalid address, or one the egress policy forbids
├── RequestRefused      another 4xx, or a content filter before the first token
├── ContextTooLong      the conversation does not fit
├── BadReply            not the dialect, no end marker, no text at all
│   └── UnknownFinish   ended for a reason that no table has; carries its `word`
└── UnknownDialect      no provider for the endpoint's dialect
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena_providers.marks.grammar import AnswerMark

NOT_ALLOWED: Final = "address_not_allowed"
_WORD_LENGTH: Final = 24
"""Most characters of a finish reason that are stored."""
_NOT_IN_WORD: Final = re.compile(r"[^\x21-\x39\x3b-\x7e]")


class ProviderError(Exception):
    """Base class; `kind` is the stable code that is stored and logged.

    `fault` is a more specific code for what the owner has to fix, if known. `words` is the server's own sentence in one
    printable line without the key, for the owner of the key only. `marks` are those of an answer that failed.
    """

    kind: str = "provider_error"

    def __init__(self, message: str, *, fault: str | None = None, words: str = "") -> None:
        super().__init__(message)
        self.fault = fault
        self.words = words
        self.marks: tuple[AnswerMark, ...] = ()


class BadCredentials(ProviderError):
    kind = "bad_credentials"


class RateLimitedUpstream(ProviderError):
    kind = "rate_limited"

    def __init__(self, message: str, *, retry_after: float | None = None, words: str = "") -> None:
        super().__init__(message, words=words)
        self.retry_after = retry_after


class TimedOut(ProviderError):
    kind = "timed_out"

    def __init__(self, phase: str) -> None:
        super().__init__(f"timed out: {phase}")
        self.phase = phase


class EndpointUnavailable(ProviderError):
    kind = "unavailable"


class Unreachable(EndpointUnavailable):
    """The cause stays in the private log; otherwise strangers could scan ports through this server."""

    kind = "unreachable"


class AddressRefused(Unreachable):
    """Indistinguishable to its owner from any other unreachable endpoint.

    The fault `NOT_ALLOWED`, which operators see, follows from the URL and the settings alone, without name resolution.
    """


class RequestRefused(ProviderError):
    kind = "refused"


class ContextTooLong(ProviderError):
    kind = "context_too_long"


class BadReply(ProviderError):
    kind = "bad_reply"


class UnknownFinish(BadReply):
    """The answer ended for a reason of which it is not known whether the answer is whole.

    `kind` has the form `unknown_finish:WORD`, with at most 39 characters.
    """

    kind = "unknown_finish"

    def __init__(self, reason: str) -> None:
        self.word = _NOT_IN_WORD.sub("_", reason.strip())[:_WORD_LENGTH] or "_"
        message = f"the answer ended for an unknown reason: {self.word}"
        super().__init__(message, fault=UnknownFinish.kind, words=self.word)
        self.kind = f"{UnknownFinish.kind}:{self.word}"


class UnknownDialect(ProviderError, KeyError):
    """Also a KeyError, as the mapping of providers raises it."""

    kind = "unknown_dialect"
    __str__ = Exception.__str__

    def __init__(self, dialect: str) -> None:
        super().__init__(f"no provider speaks {dialect!r}")

"""Every error the public can meet, as one tree.

    ArenaError
    ├── Invalid 422                  the request itself is wrong
    │   ├── PromptEmpty, PromptTooLong
    │   └── KeyReused                the idempotency key came with another body
    ├── Refused 403                  CrossOrigin
    ├── NotFound 404                 BattleNotFound, ModelNotFound, NoSnapshot
    ├── Conflict 409                 the battle is in another state
    │   ├── TurnRunning, TurnNotReady, TurnLimitReached, RegenerateLimitReached
    │   ├── BattleClosed, NotVoted, NameTaken, AlreadyExcluded
    │   └── AlreadyVoted             carries the reveal of the first vote
    ├── TooLarge 413
    ├── HeadersTooLarge 431
    ├── RateLimited 429              carries retry_after
    └── Unavailable 503              carries retry_after
        ├── TooFewEndpoints, Busy, ShuttingDown
        └── StoreUnavailable

A `code` is a promise to clients and never changes; `title` is neutral and safe to show. What really happened
belongs in the private log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from arena.wire import Reveal


class ArenaError(Exception):
    """Root of all errors with a public face."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong on our side."

    def __init__(self, detail: str | None = None, *, retry_after: int | None = None) -> None:
        """`detail` is public text; `retry_after` is in seconds."""
        super().__init__(detail or self.title)
        self.detail = detail
        self.retry_after = retry_after


class Invalid(ArenaError):
    code = "invalid"
    status = 422
    title = "The request is not valid."


class PromptEmpty(Invalid):
    code = "prompt_empty"
    title = "The prompt is empty."


class PromptTooLong(Invalid):
    code = "prompt_too_long"
    title = "The prompt is longer than 12,000 characters."


class KeyReused(Invalid):
    code = "idempotency_key_reused"
    title = "This Idempotency-Key was used with another request."


class Refused(ArenaError):
    code = "refused"
    status = 403
    title = "The request is not allowed."


class CrossOrigin(Refused):
    code = "cross_origin"
    title = "Changes are accepted from the arena's own pages only."


class NotFound(ArenaError):
    code = "not_found"
    status = 404
    title = "There is nothing here."


class BattleNotFound(NotFound):
    code = "battle_not_found"
    title = "There is no such battle."


class ModelNotFound(NotFound):
    code = "model_not_found"
    title = "There is no such model."


class NoSnapshot(NotFound):
    code = "no_snapshot"
    title = "No leaderboard has been computed yet."


class Conflict(ArenaError):
    code = "conflict"
    status = 409
    title = "The battle is in another state."


class TurnRunning(Conflict):
    code = "turn_running"
    title = "The two models are still answering."


class TurnNotReady(Conflict):
    code = "turn_not_ready"
    title = "There are no two finished answers yet."


class TurnLimitReached(Conflict):
    code = "turn_limit"
    title = "This battle has reached its last turn."


class RegenerateLimitReached(Conflict):
    code = "regenerate_limit"
    title = "These answers have been asked again too often."


class BattleClosed(Conflict):
    code = "battle_closed"
    title = "This battle has ended."


class NotVoted(Conflict):
    code = "not_voted"
    title = "The names are shown after the vote."


class NameTaken(Conflict):
    code = "name_taken"
    title = "Another model has this name."


class AlreadyExcluded(Conflict):
    code = "already_excluded"
    title = "This vote is excluded already."


class AlreadyVoted(Conflict):
    """A battle takes one vote; the first one stands and its reveal is repeated."""

    code = "already_voted"
    title = "This battle already has its vote."

    def __init__(self, reveal: Reveal) -> None:
        super().__init__()
        self.reveal = reveal


class TooLarge(ArenaError):
    code = "too_large"
    status = 413
    title = "The request is too large."


class HeadersTooLarge(ArenaError):
    code = "headers_too_large"
    status = 431
    title = "The request's headers are too large."


class RateLimited(ArenaError):
    code = "rate_limited"
    status = 429
    title = "Too many requests; please wait a moment."


class Unavailable(ArenaError):
    code = "unavailable"
    status = 503
    title = "The arena is not available right now."


class TooFewEndpoints(Unavailable):
    code = "too_few_endpoints"
    title = "Fewer than two models are active, so no battle can start."


class Busy(Unavailable):
    code = "busy"
    title = "All places are taken; please try again in a moment."


class ShuttingDown(Unavailable):
    code = "shutting_down"
    title = "The arena is restarting; please try again in a moment."


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    title = "The arena could not save this; nothing was counted. Please try again."

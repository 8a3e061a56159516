"""Every error the public can meet, as one tree.

    ArenaError
    ├── Invalid 422                  the request itself is wrong
    │   ├── PromptEmpty, PromptTooLong, TooDeep
    │   └── KeyReused                the idempotency key came with another body
    ├── BadApiKey 401                the owner's key is missing, mistyped, unknown or revoked
    ├── Refused 403                  CrossOrigin, InvitationRequired
    │   └── TermsNotAccepted         carries the version that is to be accepted
    ├── NotFound 404                 BattleNotFound, ChatNotFound, ModelNotFound, EndpointNotFound, NoSnapshot
    ├── Conflict 409                 the battle is in another state
    │   ├── TurnRunning, TurnNotReady, TurnLimitReached, RegenerateLimitReached
    │   ├── BattleClosed, NotVoted, NameTaken, AlreadyExcluded
    │   ├── AlreadyRemarked
    │   ├── OwnerTaken, UnlistedLimit, ResultsStay, WrongState
    │   ├── ModelAway                a chosen model takes no part now
    │   └── AlreadyVoted             carries the reveal of the first vote
    ├── MethodNotAllowed 405
    ├── TooSlow 408
    ├── TooLarge 413
    ├── HeadersTooLarge 431
    ├── RateLimited 429              carries retry_after
    └── Unavailable 503              carries retry_after
        ├── TooFewEndpoints, Busy, ModelsBusy, ShuttingDown
        ├── ModelResting, ModelSpent a chosen model cannot be asked now, or on this day
        ├── Closed                 the operator has closed this part
        ├── KeysNotAccepted, KeyLost a model's key cannot be sealed, or opened
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


class TooDeep(Invalid):
    code = "too_deep"
    title = "The request's JSON is nested too deep."


class KeyReused(Invalid):
    code = "idempotency_key_reused"
    title = "This Idempotency-Key was used with another request."


class BadApiKey(ArenaError):
    """One error for everything that can be wrong with a key, but the details that its bytes alone tell."""

    code = "bad_api_key"
    status = 401
    title = "This needs an owner's API key, sent as `Authorization: Bearer arena_…`."


class Refused(ArenaError):
    code = "refused"
    status = 403
    title = "The request is not allowed."


class CrossOrigin(Refused):
    code = "cross_origin"
    title = "Changes are accepted from the arena's own pages only."


class InvitationRequired(Refused):
    code = "invitation_required"
    title = "Owners sign up here with an invitation code of the operator's."


class TermsNotAccepted(Refused):
    """The first prompt of a voter comes with the version of the terms that it accepts."""

    code = "terms_not_accepted"
    title = "The terms have not been accepted yet."

    def __init__(self, terms: int) -> None:
        super().__init__()
        self.terms = terms


class NotFound(ArenaError):
    code = "not_found"
    status = 404
    title = "There is nothing here."


class BattleNotFound(NotFound):
    code = "battle_not_found"
    title = "There is no such battle."


class ChatNotFound(NotFound):
    code = "chat_not_found"
    title = "There is no such chat."


class ModelNotFound(NotFound):
    code = "model_not_found"
    title = "There is no such model."


class EndpointNotFound(NotFound):
    """Unknown, or another owner's: nobody can tell which."""

    code = "endpoint_not_found"
    title = "There is no such endpoint."


class NoSnapshot(NotFound):
    code = "no_snapshot"
    title = "No leaderboard has been computed yet."


class NoBoard(NotFound):
    code = "no_board"
    title = "There are not enough votes for this board."


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


class OwnerTaken(Conflict):
    code = "owner_taken"
    title = "Another owner has this name."


class UnlistedLimit(Conflict):
    code = "unlisted_limit"
    title = "Of the variants that an owner added within 90 days, 3 may be unlisted, retired ones too."


class ResultsStay(Conflict):
    code = "results_stay"
    title = "After 200 counted votes a model's results stay on the board."


class WrongState(Conflict):
    code = "wrong_state"
    title = "The endpoint's state does not allow this."


class ModelAway(Conflict):
    """Its detail names the model, as in the two below: whoever asks has chosen it by this name."""

    code = "model_away"
    title = "This model is not asked at present: it is paused, suspended or retired."


class AlreadyExcluded(Conflict):
    code = "already_excluded"
    title = "This vote is excluded already."


class AlreadyRemarked(Conflict):
    code = "already_remarked"
    title = "This vote already has its remarks."


class AlreadyVoted(Conflict):
    """A battle takes one vote; the first one stands and its reveal is repeated."""

    code = "already_voted"
    title = "This battle already has its vote."

    def __init__(self, reveal: Reveal) -> None:
        super().__init__()
        self.reveal = reveal


class MethodNotAllowed(ArenaError):
    code = "method_not_allowed"
    status = 405
    title = "This address takes other methods; the Allow header names them."


class TooSlow(ArenaError):
    code = "too_slow"
    status = 408
    title = "The request took too long to arrive."


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


class ModelsBusy(Unavailable):
    """The answer never depends on which of the two it is, or why: that could tell who they are."""

    code = "models_busy"
    title = "The models of this battle cannot take another prompt just now; please vote, or try again in a moment."

    def __init__(self) -> None:
        super().__init__(retry_after=10)


class ModelResting(Unavailable):
    code = "model_resting"
    title = "This model does not answer or has no free place just now; please try again in a moment."


class ModelSpent(Unavailable):
    code = "model_spent"
    title = "This model has answered as much as its owner allows for today (UTC)."


class ShuttingDown(Unavailable):
    code = "shutting_down"
    title = "The arena is restarting; please try again in a moment."


class Closed(Unavailable):
    code = "closed"
    title = "This part of the arena is closed for the moment; what was saved stays saved."

    def __init__(self) -> None:
        super().__init__(retry_after=60)


class KeysNotAccepted(Unavailable):
    code = "keys_not_accepted"
    title = (
        "The arena keeps no keys yet. Its operator sets ARENA_SECRET_KEY to what `arena secrets new` prints,"
        " and restarts it."
    )


class KeyLost(Unavailable):
    code = "key_lost"
    title = "The model's stored key cannot be opened; please store it again."


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    title = "The arena could not save this; nothing was counted. Please try again."

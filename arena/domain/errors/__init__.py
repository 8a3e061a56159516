"""Every error with a public problem document, as one tree.

    ArenaError
    ├── Invalid 422                  the request itself is wrong
    │   ├── PromptEmpty, PromptTooLong, TooDeep
    │   ├── ImageRefused, TooManyImages
    │   ├── AliasCommon, AliasUncounts
    │   ├── BotCheckInvalid
    │   └── KeyReused                the idempotency key came with another body
    ├── Malformed 400                not even HTTP, or more than one Host
    ├── BadApiKey 401                the owner's key is missing, mistyped, unknown or revoked
    ├── Refused 403                  CrossOrigin, InvitationRequired, InvitationRefused
    │   ├── SignInRequired, SignInRefused, RoleRequired
    │   └── TermsNotAccepted         carries the version to accept
    ├── NotFound 404                 BattleNotFound, ChatNotFound, ModelNotFound, EndpointNotFound, NoBoard,
    │                                QuestionSetNotFound, QuestionNotFound, ImageNotFound,
    │                                NoAudit, NoDecision, NoObjection
    ├── Conflict 409                 the battle is in another state
    │   ├── TurnRunning, TurnNotReady, TurnLimitReached, RegenerateLimitReached
    │   ├── ImageBlocked, ImagesLate, ImagesGone, ModelBlind, NoVision
    │   ├── BattleClosed, NotVoted, NotListable, NotLogged, NameTaken, AlreadyExcluded
    │   ├── AlreadyRemarked, BotCheckSpent, ObjectionOpen, AlreadyAnswered
    │   ├── AlreadyAnnotated
    │   ├── OwnerTaken, UnlistedLimit, ResultsStay, WrongState
    │   ├── NothingPending, ChangedMeanwhile
    │   ├── PromptDoubtful, PromptRefused by the operator's prompt checks
    │   ├── PracticeModelsOnly       the prompt's topic is sensitive, and only practice models would answer
    │   ├── ModelAway                a chosen model is paused, suspended or retired
    │   └── AlreadyVoted             carries the reveal of the first vote
    ├── MethodNotAllowed 405
    ├── TooSlow 408
    ├── TooLarge 413                 ImageTooLarge, FileTooLarge
    ├── HeadersTooLarge 431
    ├── RateLimited 429              carries retry_after
    │   └── TooManyBattles, TooFewVotes   per neighbourhood of addresses and day
    └── Unavailable 503              carries retry_after
        ├── TooFewEndpoints, Busy, ModelsBusy, ModelsResting, ShuttingDown
        ├── ModelResting, ModelSpent a chosen model cannot be called now, or not today
        ├── ProviderAway             a sign-in service does not answer
        ├── Closed                   the operator has closed this part
        ├── KeysNotAccepted, KeyLost a model's key cannot be encrypted, or decrypted
        └── StoreUnavailable

A `code` is a promise to clients and never changes; `title` is neutral and safe to show. The actual cause goes to the
private log. Errors of evaluations refine the same classes in `arena.evaluations.domain.errors`.

To declare an error, write a class in the file of its noun, name it here, and give it `code`, `title` and, if it needs
parameters, English templates in `details`; to raise it, pass the parameters of the template: `raise
ModelAway(name="Gull")`. An error with several causes has a template for each `rule`: `raise Invalid(field="key",
rule="key", limit=4_000)`. Every code and rule has a text with the same placeholders in the pages' locales, as
`error.CODE` or `error.CODE.RULE`; a test checks that.
"""

from __future__ import annotations

from arena.domain.errors.base import ArenaError, Param, filled
from arena.domain.errors.conversations import (
    BattleClosed,
    BattleNotFound,
    ChatNotFound,
    ModelAway,
    ModelResting,
    ModelsBusy,
    ModelSpent,
    ModelsResting,
    NotListable,
    PracticeModelsOnly,
    PromptDoubtful,
    PromptEmpty,
    PromptRefused,
    PromptTooLong,
    RegenerateLimitReached,
    ShareBlocked,
    TermsNotAccepted,
    TooFewEndpoints,
    TooFewVotes,
    TooManyBattles,
    TurnLimitReached,
    TurnNotReady,
    TurnRunning,
)
from arena.domain.errors.endpoints import (
    AliasCommon,
    AliasUncounts,
    BadApiKey,
    ChangedMeanwhile,
    EndpointNotFound,
    InvitationRequired,
    KeyLost,
    KeysNotAccepted,
    ModelNotFound,
    NameTaken,
    NothingPending,
    OwnerTaken,
    ResultsStay,
    UnlistedLimit,
    WrongState,
)
from arena.domain.errors.images import (
    ImageBlocked,
    ImageNotFound,
    ImageRefused,
    ImagesGone,
    ImagesLate,
    ImageTooLarge,
    ModelBlind,
    NoVision,
    TooManyImages,
)
from arena.domain.errors.questions import AlreadyAnnotated, QuestionNotFound, QuestionSetNotFound
from arena.domain.errors.sign_in import InvitationRefused, ProviderAway, RoleRequired, SignInRefused, SignInRequired
from arena.domain.errors.statuses import (
    Busy,
    Closed,
    Conflict,
    CrossOrigin,
    FileTooLarge,
    HeadersTooLarge,
    Invalid,
    KeyReused,
    Malformed,
    MethodNotAllowed,
    NotFound,
    RateLimited,
    Refused,
    ShuttingDown,
    StoreUnavailable,
    TooDeep,
    TooLarge,
    TooSlow,
    Unavailable,
)
from arena.domain.errors.votes import (
    AlreadyAnswered,
    AlreadyExcluded,
    AlreadyRemarked,
    AlreadyVoted,
    BotCheckInvalid,
    BotCheckSpent,
    NoAudit,
    NoBoard,
    NoDecision,
    NoObjection,
    NotLogged,
    NotVoted,
    ObjectionOpen,
)

__all__ = [
    "AliasCommon",
    "AliasUncounts",
    "AlreadyAnnotated",
    "AlreadyAnswered",
    "AlreadyExcluded",
    "AlreadyRemarked",
    "AlreadyVoted",
    "ArenaError",
    "BadApiKey",
    "BattleClosed",
    "BattleNotFound",
    "BotCheckInvalid",
    "BotCheckSpent",
    "Busy",
    "ChangedMeanwhile",
    "ChatNotFound",
    "Closed",
    "Conflict",
    "CrossOrigin",
    "EndpointNotFound",
    "FileTooLarge",
    "HeadersTooLarge",
    "ImageBlocked",
    "ImageNotFound",
    "ImageRefused",
    "ImageTooLarge",
    "ImagesGone",
    "ImagesLate",
    "Invalid",
    "InvitationRefused",
    "InvitationRequired",
    "KeyLost",
    "KeyReused",
    "KeysNotAccepted",
    "Malformed",
    "MethodNotAllowed",
    "ModelAway",
    "ModelBlind",
    "ModelNotFound",
    "ModelResting",
    "ModelSpent",
    "ModelsBusy",
    "ModelsResting",
    "NameTaken",
    "NoAudit",
    "NoBoard",
    "NoDecision",
    "NoObjection",
    "NoVision",
    "NotFound",
    "NotListable",
    "NotLogged",
    "NotVoted",
    "NothingPending",
    "ObjectionOpen",
    "OwnerTaken",
    "Param",
    "PracticeModelsOnly",
    "PromptDoubtful",
    "PromptEmpty",
    "PromptRefused",
    "PromptTooLong",
    "ProviderAway",
    "QuestionNotFound",
    "QuestionSetNotFound",
    "RateLimited",
    "Refused",
    "RegenerateLimitReached",
    "ResultsStay",
    "RoleRequired",
    "ShareBlocked",
    "ShuttingDown",
    "SignInRefused",
    "SignInRequired",
    "StoreUnavailable",
    "TermsNotAccepted",
    "TooDeep",
    "TooFewEndpoints",
    "TooFewVotes",
    "TooLarge",
    "TooManyBattles",
    "TooManyImages",
    "TooSlow",
    "TurnLimitReached",
    "TurnNotReady",
    "TurnRunning",
    "Unavailable",
    "UnlistedLimit",
    "WrongState",
    "filled",
]

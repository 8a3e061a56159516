"""Errors of battles and chats: prompts, turns, and models that cannot answer now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from arena.domain.errors.statuses import Conflict, Invalid, NotFound, RateLimited, Refused, Unavailable

_NAME: Final = {"": "{name}"}


class PromptEmpty(Invalid):
    code = "prompt_empty"
    title = "The prompt is empty."


class PromptTooLong(Invalid):
    code = "prompt_too_long"
    title = "The prompt is longer than 12,000 characters."
    details: ClassVar[Mapping[str, str]] = {"": "{limit:,} characters at most."}


class TermsNotAccepted(Refused):
    """A voter's first prompt must name the version of the terms that they accept."""

    code = "terms_not_accepted"
    title = "The terms have not been accepted yet."
    details: ClassVar[Mapping[str, str]] = {"": "Please accept version {terms}."}

    def __init__(self, terms: int) -> None:
        super().__init__(terms=terms)
        self.terms = terms


class BattleNotFound(NotFound):
    code = "battle_not_found"
    title = "There is no such battle."


class ChatNotFound(NotFound):
    code = "chat_not_found"
    title = "There is no such chat."


class TurnRunning(Conflict):
    code = "turn_running"
    title = "The two models are still answering."


class TurnNotReady(Conflict):
    code = "turn_not_ready"
    title = "The two answers are not finished yet."


class TurnLimitReached(Conflict):
    code = "turn_limit"
    title = "This battle has reached its last turn."


class RegenerateLimitReached(Conflict):
    code = "regenerate_limit"
    title = "These answers have been regenerated too often."


class BattleClosed(Conflict):
    code = "battle_closed"
    title = "This battle has ended."


class ShareBlocked(Conflict):
    code = "share_blocked"
    title = "The operator has taken this battle down; it may not be shared."


class NotListable(Conflict):
    """Everybody may find a battle only while nothing speaks against it."""

    code = "not_listable"
    title = "Battles with images or an uncounted vote, and those whose link was withdrawn or reported, are not listed."


class PromptDoubtful(Conflict):
    """The operator warns of such a prompt; it is taken when it is sent again as `sure`. `topic` is what it is about."""

    code = "prompt_doubtful"
    title = "This seems to be about a crisis, health or safety; send it as `sure` if it is to be asked."


class PromptRefused(Conflict):
    """The operator takes no such prompts; `topic` is what it is about."""

    code = "prompt_refused"
    title = "This arena takes no questions about a crisis, health or safety; in danger call your emergency number."


class PracticeModelsOnly(Conflict):
    """`rule` is the sensitive topic of the prompt; its text is a line of real help."""

    code = "practice_models_only"
    title = "Practice models would answer this, and they must not be asked about a crisis, health or safety."
    details: ClassVar[Mapping[str, str]] = {
        "crisis": "Practice models would answer this, and they cannot help. Please talk to a person now: in danger,"
        " call your emergency number (112, 911, or 110 and 120 in mainland China); a crisis line listens at any hour,"
        " such as 988 in the US and Canada, 116 123 in Britain and Ireland, 12356 in mainland China, 1925 in Taiwan,"
        " 18111 in Hong Kong; findahelpline.com lists those of other countries.",
        "health": "Practice models would answer this, and what they say about health is made up. Please ask a doctor or"
        " a pharmacist; in an emergency, call your emergency number (112, 911, or 120 in mainland China), and after"
        " poisoning the poison centre (1-800-222-1222 in the US).",
        "safety": "Practice models would answer this, and wrong advice can hurt. If there is danger, get away and call"
        " your emergency number (112, 911, or 119 and 110 in mainland China). Never mix cleaning products. Open no link"
        " and pay nobody: ask the bank, firm or office by the number or address of its official site.",
    }


class ModelAway(Conflict):
    """Names the model, as `ModelResting` and `ModelSpent` do: the caller has chosen it by this name."""

    code = "model_away"
    title = "This model is not available: it is paused, suspended or retired."
    details = _NAME


class TooManyBattles(RateLimited):
    code = "too_many_battles"
    title = "No more battles can be started from your network today (UTC); open battles can still be voted on."


class TooFewVotes(RateLimited):
    code = "too_few_votes"
    title = (
        "Too many of today's battles from your network were left without a vote."
        " Please vote on those that are open, or come back tomorrow (UTC)."
    )


class TooFewEndpoints(Unavailable):
    code = "too_few_endpoints"
    title = "Fewer than two models are active, so no battle can start."


class ModelsResting(Unavailable):
    code = "models_resting"
    title = "Fewer than two models answer just now, as others rest after failures; please try again in a minute."

    def __init__(self) -> None:
        super().__init__(retry_after=60)


class ModelsBusy(Unavailable):
    """The same for either model and any cause, as the difference could identify the models."""

    code = "models_busy"
    title = "The models of this battle cannot take another prompt just now; please vote, or try again in a moment."

    def __init__(self) -> None:
        super().__init__(retry_after=10)


class ModelResting(Unavailable):
    code = "model_resting"
    title = "This model is failing or at capacity just now; please try again in a moment."
    details = _NAME


class ModelSpent(Unavailable):
    code = "model_spent"
    title = "This model has answered as much as its owner allows for today (UTC)."
    details = _NAME

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
    ├── Conflict 409                 what is asked does not fit the present state
    │   ├── TurnRunning, TurnNotReady, AnswersChanged, TurnLimitReached, RegenerateLimitReached
    │   ├── ImageBlocked, ImagesLate, ImagesGone, ModelBlind, NoVision
    │   ├── BattleClosed, NotVoted, NotListable, NotLogged, NameTaken, AlreadyExcluded
    │   ├── AlreadyRemarked, BotCheckSpent, ObjectionOpen, AlreadyAnswered
    │   ├── AlreadyAnnotated
    │   ├── OwnerTaken, UnlistedLimit, ResultsStay, WrongState
    │   ├── NothingPending, ChangedMeanwhile, SiteChanged
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
    └── Unavailable 503              carries retry_after where an end is known
        ├── TooFewEndpoints, Busy, ModelsBusy, ModelsResting, ShuttingDown
        ├── ModelResting, ModelSpent a chosen model cannot be called now, or not today
        ├── ProviderAway             a sign-in service does not answer
        ├── Closed                   the operator has closed this part
        ├── KeysNotAccepted, KeyLost a model's key cannot be encrypted, or decrypted
        └── StoreUnavailable         DataRefused, if a value can never be stored

A `code` is a promise to clients and never changes; `title` is neutral and safe to show. The actual cause goes to the
private log. Errors of evaluations refine the same classes in `arena.evaluations.domain.errors`.

To declare an error, write a class beside those of its noun and give it `code`, `title` and, if it needs parameters,
English templates in `details`; to raise it, pass the parameters of the template: `raise ModelAway(name="Gull")`. An
error with several causes has a template for each `rule`: `raise Invalid(field="key", rule="key", limit=4_000)`. Every
code and rule has a text with the same placeholders in the pages' locales, as `error.CODE` or `error.CODE.RULE`; a test
checks that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from pydantic import BaseModel

RETRY_SECONDS = 5
"""Retry-After in seconds of what is refused because all places are taken."""
Param = str | int | float | list[str]
"""A parameter of an error message."""


class ArenaError(Exception):
    """Base class of all errors with a public problem document."""

    code: ClassVar[str] = "internal"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong on our side."
    details: ClassVar[Mapping[str, str]] = {}
    """English message templates by the parameter `rule`; the empty string is for errors without one."""

    def __init__(self, detail: str | None = None, *, retry_after: int | None = None, **params: Param) -> None:
        """`detail` is public text instead of the template filled with `params`; `retry_after` is in seconds."""
        self.detail = detail or (self.sentence(params) if params else None)
        super().__init__(self.detail or self.title)
        self.retry_after = retry_after
        self.params = params

    @classmethod
    def sentence(cls, params: Mapping[str, Param]) -> str | None:
        """The English message for `params`; None if there is no template for their rule."""
        template = cls.details.get(str(params.get("rule", "")))
        return template and filled(template, params)


def filled(template: str, params: Mapping[str, Param]) -> str:
    """The template with its placeholders replaced; lists are joined with commas."""
    return template.format(
        **{name: ", ".join(value) if isinstance(value, list) else value for name, value in params.items()}
    )


# Errors of any request, one for each status that the others refine.


class Invalid(ArenaError):
    """`field` names a single invalid field; `problems` has the parameters of each if several are invalid."""

    code = "invalid"
    status = 422
    title = "The request is not valid."
    details: ClassVar[Mapping[str, str]] = {
        "missing": "it is missing",
        "unknown": "there is no such field",
        "type": "wrong type",
        "json": "not valid JSON",
        "utf8": "JSON is sent as UTF-8",
        "characters": "a text contains a zero byte or half of a surrogate pair, which cannot be stored",
        "choice": "one of {choices}",
        "least": "at least {limit:,}",
        "most": "{limit:,} at most",
        "shortest": "{limit:,} characters at least",
        "longest": "{limit:,} characters at most",
        "form": "invalid format",
        "empty": "cannot be empty",
        "line": "1 to {limit:,} printable characters, no space at either end",
        "text": "1 to {limit:,} characters",
        "ascii": "1 to {limit:,} printable ASCII characters",
        "number": "a number from {low:g} to {high:,.0f}",
        "invisible": "no invisible characters",
        "slash": "no slash, and no dot at either end",
        "letter": "at least one letter or digit",
        "url": "an http or https address without user name, query or fragment",
        "public_https": "a public endpoint is asked over https on port 443",
        "bare_address": "a public endpoint has a name, not a bare address",
        "inside": "this name resolves only inside a private network, or nowhere",
        "host": "the host is not a resolvable name",
        "nowhere": "give an address, or a vendor by its preset",
        "version": "the arena adds the version itself; please leave it out",
        "colour": "a colour such as #1a6fb5",
        "contrast": "white text has to be readable on it: choose a darker colour",
        "elements": "too many parts, or too deep: write it more simply",
        "blank": "fill in or remove {blank} first",
        "draft_blanks": "fill in or remove {blank}, and remove the note that this is a draft",
        "draft_note": "remove the note that this is a draft",
        "bytes": "{limit:,} bytes at most",
        "base64": "an image in base64",
        "site_file": "This is no file of `arena site export`.",
        "site_version": "This file has version {version}, and this arena reads up to {limit}: update it first.",
        "question_set": "Name a question set.",
        "question_column": "No column 'question' for prompt, nor another usual name; there are: {names}. Rename "
        "one in the file, or take it by `arena questions import --column FIELD=COLUMN`.",
        "no_question": "there is no question",
        "no_usable_row": "there is no question: line {line}: {reason}",
        "no_row_of_columns": "there is no question: line {line}: {reason}; left unused: {names}",
        "file_coding": "The file is not UTF-8; save it as UTF-8.",
        "file_empty": "The file is empty, or its first row is.",
        "file_kind": "The file has no rows of text.",
        "votes_kind": "The file has no rows of text.",
        "file_columns": "Two columns have the same name.",
        "file_damaged": "The compressed file is damaged or cut off.",
        "file_head": "The line with the names of the columns is not CSV.",
        "file_rows": "The file has more than {limit:,} rows; split it.",
        "file_answers": "The file has more than {limit:,} answers; split it.",
        "file_unpacked": "The file has more than {limit:,} MB; split it.",
        "file_costly": "Reading the file takes too much; split it.",
        "file_unread": "The file cannot be read.",
        "file_json": "line {line}: not valid JSON",
        "file_format": "Nobody knows the format of this file.",
        "file_resend": "The file did not arrive as it was sent; choose it again.",
        "row_long": "line {line}: a row is longer than {limit:g} MB",
        "row_values": "line {line}: a row has more than {limit:,} values",
        "sheet_damaged": "The spreadsheet is damaged; save it anew, or as CSV.",
        "set_facts": "The facts of the set are not valid.",
        "answer_columns": "A table of finished answers has a column question and one for each model.",
        "evaluation_name": "An evaluation's name has 1 to {limit} printable characters, not just dots, no / \\ ? #.",
        "model_name": "A model's name has 1 to {limit} characters.",
        "model_twice": "A model is named twice.",
        "asked_alone": "Under {protocol} models are asked in a way of their own, so no answers come from files.",
        "two_models": "An evaluation needs two models at least.",
        "thresholds": "Thresholds of annotators are shares above 0 and up to 1.",
        "no_model": "There is no endpoint {name!r}.",
        "model_state": "{name} is {state}, so it cannot be asked.",
        "model_barred": "{name} is for battles only; its owner has to allow evaluations.",
        "judged_alone": "Nobody judges the answers of {name}: `report` has its figures as soon as it has run.",
        "nothing_to_judge": "{name} has nothing to judge: no question has the answers that its design compares.",
        "answers_missing": "Answers are missing: {names}.",
        "no_reference": "{name} needs a reference.",
        "no_options": "A closed question has two or more different options and the letter of one; {name} has not.",
        "no_setting": "A configuration sets something: a system prompt, a temperature, a template or another setting.",
        "template": "a template has {{prompt}} once",
        "invited": "1 to {limit} annotators are invited at once.",
        "pairs_absent": "The arena's pair table has no {names}.",
        "pairs_none": "By the arena's pair table none of these models meet.",
        "pair_table": "The arena has no pair table.",
        "nothing": "There is nothing to change: send at least one field.",
        "models": "A chat has one model, or two different ones.",
        "same": "Two different models are compared.",
        "opinion": "{word!r} is not a valid judgement of the answers of this chat.",
        "remarks": "Remarks have at least one reason or star.",
        "idempotency_key": "An Idempotency-Key has 1 to {limit} printable ASCII characters.",
    }

    def __init__(
        self,
        detail: str | None = None,
        *,
        problems: Sequence[dict[str, Param]] = (),
        retry_after: int | None = None,
        **params: Param,
    ) -> None:
        super().__init__(detail, retry_after=retry_after, **(params or (problems[0] if problems else {})))
        self.problems = problems

    @classmethod
    def sentence(cls, params: Mapping[str, Param]) -> str | None:
        message = super().sentence(params)
        return f"{params['field']}: {message}" if message and "field" in params else message


class TooDeep(Invalid):
    code = "too_deep"
    title = "The request's JSON is nested too deep."


class KeyReused(Invalid):
    code = "idempotency_key_reused"
    title = "This Idempotency-Key was used with another request."


class Malformed(ArenaError):
    code = "malformed"
    status = 400
    title = "This is not a valid HTTP request."


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


class Conflict(ArenaError):
    code = "conflict"
    status = 409
    title = "The present state does not allow this."
    details: ClassVar[Mapping[str, str]] = {
        "model_name": "{name} is the name of an endpoint; a configuration has another.",
        "model_lookalike": "{name} looks like {other}, the name of an endpoint; a configuration has another.",
        "configurations": "A model has at most {limit} versions of configurations.",
        "evaluation_taken": "There is an evaluation {name} already.",
        "answers_fixed": "{name} is {state}: its answers do not change any more.",
        "no_draft": "{name} is {state} already.",
        "closed": "{name} is closed, so nothing about it changes any more.",
        "not_closed": "{name} is not closed, so its report may still change.",
        "drawn": "The items of {name} are drawn, so its design stays.",
        "baseline": "{name} has a baseline, with which all others are compared.",
        "part_closed": "{part} is closed already.",
        "part_open": "{part} is open already.",
        "set_changed": "The set {name} changed during the import; nothing was added.",
        "not_empty": "{name} is no draft, is being answered, or has answers, annotations or invitations, so it stays.",
    }


class MethodNotAllowed(ArenaError):
    code = "method_not_allowed"
    status = 405
    title = "This method is not allowed here; see the Allow header."


class TooSlow(ArenaError):
    code = "too_slow"
    status = 408
    title = "The request took too long to arrive."


class TooLarge(ArenaError):
    code = "too_large"
    status = 413
    title = "The request is too large."


class FileTooLarge(TooLarge):
    code = "file_too_large"
    title = "The file is too large."
    details: ClassVar[Mapping[str, str]] = {
        "": "The file is larger than {limit:,} megabytes; larger ones are read by the command `arena votes import`."
    }


class HeadersTooLarge(ArenaError):
    code = "headers_too_large"
    status = 431
    title = "The request's headers are too large."


class RateLimited(ArenaError):
    code = "rate_limited"
    status = 429
    title = "Too many requests."
    details: ClassVar[Mapping[str, str]] = {"probes": "Too many tests: the limit in an hour is {limit:,}."}


class Unavailable(ArenaError):
    code = "unavailable"
    status = 503
    title = "The arena is not available right now."


class Busy(Unavailable):
    code = "busy"
    title = "All places are taken; please try again in a moment."


class ShuttingDown(Unavailable):
    code = "shutting_down"
    title = "The arena is restarting; please try again in a moment."


class Closed(Unavailable):
    """Carries no retry_after, as nobody has set an end."""

    code = "closed"
    title = "This part of the arena is closed for the moment; what was saved stays saved."
    details: ClassVar[Mapping[str, str]] = {
        "battles": "Battles are closed for now, until the operator opens them again; what was saved stays saved.",
        "chats": "Chats are closed for now, until the operator opens them again; what was saved stays saved.",
        "voting": "Voting is closed for now, until the operator opens it again; what was saved stays saved.",
        "registration": "The arena takes no new owners and models until the operator opens that again.",
    }


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    title = "The arena could not save this; nothing was counted. Please try again."


class DataRefused(StoreUnavailable):
    """The database refuses a value, such as a number beyond its column, so that the same write fails again."""


# Errors of battles and chats: prompts, turns, and models that cannot answer now.


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


class AnswersChanged(Conflict):
    code = "answers_changed"
    title = "There are other answers by now, perhaps from another tab. Please read them, then vote."


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
    details: ClassVar[Mapping[str, str]] = {"": "{name} is not available: paused, suspended or retired."}


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
    details: ClassVar[Mapping[str, str]] = {
        "": "{name} is failing or at capacity just now; please try again in a moment."
    }


class ModelSpent(Unavailable):
    code = "model_spent"
    title = "This model has answered as much as its owner allows for today (UTC)."
    details: ClassVar[Mapping[str, str]] = {"": "{name} answers no more today (UTC), by its owner's limit."}


# Errors of votes, of what follows from them, and of the checks of voters.


class BotCheckInvalid(Invalid):
    code = "bot_check_invalid"
    title = "This does not answer a bot check of yours."
    details: ClassVar[Mapping[str, str]] = {
        "form": "The payload is base64 of the challenge and its solution as JSON.",
        "signature": "This arena has not issued the challenge.",
        "expired": "The challenge was for another day (UTC); please get a new one.",
        "voter": "The challenge was for another visitor; please get one of your own.",
        "off": "This arena has no bot check.",
    }


class BotCheckSpent(Conflict):
    code = "bot_check_spent"
    title = "This challenge was answered before; please get a new one."


class NotVoted(Conflict):
    code = "not_voted"
    title = "The names are shown after the vote."


class AlreadyVoted(Conflict):
    """A battle takes one vote; the first one stands and its reveal is returned again."""

    code = "already_voted"
    title = "This battle already has its vote."

    def __init__(self, reveal: BaseModel) -> None:
        super().__init__()
        self.reveal = reveal


class NotLogged(Conflict):
    code = "not_logged"
    title = "Your vote is saved, and not in the public log yet; please try again in a minute."


class AlreadyExcluded(Conflict):
    code = "already_excluded"
    title = "This vote is excluded already."


class AlreadyRemarked(Conflict):
    code = "already_remarked"
    title = "This vote already has its remarks."


class NoBoard(NotFound):
    code = "no_board"
    title = "There are not enough votes for this board."
    details: ClassVar[Mapping[str, str]] = {
        "": "Available boards: {boards}.",
        "hosts": "Hosts of one model count once on the board of all votes alone, and only where some are confirmed.",
    }


class NoAudit(NotFound):
    code = "no_audit"
    title = "There is no audit file of this week."
    details: ClassVar[Mapping[str, str]] = {
        "week": "A week is named like 2026-W46.",
        "running": "This week is not over; its audit file is published on {date}.",
        "waiting": "The audit file of this week is published on {date}.",
        "empty": "No votes of this week were judged.",
    }


class NoDecision(NotFound):
    code = "no_decision"
    title = "There is no such decision."


class NoObjection(NotFound):
    code = "no_objection"
    title = "There is no such objection."


class ObjectionOpen(Conflict):
    code = "objection_open"
    title = "An earlier objection of this endpoint waits for its answer."


class AlreadyAnswered(Conflict):
    code = "already_answered"
    title = "This objection has its answer."


# Errors of owners and their endpoints.


class BadApiKey(ArenaError):
    """One error for every invalid key; the detail tells only what the key's bytes alone show."""

    code = "bad_api_key"
    status = 401
    title = "This needs a valid key, sent as `Authorization: Bearer KEY`."
    details: ClassVar[Mapping[str, str]] = {
        "missing": "Send the header `Authorization: Bearer KEY`.",
        "form": "A key begins with {prefix} and has {length} characters.",
        "checksum": "The key was mistyped or truncated: its checksum does not match.",
        "unknown": "The key is unknown or was revoked.",
        "no_owner": "You have signed in and are no owner yet: sign up, or join by your key or a colleague's code.",
        "operator": "This needs the key of the operator.",
    }


class InvitationRequired(Refused):
    code = "invitation_required"
    title = "Signing up requires an invitation code from the operator."


class OwnerTaken(Conflict):
    code = "owner_taken"
    title = "Another owner has this name."


class ModelNotFound(NotFound):
    code = "model_not_found"
    title = "There is no such model."


class EndpointNotFound(NotFound):
    """Unknown, or another owner's: the two are indistinguishable."""

    code = "endpoint_not_found"
    title = "There is no such endpoint."


class NameTaken(Conflict):
    """Of a model, unless the rule names another noun."""

    code = "name_taken"
    title = "Another model has this name."
    details: ClassVar[Mapping[str, str]] = {
        "operator": "an operator has or had the name {name!r}, and acts are kept under it: choose another",
        "configuration": "another owner has a configuration named {name!r}, or like it: choose another name",
    }


class AliasCommon(Invalid):
    code = "alias_common"
    title = "An alias is a name, not a common word or a bare number."
    details: ClassVar[Mapping[str, str]] = {
        "": "{name!r} is a common word or a bare number; an alias is a name",
    }


class AliasUncounts(Invalid):
    """The detail names the aliases and the share of votes."""

    code = "alias_uncounts"
    title = "These aliases would have left too many past votes uncounted."
    details: ClassVar[Mapping[str, str]] = {
        "": "{names} would have left {count:,} of the last {votes:,} votes uncounted ({share:.1%}); {most:.0%} at most",
        "others": "the model's names with {names} are in {count:,} of the last {votes:,} answers of other models "
        "({share:.1%}); {most:.0%} at most",
    }


class UnlistedLimit(Conflict):
    code = "unlisted_limit"
    title = "At most 3 of the variants that an owner adds within 90 days may be unlisted, including retired ones."
    details: ClassVar[Mapping[str, str]] = {"": "{limit} within {days} days."}


class ResultsStay(Conflict):
    code = "results_stay"
    title = "After 200 counted votes a model's results stay on the board."
    details: ClassVar[Mapping[str, str]] = {"": "It takes {votes} counted votes."}


class WrongState(Conflict):
    code = "wrong_state"
    title = "The endpoint's state does not allow this."
    details: ClassVar[Mapping[str, str]] = {
        "step": "{name!r} is {state}, and cannot become {after}.",
        "already": "{name!r} is {state} already.",
        "imported": "{name!r} is known only from imported votes.",
        "approve": "{name!r} has passed its probe and waits: approve it.",
        "approved": "{name!r} is {state}; only what has passed its probe waits for an approval.",
        "probe": "It is {state}; only an endpoint that does not take part yet can be probed.",
        "retired": "A retired endpoint does not come back; please register a new one.",
        "suspended": "A suspended endpoint comes back after passing a probe or by the operator.",
        "operator": "The operator has suspended it and brings it back.",
        "newer": "{newer!r} is the newest version of {name!r}; please change that one.",
        "next_version": "A retired endpoint has no next version; please register a new one.",
        "use": "The endpoint is retired, so it has no more uses.",
        "use_owner": "Its calls are paid by {owner}, who alone can allow this, with the owner's key.",
        "key": "A retired endpoint is no longer called, so it takes no key.",
        "builtin": "A built-in model takes no key.",
        "standby": "{name!r} is kept out of battles by ARENA_DEMO while two other models are active.",
        "keyless": "{name!r} has no key, and takes part as soon as the arena has one.",
        "same_weights": "Only a model that the public sees can be said to serve the same weights as another.",
    }


class NothingPending(Conflict):
    code = "nothing_pending"
    title = "No change of this endpoint waits for approval."


class ChangedMeanwhile(Conflict):
    code = "changed_meanwhile"
    title = "The endpoint has changed since you looked at it; please look again."


class SiteChanged(Conflict):
    """Another operator has edited the same text or setting; the detail names it."""

    code = "site_changed"
    title = "Somebody else has changed the site since you opened it; please look again."
    details: ClassVar[Mapping[str, str]] = {
        "": "Somebody else has changed {names} since you opened it, and nothing of yours was saved: copy your text, "
        "reload and edit again."
    }


class KeysNotAccepted(Unavailable):
    code = "keys_not_accepted"
    title = (
        "The arena cannot store keys yet. Its operator must set ARENA_SECRET_KEY to the output of `arena secrets new`,"
        " and restarts it."
    )


class KeyLost(Unavailable):
    code = "key_lost"
    title = "The model's stored key cannot be opened; please store it again."


# Errors of images in conversations.


class ImageRefused(Invalid):
    code = "image_refused"
    title = "This image cannot be taken."
    details: ClassVar[Mapping[str, str]] = {
        "kind": "This is no PNG, JPEG or WebP image.",
        "broken": "This image is broken.",
        "animated": "This image is animated; only still ones can be taken.",
        "pixels": "This image has too many pixels.",
        "small": "This image is too small: 16 pixels on each side at least.",
    }


class TooManyImages(Invalid):
    code = "too_many_images"
    title = "There are too many images."
    details: ClassVar[Mapping[str, str]] = {"": "{limit:,} different images at most in one conversation."}


class ImageNotFound(NotFound):
    code = "image_not_found"
    title = "There is no such image any more; please add it again."


class ImageBlocked(Conflict):
    code = "image_blocked"
    title = "The operator has taken down this image, or one that shows the same; it cannot be taken."


class ImagesLate(Conflict):
    code = "images_late"
    title = "This battle began without an image, so its models may not see any; please begin another."


class ImagesGone(Conflict):
    code = "images_gone"
    title = "An image of this conversation has been deleted, so it cannot go on; please begin another."


class NoVision(Conflict):
    code = "no_vision"
    title = "Fewer than two models here see images; please ask without one."


class ModelBlind(Conflict):
    code = "model_blind"
    title = "A chosen model sees no images."
    details: ClassVar[Mapping[str, str]] = {"": "This model sees no images: {name}."}


class ImageTooLarge(TooLarge):
    code = "image_too_large"
    title = "The image's file is too large."
    details: ClassVar[Mapping[str, str]] = {"": "The image's file is larger than {limit:,} megabytes."}


# Errors of sets of questions, and of items that people read.


class QuestionSetNotFound(NotFound):
    """Unknown, or not public: the two are indistinguishable."""

    code = "question_set_not_found"
    title = "There is no such set of questions."


class QuestionNotFound(NotFound):
    code = "question_not_found"
    title = "The set has no such question."


class AlreadyAnnotated(Conflict):
    """To annotators of evaluations, `rule` says which judgement the item has, so that one sent again is known."""

    code = "already_annotated"
    title = "This item has its answer, or went to somebody else; please go on with the next one."
    details: ClassVar[Mapping[str, str]] = {
        "same": "This item is already judged by this link, as in this request.",
        "other": "This item is already judged by this link, in another way.",
        "given": "This item was given to somebody else, or to nobody yet.",
    }


# Errors of people who sign in.


class SignInRequired(Refused):
    code = "sign_in_required"
    title = "This arena is for its members: please sign in."


class SignInRefused(Refused):
    """Somebody may not sign in; the rule says why as far as it helps them."""

    code = "sign_in_refused"
    title = "This sign-in was refused."
    details: ClassVar[Mapping[str, str]] = {
        "attempt": "This sign-in was not begun here, or too long ago: please begin again.",
        "cancelled": "The sign-in was cancelled at the provider.",
        "token": "The provider's answer does not prove who you are.",
        "clock": "The provider's answer is not valid now: its clock and the arena's are apart.",
        "claim": "The provider does not say {claim!r}, which this arena asks for.",
        "unverified": "The provider has not verified your mail address.",
        "domain": "This arena is for people of another organisation.",
        "group": "You are in none of the groups that this arena is for.",
        "role": "You have no role on this arena.",
        "factor": "This role asks for a second factor at the provider, of which it does not speak.",
        "header": "The proxy's word about who you are is not to be trusted.",
    }


class RoleRequired(Refused):
    code = "role_required"
    title = "Your role on this arena does not allow this."
    details: ClassVar[Mapping[str, str]] = {
        "viewer": "This needs the role of a viewer.",
        "moderator": "This needs the role of a moderator.",
        "operator": "This needs the role of an operator.",
        "owner": "This needs the role of an owner of the arena.",
    }


class ProviderAway(Unavailable):
    code = "provider_away"
    title = "The sign-in service does not answer; whoever is signed in can go on."


class InvitationRefused(Refused):
    code = "invitation_refused"
    title = "This invitation does not hold."
    details: ClassVar[Mapping[str, str]] = {
        "unknown": "There is no such invitation.",
        "ended": "This invitation has ended.",
        "full": "All seats of this invitation are taken.",
    }

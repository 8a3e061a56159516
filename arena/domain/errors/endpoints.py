"""Errors of owners and their endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from arena.domain.errors.base import ArenaError
from arena.domain.errors.statuses import Conflict, Invalid, NotFound, Refused, Unavailable


class BadApiKey(ArenaError):
    """One error for every invalid key; the detail tells only what the key's bytes alone show."""

    code = "bad_api_key"
    status = 401
    title = "This needs an owner's API key, sent as `Authorization: Bearer arena_…`."
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
    code = "name_taken"
    title = "Another model has this name."


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
        "key": "A retired endpoint is no longer called, so it takes no key.",
        "builtin": "A built-in model takes no key.",
    }


class NothingPending(Conflict):
    code = "nothing_pending"
    title = "No change of this endpoint waits for approval."


class ChangedMeanwhile(Conflict):
    code = "changed_meanwhile"
    title = "The endpoint has changed since you looked at it; please look again."


class KeysNotAccepted(Unavailable):
    code = "keys_not_accepted"
    title = (
        "The arena cannot store keys yet. Its operator must set ARENA_SECRET_KEY to the output of `arena secrets new`,"
        " and restarts it."
    )


class KeyLost(Unavailable):
    code = "key_lost"
    title = "The model's stored key cannot be opened; please store it again."

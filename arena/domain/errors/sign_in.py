"""Errors of people who sign in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from arena.domain.errors.statuses import Refused, Unavailable


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

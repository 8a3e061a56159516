"""Errors of votes, of what follows from them, and of the checks of voters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from arena.domain.errors.statuses import Conflict, Invalid, NotFound

if TYPE_CHECKING:
    from pydantic import BaseModel


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
    details: ClassVar[Mapping[str, str]] = {"": "Available boards: {boards}."}


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

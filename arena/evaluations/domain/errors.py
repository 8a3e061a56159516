"""Errors of evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from arena.domain.errors import Conflict, NotFound


class EvaluationNotFound(NotFound):
    """No evaluation of this name, or one that is not public yet; the answer is the same for both."""

    code = "evaluation_not_found"
    title = "There is no such evaluation."


class AnnotatorNotFound(NotFound):
    """No annotator has this link, or it is revoked; the answer is the same for both."""

    code = "annotator_not_found"
    title = "This link does not work, or no longer."


class EvaluationNotOpen(Conflict):
    code = "evaluation_not_open"
    title = "This evaluation has not started yet."


class EvaluationClosed(Conflict):
    """To annotators, `rule` says whether the report of the evaluation `name` is published.

    `kept` is for a judgement that was sent again and has been there since before the end.
    """

    code = "evaluation_closed"
    title = "This evaluation is closed."
    details: ClassVar[Mapping[str, str]] = {
        "published": "{name} is closed; its report names the models.",
        "unpublished": "{name} is closed; its report names the models, once it is published.",
    }


class AlreadyReviewed(Conflict):
    code = "already_reviewed"
    title = "This question has had this review, or needs none any more; please go on with the next one."


class EvaluationIncomplete(Conflict):
    """Answers or annotations are missing; the detail has their numbers."""

    code = "evaluation_incomplete"
    title = "Answers or annotations are missing."


class UndoTooLate(Conflict):
    code = "undo_too_late"
    title = "An answer can be taken back within three seconds only, and only the last one."

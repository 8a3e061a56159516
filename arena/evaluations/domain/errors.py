"""Errors of evaluations."""

from __future__ import annotations

from arena.domain.errors import Conflict, NotFound


class EvaluationNotFound(NotFound):
    """Unknown, or not yet for everybody: the two are indistinguishable."""

    code = "evaluation_not_found"
    title = "There is no such evaluation."


class AnnotatorNotFound(NotFound):
    """Unknown or revoked: the two are indistinguishable."""

    code = "annotator_not_found"
    title = "This link does not work, or no longer."


class EvaluationNotOpen(Conflict):
    code = "evaluation_not_open"
    title = "This evaluation is not open: it has not begun, or is closed."


class AlreadyReviewed(Conflict):
    code = "already_reviewed"
    title = "This question has had this review, or needs none any more; please go on with the next one."


class EvaluationIncomplete(Conflict):
    """Answers or annotations are missing; the sentence counts them."""

    code = "evaluation_incomplete"
    title = "Answers or annotations are missing."


class UndoTooLate(Conflict):
    code = "undo_too_late"
    title = "An answer can be taken back within three seconds only, and only the last one."

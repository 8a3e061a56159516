"""Errors of sets of questions and of evaluations."""

from __future__ import annotations

from arena.domain.errors.statuses import Conflict, NotFound


class QuestionSetNotFound(NotFound):
    """Unknown, or not public: the two are indistinguishable."""

    code = "question_set_not_found"
    title = "There is no such set of questions."


class QuestionNotFound(NotFound):
    code = "question_not_found"
    title = "The set has no such question."


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


class AlreadyAnnotated(Conflict):
    code = "already_annotated"
    title = "This item has its answer, or went to somebody else; please go on with the next one."


class AlreadyReviewed(Conflict):
    code = "already_reviewed"
    title = "This question has had this review, or needs none any more; please go on with the next one."


class UndoTooLate(Conflict):
    code = "undo_too_late"
    title = "An answer can be taken back within three seconds only, and only the last one."

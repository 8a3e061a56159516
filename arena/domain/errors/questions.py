"""Errors of sets of questions, and of items that people read."""

from __future__ import annotations

from arena.domain.errors.statuses import Conflict, NotFound


class QuestionSetNotFound(NotFound):
    """Unknown, or not public: the two are indistinguishable."""

    code = "question_set_not_found"
    title = "There is no such set of questions."


class QuestionNotFound(NotFound):
    code = "question_not_found"
    title = "The set has no such question."


class AlreadyAnnotated(Conflict):
    code = "already_annotated"
    title = "This item has its answer, or went to somebody else; please go on with the next one."

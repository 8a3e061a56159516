"""Terms of evaluations: states, designs, sources of scores, and decisions of reviewers."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

LEAST_CONSISTENCY: Final = 0.6
"""Consistency over repeats below which annotators are proposed to be left out.

It is the share of the most frequent answer (`annotators.quality.consistency`): with two attempts 0.5 if no repeat is
answered alike, and 0.6 if one of five is.
"""
REPEAT_DISTANCE: Final = 20
"""Fewest items between an item and its hidden repeat."""
LEAST_CHECKED: Final = 10
"""Fewest answers by which somebody is left out for being below a threshold."""


class EvaluationState(StrEnum):
    """State of an evaluation: answers may change only in a draft, annotations until it is closed."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"


class AssignmentState(StrEnum):
    """State of an item's assignment to an annotator; after expiry other annotators can get the item."""

    SHOWN = "shown"
    DONE = "done"
    EXPIRED = "expired"


class Design(StrEnum):
    """Which models are compared on a question.

    All pairs, one round of a round-robin tournament, pairs drawn by the arena's pair table, or each model against the
    first (SuperCLUE's OPEN).
    """

    ALL = "all"
    BALANCED = "balanced"
    DRAWN = "pair-table"
    BASELINE = "baseline"


class VerdictState(StrEnum):
    """Whether a model is not worse than another by more than a margin, worse, or not known to be either yet."""

    NOT_WORSE = "not_worse"
    WORSE = "worse"
    OPEN = "open"


class Level(StrEnum):
    """Level of the tree of tasks; SuperCLUE's capabilities are categories."""

    AREA = "area"
    CATEGORY = "category"
    TASK = "task"


class Relation(StrEnum):
    """Reason for which a judge does not judge a model: it is the judge, or of its family or owner."""

    SELF = "self"
    FAMILY = "family"
    OWNER = "owner"


class ScoredBy(StrEnum):
    """Source of scores under a protocol: annotators, the key of closed questions, or votes on a question's answers."""

    PEOPLE = "people"
    KEY = "key"
    VOTES = "votes"


class ReviewDecision(StrEnum):
    """A reviewer's decision on the wording of a converted question."""

    CONFIRMED = "confirmed"
    AMENDED = "amended"
    REJECTED = "rejected"


class DraftState(StrEnum):
    """Review stage of a question that a person wrote; each stage needs another person."""

    DRAFT = "draft"
    CHECKED = "checked"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ConversionState(StrEnum):
    """Progress of a converted question through its reviews."""

    UNREADABLE = "unreadable"
    CONVERTED = "converted"
    REVIEWED_ONCE = "reviewed once"
    REVIEWED_TWICE = "reviewed twice"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"

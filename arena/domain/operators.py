"""Operators: their roles on the arena, and the acts that are recorded under their names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, cast

NAME_LIMIT: Final = 120
BY_KEY: Final = "key"
"""Value of `via` for people who act with an operator's key."""
SHARED_KEY: Final = "ARENA_OPERATOR_KEY"
"""Name of the people who act with the key of the settings, which they may share; no operator may have this name."""
TARGET_LIMIT: Final = 200
WHY_LIMIT: Final = 500


class OperatorRole(StrEnum):
    """A role on the arena, with all permissions of the roles before it."""

    VIEWER = "viewer"
    MODERATOR = "moderator"
    OPERATOR = "operator"
    OWNER = "owner"

    def covers(self, needed: OperatorRole) -> bool:
        """Whether this role has all permissions of `needed`."""
        roles = list(OperatorRole)
        return roles.index(self) >= roles.index(needed)


class ActKind(StrEnum):
    """A kind of act, by its name in the database and exports."""

    ENDPOINT_ADDED = "endpoint_added"
    ENDPOINT_APPROVED = "endpoint_approved"
    ENDPOINT_PAUSED = "endpoint_paused"
    ENDPOINT_SUSPENDED = "endpoint_suspended"
    ENDPOINT_RESUMED = "endpoint_resumed"
    ENDPOINT_RETIRED = "endpoint_retired"
    ENDPOINT_CHANGED = "endpoint_changed"
    CHANGES_APPROVED = "changes_approved"
    CHANGES_REFUSED = "changes_refused"
    DECISION_CONFIRMED = "decision_confirmed"
    DECISION_UNDONE = "decision_undone"
    OBJECTION_ANSWERED = "objection_answered"
    SHARE_TAKEN_DOWN = "share_taken_down"
    IMAGE_TAKEN_DOWN = "image_taken_down"
    VOTE_EXCLUDED = "vote_excluded"
    VOTE_ERASED = "vote_erased"
    VOTES_IMPORTED = "votes_imported"
    CONVERSATION_LABELLED = "conversation_labelled"
    BOARD_RANKED = "board_ranked"
    LABELS_GIVEN = "labels_given"
    LABEL_SAMPLE_DRAWN = "label_sample_drawn"
    QUESTION_REVIEWED = "question_reviewed"
    QUESTIONS_CONVERTED = "questions_converted"
    QUESTIONS_IMPORTED = "questions_imported"
    QUESTIONS_PUBLISHED = "questions_published"
    CONFIGURATION_ADDED = "configuration_added"
    EVALUATION_MADE = "evaluation_made"
    EVALUATION_DELETED = "evaluation_deleted"
    EVALUATION_CHANGED = "evaluation_changed"
    EVALUATION_RUN = "evaluation_run"
    EVALUATION_JUDGED = "evaluation_judged"
    EVALUATION_STOPPED = "evaluation_stopped"
    EVALUATION_OPENED = "evaluation_opened"
    EVALUATION_CLOSED = "evaluation_closed"
    ANNOTATORS_INVITED = "annotators_invited"
    PART_CLOSED = "part_closed"
    PART_OPENED = "part_opened"
    ANNOTATOR_REVOKED = "annotator_revoked"
    RELEASE_BUILT = "release_built"
    RELEASE_READ = "release_read"
    RELEASE_PUBLISHED = "release_published"
    REPORT_PUBLISHED = "report_published"
    FILES_PUBLISHED = "files_published"
    LOG_RESTARTED = "log_restarted"
    LOG_KEY_ROTATED = "log_key_rotated"
    LOG_COSIGNED = "log_cosigned"
    MASTER_KEY_ROTATED = "master_key_rotated"
    OWNER_KEY_GIVEN = "owner_key_given"
    OWNER_KEY_TAKEN = "owner_key_taken"
    MEMBERS_INVITED = "members_invited"
    INVITATION_WITHDRAWN = "invitation_withdrawn"
    SITE_CHANGED = "site_changed"
    SITE_IMPORTED = "site_imported"
    OPERATOR_ADDED = "operator_added"
    OPERATOR_WITHDRAWN = "operator_withdrawn"


@dataclass(frozen=True, slots=True)
class Operator:
    """A person who acts; `via` says how they proved who they are: `key`, `command`, or the name of a provider."""

    name: str
    via: str
    role: OperatorRole

    @property
    def shared(self) -> bool:
        """Whether several people may act under this name, by the shared key."""
        return (self.name, self.via) == (SHARED_KEY, BY_KEY)

    @property
    def pseudonym(self) -> str:
        """The person in published releases: the same name for all reviews."""
        return f"operator-{hashlib.sha256(self.name.encode()).hexdigest()[:16]}"


@dataclass(slots=True)
class Act:
    """An act: its kind, target and reason; the code that carries it out may set the target."""

    kind: ActKind
    target: str = ""
    why: str = ""

    def changed(self, **values: object) -> None:
        """Say before the reason what is changed, by the names of the fields."""
        parts = [f"{name}: {_plain(value)}" for name, value in values.items()]
        self.why = "; ".join([*parts, *filter(None, [self.why])])


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, cast("list[object]", value))) if isinstance(value, list) else str(value)

"""Tables of annotators, their items, assignments and annotations."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow, word
from arena.adapters.store.tables.questions import QuestionRow
from arena.evaluations.domain.terms import AssignmentState
from arena.evaluations.store.tables.evaluations import EvaluationModelRow, EvaluationRow


class EvaluationItemRow(BaseRow):
    """One or two answers to a question to judge; `number` is its position among the items of the evaluation.

    `form` names the criteria. `needed` is the number of annotators it is for, 0 without answers to show, and `taken` of
    those who have it or have judged it. Only reviewers get a `disputed` item.
    """

    __tablename__ = "evaluation_items"

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id))
    number: Mapped[int]
    question_id: Mapped[int] = mapped_column(ForeignKey(QuestionRow.id))
    first_id: Mapped[int] = mapped_column(ForeignKey(EvaluationModelRow.id))
    second_id: Mapped[int | None] = mapped_column(ForeignKey(EvaluationModelRow.id))
    form: Mapped[str] = mapped_column(String(24))
    overlap: Mapped[bool]
    needed: Mapped[int]
    taken: Mapped[int]
    disputed: Mapped[bool]

    __table_args__ = (
        UniqueConstraint("evaluation_id", "number"),
        UniqueConstraint("question_id", "first_id", "second_id"),
        Index("ix_evaluation_items_free", "evaluation_id", "overlap", "disputed", "taken", "number"),
    )


class AnnotatorRow(BaseRow):
    """A person who annotates: invited by a link, of which the digest is stored, one of the public, or from a file.

    `label` is a number, or the name in the file. Without `hints` no right answer is shown. `team` is a kind of
    annotators, such as onsite or crowd. They get questions of their `areas`, or all if it is empty.
    """

    __tablename__ = "annotators"

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id))
    label: Mapped[str] = mapped_column(String(80))
    link: Mapped[str | None] = mapped_column(String(64), unique=True)
    voter_key: Mapped[str | None] = mapped_column(String(64))
    reviewer: Mapped[bool]
    team: Mapped[str] = mapped_column(String(24), server_default="")
    hints: Mapped[bool] = mapped_column(server_default=true())
    areas: Mapped[list[str]] = mapped_column(server_default="[]")
    created_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]

    __table_args__ = (UniqueConstraint("evaluation_id", "label"), UniqueConstraint("evaluation_id", "voter_key"))


class AssignmentRow(BaseRow):
    """An item given to one annotator: `attempt` 1 to 3 are hidden repeats, `swapped` shows b left.

    `round` counts undone annotations.
    """

    __tablename__ = "assignments"

    id: Mapped[int] = mapped_column(primary_key=True)
    annotator_id: Mapped[int] = mapped_column(ForeignKey("annotators.id"))
    item_id: Mapped[int] = mapped_column(ForeignKey("evaluation_items.id"))
    attempt: Mapped[int]
    position: Mapped[int]
    swapped: Mapped[bool]
    state: Mapped[AssignmentState] = mapped_column(word(AssignmentState))
    round: Mapped[int]
    shown_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("annotator_id", "item_id", "attempt"),
        UniqueConstraint("annotator_id", "position"),
        Index("ix_assignments_state", "state", "shown_at"),
    )


class AnnotationRow(BaseRow):
    """One annotator's judgement of an item; `value` is an outcome with the first model as a, or the scores in order."""

    __tablename__ = "annotations"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id))
    item_id: Mapped[int] = mapped_column(ForeignKey("evaluation_items.id"))
    annotator_id: Mapped[int] = mapped_column(ForeignKey("annotators.id"))
    attempt: Mapped[int]
    round: Mapped[int]
    swapped: Mapped[bool]
    value: Mapped[str] = mapped_column(String(80))
    milliseconds: Mapped[int | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("annotator_id", "item_id", "attempt", "round"),
        Index("ix_annotations_evaluation_id", "evaluation_id", "number"),
        Index("ix_annotations_item_id", "item_id"),
        {"sqlite_autoincrement": True},
    )


class AnnotatorNetworkRow(BaseRow):
    """A network from which an annotator worked on a day, as a digest; many of them suggest a leaked link."""

    __tablename__ = "annotator_networks"

    annotator_id: Mapped[int] = mapped_column(ForeignKey("annotators.id"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)


class WithdrawalRow(BaseRow):
    """The withdrawal of an annotation, with its reason."""

    __tablename__ = "annotation_withdrawals"

    annotation_number: Mapped[int] = mapped_column(
        BIG, ForeignKey("annotations.number"), primary_key=True, autoincrement=False
    )
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]

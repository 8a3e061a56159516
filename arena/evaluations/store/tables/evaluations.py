"""Evaluations: their models, answers and items, who annotates what, and the annotations, which never change."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column

import arena.adapters.store.tables.labels  # noqa: F401 - its tables are referred to  # pyright: ignore[reportUnusedImport]
from arena.adapters.store.tables.base import BIG, BaseRow, word
from arena.evaluations.domain.terms import AssignmentState, Design, EvaluationState


class EvaluationRow(BaseRow):
    """One evaluation of a version of a question set; `digest` is the SHA-256 of its file once it is closed.

    `per_item` is the number of independent annotations that an item needs, `overlap` the number of items that
    everybody gets, `repeats` the share of items that are asked again. Where pairs are drawn, `draw` has their
    probabilities and the snapshot whose pair table these are from. Annotators below `least_consistency` or
    `least_right` are left out. At `restored_at` its answers came back from files. `last_annotator` is the highest
    number that is the label of an annotator. From `running_at` on the service asks the models, and `stopped` says of
    each that the last run asked no more why.
    """

    __tablename__ = "evaluations"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    set_id: Mapped[int] = mapped_column(ForeignKey("question_sets.id"))
    protocol: Mapped[str] = mapped_column(String(40))
    design: Mapped[Design] = mapped_column(word(Design))
    draw: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    per_item: Mapped[int]
    overlap: Mapped[int]
    repeats: Mapped[float]
    least_consistency: Mapped[float | None]
    least_right: Mapped[float | None]
    temperature: Mapped[float | None]
    max_tokens: Mapped[int | None]
    seed: Mapped[int]
    public: Mapped[bool]
    last_annotator: Mapped[int] = mapped_column(default=0)
    state: Mapped[EvaluationState] = mapped_column(word(EvaluationState))
    digest: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    restored_at: Mapped[datetime | None]
    running_at: Mapped[datetime | None]
    stopped: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class EvaluationModelRow(BaseRow):
    """One model of an evaluation; without an endpoint its answers or annotations come from files.

    `configuration` is what it is asked with beyond its endpoint: name, version, digest and settings. `archive` is the
    SHA-256 of the file that the texts of its answers have been moved to.
    """

    __tablename__ = "evaluation_models"

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"))
    name: Mapped[str] = mapped_column(String(80))
    endpoint_id: Mapped[int | None] = mapped_column(ForeignKey("endpoints.id"))
    archive: Mapped[str | None] = mapped_column(String(64))
    configuration: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    __table_args__ = (UniqueConstraint("evaluation_id", "name"),)


class ConfigurationRow(BaseRow):
    """One version of a configuration: an endpoint and the `settings` that it is asked with, which never change.

    `digest` is the SHA-256 of name, endpoint and settings.
    """

    __tablename__ = "configurations"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    version: Mapped[int]
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    settings: Mapped[dict[str, Any]]
    digest: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("name", "version"),)


class EvaluationAnswerRow(BaseRow):
    """A model's answers to all turns of a question, or the fault that kept it from answering.

    `settings` is what the model was asked with; it is empty for an answer from a file. `sent` is the part of `tokens`
    that were prompts.
    """

    __tablename__ = "evaluation_answers"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey("evaluation_models.id"))
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"))
    texts: Mapped[list[str]]
    fault: Mapped[str | None] = mapped_column(String(40))
    settings: Mapped[dict[str, Any]]
    tokens: Mapped[int | None]
    milliseconds: Mapped[int | None]
    created_at: Mapped[datetime]
    sent: Mapped[int | None]

    __table_args__ = (UniqueConstraint("model_id", "question_id"),)


class AnswerScoreRow(BaseRow):
    """The score that the log of another tool has for an answer, by the name of its scorer."""

    __tablename__ = "answer_scores"

    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey("evaluation_models.id"))
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"))
    scorer: Mapped[str] = mapped_column(String(80))
    value: Mapped[float]

    __table_args__ = (UniqueConstraint("model_id", "question_id", "scorer"),)


class EvaluationItemRow(BaseRow):
    """One thing to judge: two answers to a question, or one; `number` is its place in the order of all.

    `form` names the criteria. `needed` is how many annotators it is for, 0 where there is nothing to show, and `taken`
    how many have it or have judged it. Only reviewers get a `disputed` item.
    """

    __tablename__ = "evaluation_items"

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"))
    number: Mapped[int]
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"))
    first_id: Mapped[int] = mapped_column(ForeignKey("evaluation_models.id"))
    second_id: Mapped[int | None] = mapped_column(ForeignKey("evaluation_models.id"))
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
    """One person who annotates: invited by a link whose digest is kept, one of the public, or one of a file.

    `label` is a number, or the name in the file; whoever is invited has no name. Without `hints` no right answer is
    shown. `team` is what the person is, such as onsite or crowd. Only questions of their `areas` are theirs, or all if
    there are none.
    """

    __tablename__ = "annotators"

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"))
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
    """An item as one annotator gets it: `attempt` 1 is a hidden repeat, `swapped` shows the second answer left.

    `round` counts what was undone.
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
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"))
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
    """A network from which an annotator worked on a day, as a digest: many of them tell of a leaked link."""

    __tablename__ = "annotator_networks"

    annotator_id: Mapped[int] = mapped_column(ForeignKey("annotators.id"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)


class EvaluationReportRow(BaseRow):
    """The report of a closed evaluation."""

    __tablename__ = "evaluation_reports"

    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    content: Mapped[dict[str, Any]]


class WithdrawalRow(BaseRow):
    """An annotation that no longer counts, and why."""

    __tablename__ = "annotation_withdrawals"

    annotation_number: Mapped[int] = mapped_column(
        BIG, ForeignKey("annotations.number"), primary_key=True, autoincrement=False
    )
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]

"""Tables of evaluations, their models and published reports, and of configurations."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow, word
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.questions import QuestionSetRow
from arena.domain.terms import JsonObject
from arena.evaluations.domain.terms import Design, EvaluationState


class EvaluationRow(BaseRow):
    """One evaluation of a version of a question set; `digest` is the SHA-256 of its file once it is closed.

    `per_item` is the number of annotations that an item needs, `overlap` the number of items that everybody gets,
    `repeats` the share of hidden repeats, `attempts` how often an annotator gets an item at most. For drawn pairs,
    `draw` has their probabilities and the snapshot of the pair table. Annotators below `least_consistency` or
    `least_right` are left out. `restored_at` is when its answers were restored from files. `last_annotator` is the
    highest number among the labels of annotators. Within `margin` points a model is called not worse than another. The
    service asks the models since `running_at`; `stopped` has, by
    model, why the last run stopped asking it.
    """

    __tablename__ = "evaluations"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    set_id: Mapped[int] = mapped_column(ForeignKey(QuestionSetRow.id))
    protocol: Mapped[str] = mapped_column(String(40))
    design: Mapped[Design] = mapped_column(word(Design))
    draw: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    per_item: Mapped[int]
    overlap: Mapped[int]
    repeats: Mapped[float]
    attempts: Mapped[int] = mapped_column(server_default="2")
    least_consistency: Mapped[float | None]
    least_right: Mapped[float | None]
    temperature: Mapped[float | None]
    max_tokens: Mapped[int | None]
    margin: Mapped[float] = mapped_column(server_default="20", default=20.0)
    seed: Mapped[int]
    public: Mapped[bool]
    last_annotator: Mapped[int] = mapped_column(default=0)
    state: Mapped[EvaluationState] = mapped_column(word(EvaluationState))
    digest: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    restored_at: Mapped[datetime | None]
    running_at: Mapped[datetime | None]
    stopped: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))


class EvaluationModelRow(BaseRow):
    """One model of an evaluation; without an endpoint its answers or annotations come from files.

    `configuration` has version, digest and settings of a configuration, if it is one. `archive` is the
    SHA-256 of the file that the texts of its answers have been moved to.
    """

    __tablename__ = "evaluation_models"

    id: Mapped[int] = mapped_column(primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"))
    name: Mapped[str] = mapped_column(String(80))
    endpoint_id: Mapped[int | None] = mapped_column(ForeignKey(EndpointRow.id))
    archive: Mapped[str | None] = mapped_column(String(64))
    configuration: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))

    __table_args__ = (UniqueConstraint("evaluation_id", "name"),)


class ConfigurationRow(BaseRow):
    """An immutable version of a configuration: an endpoint and `settings` on top of its own.

    `digest` is the SHA-256 of name, endpoint and settings.
    """

    __tablename__ = "configurations"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    version: Mapped[int]
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id))
    settings: Mapped[JsonObject]
    digest: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("name", "version"),)


class EvaluationReportRow(BaseRow):
    """The report of a closed evaluation."""

    __tablename__ = "evaluation_reports"

    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id), primary_key=True)
    content: Mapped[JsonObject]


class JudgesReportRow(BaseRow):
    """The published report on the judges of an evaluation."""

    __tablename__ = "judges_reports"

    evaluation_id: Mapped[int] = mapped_column(ForeignKey(EvaluationRow.id), primary_key=True)
    content: Mapped[JsonObject]
    created_at: Mapped[datetime]


class PredictionReportRow(BaseRow):
    """A published report on evaluations as predictors of boards; the newest is shown."""

    __tablename__ = "prediction_reports"

    id: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[JsonObject]
    created_at: Mapped[datetime]

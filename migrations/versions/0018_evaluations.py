"""Evaluations by people, and the uses of endpoints beyond battles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("protocol", sa.String(length=40), nullable=False),
        sa.Column("design", sa.String(length=16), nullable=False),
        sa.Column("per_item", sa.Integer(), nullable=False),
        sa.Column("overlap", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Double(), nullable=False),
        sa.Column("temperature", sa.Double(), nullable=True),
        sa.Column("max_tokens", sa.Integer(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["set_id"], ["question_sets.id"], name=op.f("fk_evaluations_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluations")),
        sa.UniqueConstraint("name", name=op.f("uq_evaluations_name")),
    )
    op.create_table(
        "annotators",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=80), nullable=False),
        sa.Column("link", sa.String(length=64), nullable=True),
        sa.Column("voter_key", sa.String(length=64), nullable=True),
        sa.Column("reviewer", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_annotators_evaluation_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotators")),
        sa.UniqueConstraint("evaluation_id", "label", name=op.f("uq_annotators_evaluation_id_label")),
        sa.UniqueConstraint("evaluation_id", "voter_key", name=op.f("uq_annotators_evaluation_id_voter_key")),
        sa.UniqueConstraint("link", name=op.f("uq_annotators_link")),
    )
    op.create_table(
        "endpoint_uses",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("use", sa.String(length=16), nullable=False),
        sa.Column("daily_calls", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_endpoint_uses_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "use", name=op.f("pk_endpoint_uses")),
    )
    op.create_table(
        "evaluation_models",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_evaluation_models_endpoint_id")),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_evaluation_models_evaluation_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation_models")),
        sa.UniqueConstraint("evaluation_id", "name", name=op.f("uq_evaluation_models_evaluation_id_name")),
    )
    op.create_table(
        "use_calls",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("use", sa.String(length=16), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_use_calls_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "use", "day", name=op.f("pk_use_calls")),
    )
    op.create_table(
        "evaluation_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("texts", sa.JSON(), nullable=False),
        sa.Column("fault", sa.String(length=40), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=True),
        sa.Column("milliseconds", sa.Integer(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["evaluation_models.id"], name=op.f("fk_evaluation_answers_model_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_evaluation_answers_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation_answers")),
        sa.UniqueConstraint("model_id", "question_id", name=op.f("uq_evaluation_answers_model_id_question_id")),
    )
    op.create_table(
        "evaluation_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=True),
        sa.Column("form", sa.String(length=24), nullable=False),
        sa.Column("overlap", sa.Boolean(), nullable=False),
        sa.Column("needed", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("disputed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_evaluation_items_evaluation_id")),
        sa.ForeignKeyConstraint(["first_id"], ["evaluation_models.id"], name=op.f("fk_evaluation_items_first_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_evaluation_items_question_id")),
        sa.ForeignKeyConstraint(["second_id"], ["evaluation_models.id"], name=op.f("fk_evaluation_items_second_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation_items")),
        sa.UniqueConstraint("evaluation_id", "number", name=op.f("uq_evaluation_items_evaluation_id_number")),
        sa.UniqueConstraint(
            "question_id", "first_id", "second_id", name=op.f("uq_evaluation_items_question_id_first_id_second_id")
        ),
    )
    op.create_table(
        "annotations",
        sa.Column("number", BIG, nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("value", sa.String(length=80), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotators.id"], name=op.f("fk_annotations_annotator_id")),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_annotations_evaluation_id")),
        sa.ForeignKeyConstraint(["item_id"], ["evaluation_items.id"], name=op.f("fk_annotations_item_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_annotations")),
        sa.UniqueConstraint(
            "annotator_id",
            "item_id",
            "attempt",
            "round",
            name=op.f("uq_annotations_annotator_id_item_id_attempt_round"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_annotations_evaluation_id", "annotations", ["evaluation_id", "number"], unique=False)
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("shown_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotators.id"], name=op.f("fk_assignments_annotator_id")),
        sa.ForeignKeyConstraint(["item_id"], ["evaluation_items.id"], name=op.f("fk_assignments_item_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint(
            "annotator_id", "item_id", "attempt", name=op.f("uq_assignments_annotator_id_item_id_attempt")
        ),
        sa.UniqueConstraint("annotator_id", "position", name=op.f("uq_assignments_annotator_id_position")),
    )
    op.create_index("ix_assignments_state", "assignments", ["state", "shown_at"], unique=False)
    op.create_table(
        "annotation_withdrawals",
        sa.Column("annotation_number", BIG, autoincrement=False, nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["annotation_number"], ["annotations.number"], name=op.f("fk_annotation_withdrawals_annotation_number")
        ),
        sa.PrimaryKeyConstraint("annotation_number", name=op.f("pk_annotation_withdrawals")),
    )


def downgrade() -> None:
    op.drop_table("annotation_withdrawals")
    op.drop_index("ix_assignments_state", table_name="assignments")
    op.drop_table("assignments")
    op.drop_index("ix_annotations_evaluation_id", table_name="annotations")
    op.drop_table("annotations")
    op.drop_table("evaluation_items")
    op.drop_table("evaluation_answers")
    op.drop_table("use_calls")
    op.drop_table("evaluation_models")
    op.drop_table("endpoint_uses")
    op.drop_table("annotators")
    op.drop_table("evaluations")

"""Configurations of models, scores from logs of other tools, and runs of evaluations in the service."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0003"
down_revision = "r0002"


def upgrade() -> None:
    """Add both tables, and the columns of evaluations, their models and their answers."""
    op.create_table(
        "configurations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_configurations_endpoint_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_configurations")),
        sa.UniqueConstraint("name", "version", name=op.f("uq_configurations_name_version")),
    )
    op.create_table(
        "answer_scores",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("scorer", sa.String(length=80), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["evaluation_models.id"], name=op.f("fk_answer_scores_model_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_answer_scores_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer_scores")),
        sa.UniqueConstraint(
            "model_id", "question_id", "scorer", name=op.f("uq_answer_scores_model_id_question_id_scorer")
        ),
    )
    op.add_column("evaluation_models", sa.Column("configuration", sa.JSON(), nullable=True))
    op.add_column("evaluation_answers", sa.Column("sent", sa.Integer(), nullable=True))
    op.add_column("evaluations", sa.Column("running_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("evaluations", sa.Column("stopped", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Drop all of it."""
    for table, columns in {
        "evaluations": ("stopped", "running_at"),
        "evaluation_answers": ("sent",),
        "evaluation_models": ("configuration",),
    }.items():
        for column in columns:
            op.drop_column(table, column)
    op.drop_table("answer_scores")
    op.drop_table("configurations")

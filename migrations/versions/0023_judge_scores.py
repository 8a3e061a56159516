"""Scores and costs of judgements, and published reports on judges and on predictors."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("judgements", sa.Column("scores", sa.String(length=80), nullable=True))
    op.add_column("judgements", sa.Column("cost", sa.Double(), nullable=True))
    op.create_table(
        "judges_reports",
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_judges_reports_evaluation_id")),
        sa.PrimaryKeyConstraint("evaluation_id", name=op.f("pk_judges_reports")),
    )
    op.create_table(
        "prediction_reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prediction_reports")),
    )


def downgrade() -> None:
    op.drop_table("prediction_reports")
    op.drop_table("judges_reports")
    op.drop_column("judgements", "cost")
    op.drop_column("judgements", "scores")

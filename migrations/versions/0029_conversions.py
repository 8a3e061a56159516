"""Closed questions made from open ones by endpoints, and people's reviews of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "question_conversions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("endpoint", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("wording", sa.JSON(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_question_conversions_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_conversions")),
        sa.UniqueConstraint(
            *("question_id", "endpoint", "version"),
            name=op.f("uq_question_conversions_question_id_endpoint_version"),
        ),
    )
    op.create_table(
        "conversion_reviews",
        sa.Column("conversion_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("wording", sa.JSON(), nullable=True),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversion_id"], ["question_conversions.id"], name=op.f("fk_conversion_reviews_conversion_id")
        ),
        sa.PrimaryKeyConstraint("conversion_id", "number", name=op.f("pk_conversion_reviews")),
    )


def downgrade() -> None:
    op.drop_table("conversion_reviews")
    op.drop_table("question_conversions")

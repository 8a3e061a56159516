"""Questions that people write with their reviews, and areas of reviewers and annotators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0012"
down_revision = "r0011"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the empty tables, and the column; existing annotators have all areas."""
    op.create_table(
        "question_drafts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("set_name", sa.String(length=80), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("author", sa.String(length=80), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_drafts")),
        sa.UniqueConstraint("set_name", "name", name=op.f("uq_question_drafts_set_name_name")),
    )
    op.create_table(
        "draft_reviews",
        sa.Column("draft_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("decision", sa.String(length=24), nullable=False),
        sa.Column("body", sa.JSON(), nullable=True),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["draft_id"], ["question_drafts.id"], name=op.f("fk_draft_reviews_draft_id")),
        sa.PrimaryKeyConstraint("draft_id", "number", name=op.f("pk_draft_reviews")),
        sa.CheckConstraint(
            "decision IN ('confirmed', 'amended', 'rejected')", name=op.f("ck_draft_reviews_reviewdecision")
        ),
    )
    op.create_table(
        "question_reviewers",
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("area", sa.String(length=80), nullable=False),
        sa.PrimaryKeyConstraint("reviewer", "area", name=op.f("pk_question_reviewers")),
    )
    op.add_column("annotators", sa.Column("areas", sa.JSON(), server_default="[]", nullable=False))


def downgrade() -> None:
    """Drop them."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("ALTER TABLE annotators DROP COLUMN areas")
    else:
        op.drop_column("annotators", "areas")
    for table in ("question_reviewers", "draft_reviews", "question_drafts"):
        op.drop_table(table)

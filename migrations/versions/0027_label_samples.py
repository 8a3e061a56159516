"""Samples of prompts that people label."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "label_samples",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("label_set", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("vote_number", BIG, nullable=True),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("by_rules", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("(vote_number IS NULL) <> (question_id IS NULL)", name=op.f("ck_label_samples_one_subject")),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_label_samples_vote_number")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_label_samples_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_samples")),
        sa.UniqueConstraint("label_set", "number", name=op.f("uq_label_samples_label_set_number")),
    )


def downgrade() -> None:
    op.drop_table("label_samples")

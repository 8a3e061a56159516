"""Judgements of models on pairs of answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "judgements",
        sa.Column("number", BIG, nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=False),
        sa.Column("judge_id", sa.Integer(), nullable=False),
        sa.Column("rubric", sa.String(length=40), nullable=False),
        sa.Column("rubric_version", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("strong", sa.Boolean(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_judgements_evaluation_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_judgements_question_id")),
        sa.ForeignKeyConstraint(["first_id"], ["evaluation_models.id"], name=op.f("fk_judgements_first_id")),
        sa.ForeignKeyConstraint(["second_id"], ["evaluation_models.id"], name=op.f("fk_judgements_second_id")),
        sa.ForeignKeyConstraint(["judge_id"], ["endpoints.id"], name=op.f("fk_judgements_judge_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_judgements")),
        sa.UniqueConstraint(
            *("question_id", "turn", "first_id", "second_id", "judge_id", "rubric", "rubric_version", "swapped"),
            name="uq_judgements_pair",
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_judgements_evaluation_id", "judgements", ["evaluation_id", "number"])


def downgrade() -> None:
    op.drop_table("judgements")

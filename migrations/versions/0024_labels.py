"""Labels of prompts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    source = "label_set", "labeller", "version"
    op.create_table(
        "labels",
        sa.Column("number", BIG, nullable=False),
        sa.Column("vote_number", BIG, nullable=True),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("label_set", sa.String(length=40), nullable=False),
        sa.Column("labeller", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("(vote_number IS NULL) <> (question_id IS NULL)", name=op.f("ck_labels_one_subject")),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_labels_vote_number")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_labels_question_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_labels")),
        sa.UniqueConstraint("vote_number", *source, name="uq_labels_vote"),
        sa.UniqueConstraint("question_id", *source, name="uq_labels_question"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_labels_source", "labels", [*source, "number"])
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE TRIGGER hold_place BEFORE INSERT ON labels FOR EACH STATEMENT EXECUTE FUNCTION hold_place()")


def downgrade() -> None:
    op.drop_table("labels")

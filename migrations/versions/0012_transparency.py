"""Leaves, imports, checkpoints and keys of the transparency log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "log_leaves",
        sa.Column("number", BIG, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=True),
        sa.Column("vote_number", BIG, nullable=True),
        sa.Column("listed", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_log_leaves_vote_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_log_leaves")),
        sa.UniqueConstraint("vote_number", name=op.f("uq_log_leaves_vote_number")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_log_leaves_kind", "log_leaves", ["kind", "number"])
    op.create_table(
        "log_imports",
        sa.Column("first", BIG, autoincrement=False, nullable=False),
        sa.Column("last", BIG, nullable=False),
        sa.Column("file", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("first", name=op.f("pk_log_imports")),
    )
    op.create_table(
        "log_checkpoints",
        sa.Column("number", BIG, nullable=False),
        sa.Column("origin", sa.String(length=200), nullable=False),
        sa.Column("size", BIG, nullable=False),
        sa.Column("last_leaf", BIG, nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_log_checkpoints")),
        sa.UniqueConstraint("origin", "size", name=op.f("uq_log_checkpoints_origin_size")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "log_keys",
        sa.Column("number", BIG, nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("master", sa.String(length=16), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_log_keys")),
        sqlite_autoincrement=True,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER hold_place BEFORE INSERT ON log_leaves FOR EACH STATEMENT EXECUTE FUNCTION hold_place()"
        )


def downgrade() -> None:
    for table in ("log_keys", "log_checkpoints", "log_imports", "log_leaves"):
        op.drop_table(table)

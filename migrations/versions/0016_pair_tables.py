"""Pair tables, and battles that repeat an earlier one as a reason for not counting a vote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

OLD = ("identity_told", "identity_asked", "stopped", "too_fast", "neighbourhood_limit", "bot_check")
NEW = (*OLD, "repeated")
REASON = "ck_votes_notcounted"


def upgrade() -> None:
    op.create_table(
        "pair_tables",
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(length=24), nullable=False),
        sa.Column("endpoints", sa.JSON(), nullable=False),
        sa.Column("chances", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("snapshot_id", name=op.f("pk_pair_tables")),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshots.id"], name=op.f("fk_pair_tables_snapshot_id")),
        sa.CheckConstraint("rule IN ('uniform', 'near', 'rank')", name=op.f("ck_pair_tables_pairingrule")),
    )
    op.add_column("battles", sa.Column("repeated", sa.Boolean(), server_default=sa.false(), nullable=False))
    _reasons(NEW)


def _reasons(words: tuple[str, ...]) -> None:
    """Allow these values in the column."""
    condition = f"not_counted IN ({', '.join(repr(word) for word in words)})"
    with op.batch_alter_table("votes", table_kwargs={"sqlite_autoincrement": True}) as votes:
        votes.drop_constraint(op.f(REASON), type_="check")
        votes.create_check_constraint(op.f(REASON), condition)


def downgrade() -> None:
    op.execute(f"UPDATE votes SET not_counted = 'stopped' WHERE not_counted NOT IN {OLD}")  # noqa: S608 - no input
    _reasons(OLD)
    op.drop_column("battles", "repeated")
    op.drop_table("pair_tables")

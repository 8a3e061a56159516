"""Bot checks of voters, and their absence as a reason for not counting a vote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

OLD = ("identity_told", "identity_asked", "stopped", "too_fast", "neighbourhood_limit")
NEW = (*OLD, "bot_check")
REASON = "ck_votes_notcounted"


def upgrade() -> None:
    op.create_table(
        "bot_checks",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("verdict", sa.String(length=24), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_bot_checks")),
        sa.UniqueConstraint("challenge", name=op.f("uq_bot_checks_challenge")),
        sa.CheckConstraint("verdict IN ('pass', 'fail', 'unknown')", name=op.f("ck_bot_checks_botverdict")),
    )
    op.create_index(op.f("ix_bot_checks_voter_key_day"), "bot_checks", ["voter_key", "day"])
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
    op.drop_table("bot_checks")

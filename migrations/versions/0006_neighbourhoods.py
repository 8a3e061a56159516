"""Time of the first shown text, daily figures of neighbourhoods, and two more reasons for not counting a vote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

OLD = ("identity_told", "identity_asked", "stopped")
NEW = (*OLD, "too_fast", "neighbourhood_limit")
REASON = "ck_votes_notcounted"


def upgrade() -> None:
    for table in ("turns", "chat_turns"):
        op.add_column(table, sa.Column("shown_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "neighbourhoods",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("battles", "voted", "countable")),
        sa.Column("warned", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("day", "digest", name=op.f("pk_neighbourhoods")),
    )
    _reasons(NEW)


def _reasons(words: tuple[str, ...]) -> None:
    """Allow these values in the column; PostgreSQL checks a million votes in a fraction of a second."""
    condition = f"not_counted IN ({', '.join(repr(word) for word in words)})"
    with op.batch_alter_table("votes", table_kwargs={"sqlite_autoincrement": True}) as votes:
        votes.drop_constraint(op.f(REASON), type_="check")
        votes.create_check_constraint(op.f(REASON), condition)


def downgrade() -> None:
    op.execute(f"UPDATE votes SET not_counted = 'stopped' WHERE not_counted NOT IN {OLD}")  # noqa: S608 - no input
    _reasons(OLD)
    op.drop_table("neighbourhoods")
    for table in ("turns", "chat_turns"):
        op.drop_column(table, "shown_at")

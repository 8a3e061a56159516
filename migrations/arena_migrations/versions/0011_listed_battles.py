"""Battles that their voters let the page of the two models list."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0011"
down_revision = "r0010"


def upgrade() -> None:
    """Add the columns, empty: no link that exists is listed."""
    op.add_column("shares", sa.Column("listed_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("shares", sa.Column("pair", sa.String(24), nullable=True))
    op.create_index("ix_shares_pair_listed_at", "shares", ["pair", "listed_at"])


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index("ix_shares_pair_listed_at", "shares")
    with op.batch_alter_table("shares") as table:
        table.drop_column("pair")
        table.drop_column("listed_at")

"""Sittings that have ended before their cookies expire."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0017"
down_revision = "r0016"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "ended_sittings",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_ended_sittings")),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("ended_sittings")

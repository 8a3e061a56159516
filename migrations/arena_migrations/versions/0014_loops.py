"""States of the loops of background work."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0014"
down_revision = "r0013"


def upgrade() -> None:
    """Create the table, which the worker fills."""
    op.create_table(
        "loops",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("period", sa.Double(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("passed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("worked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.String(300), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_loops"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("loops")

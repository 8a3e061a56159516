"""Teams of annotators, annotators without hints, and planned trees of tasks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0009"
down_revision = "r0008"

COLUMNS = (("question_sets", "plan"), ("annotators", "hints"), ("annotators", "team"))


def upgrade() -> None:
    """Add them; existing annotators see hints, and have no team."""
    op.add_column("annotators", sa.Column("team", sa.String(24), server_default="", nullable=False))
    op.add_column("annotators", sa.Column("hints", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("question_sets", sa.Column("plan", sa.JSON(), server_default="[]", nullable=False))


def downgrade() -> None:
    """Drop them."""
    for table, name in COLUMNS:
        if op.get_bind().dialect.name == "sqlite":
            op.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
        else:
            op.drop_column(table, name)

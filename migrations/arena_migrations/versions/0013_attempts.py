"""How often an annotator gets an item that is asked again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0013"
down_revision = "r0012"


def upgrade() -> None:
    """Add the number; until now it was twice."""
    op.add_column("evaluations", sa.Column("attempts", sa.Integer(), server_default="2", nullable=False))


def downgrade() -> None:
    """Drop it."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("ALTER TABLE evaluations DROP COLUMN attempts")
    else:
        op.drop_column("evaluations", "attempts")

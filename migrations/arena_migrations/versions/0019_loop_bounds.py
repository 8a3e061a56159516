"""The age from which on a loop of background work is late, instead of ten periods for each."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0019"
down_revision = "r0018"


def upgrade() -> None:
    """Add the age; each process reports those of its loops within seconds."""
    op.add_column("loops", sa.Column("late_after", sa.Double(), server_default="600", nullable=False))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("loops", "late_after")

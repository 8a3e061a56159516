"""Whether an endpoint closes reasoning that it never opens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0016"
down_revision = "r0015"


def upgrade() -> None:
    """Add the mark; until a probe or an answer says so, none does."""
    op.add_column("endpoints", sa.Column("unopened", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Drop it."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("ALTER TABLE endpoints DROP COLUMN unopened")
    else:
        op.drop_column("endpoints", "unopened")

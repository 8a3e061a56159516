"""Pending changes of approved endpoints, and former aliases with the end of their validity."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("endpoints", sa.Column("former_aliases", sa.JSON(), server_default="[]", nullable=False))
    op.add_column("endpoints", sa.Column("pending", sa.JSON(), nullable=True))


def downgrade() -> None:
    for column in ("pending", "former_aliases"):
        op.drop_column("endpoints", column)

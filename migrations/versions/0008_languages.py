"""The languages that an endpoint can answer; none says any, as before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("endpoints", sa.Column("languages", sa.JSON(), server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("endpoints", "languages")

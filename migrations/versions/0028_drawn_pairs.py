"""Probabilities from which an evaluation draws its pairs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("evaluations", sa.Column("draw", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("evaluations", "draw")

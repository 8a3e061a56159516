"""Thresholds of an evaluation below which its annotators are left out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

THRESHOLDS = ("least_consistency", "least_right")


def upgrade() -> None:
    for name in THRESHOLDS:
        op.add_column("evaluations", sa.Column(name, sa.Double(), nullable=True))


def downgrade() -> None:
    for name in THRESHOLDS:
        op.drop_column("evaluations", name)

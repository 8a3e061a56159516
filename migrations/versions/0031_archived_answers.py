"""Answers of a closed evaluation may be in files: the digest of each model's, and when they were last put back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("evaluation_models", sa.Column("archive", sa.String(64), nullable=True))
    op.add_column("evaluations", sa.Column("restored_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("evaluations", "restored_at")
    op.drop_column("evaluation_models", "archive")

"""Reports of shared battles, and digests of what may not be shared again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "share_reports",
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("token", "reason", name=op.f("pk_share_reports")),
    )
    op.create_table(
        "share_blocks",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_share_blocks")),
    )


def downgrade() -> None:
    op.drop_table("share_blocks")
    op.drop_table("share_reports")

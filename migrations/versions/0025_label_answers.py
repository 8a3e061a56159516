"""Labels that endpoints gave."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "label_answers",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("labeller", sa.String(length=80), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("readable", sa.Boolean(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", "labeller", name=op.f("pk_label_answers")),
    )


def downgrade() -> None:
    op.drop_table("label_answers")

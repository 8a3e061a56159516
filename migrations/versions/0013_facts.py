"""Facts by which readers compare models: context, prices and energy, as told by their owners."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

FACTS = ("price_in", "price_out", "energy")


def upgrade() -> None:
    op.add_column("endpoints", sa.Column("context_tokens", sa.Integer(), nullable=True))
    for fact in FACTS:
        op.add_column("endpoints", sa.Column(fact, sa.Double(), nullable=True))


def downgrade() -> None:
    for fact in (*FACTS, "context_tokens"):
        op.drop_column("endpoints", fact)

"""Pairs of endpoints that serve the same weights, as an owner states and the other one or an operator confirms."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0021"
down_revision = "r0020"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "same_weights",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=False),
        sa.Column("stated_at", MOMENT, nullable=False),
        sa.Column("confirmed_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_same_weights_endpoint_id")),
        sa.ForeignKeyConstraint(["other_id"], ["endpoints.id"], name=op.f("fk_same_weights_other_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "other_id", name=op.f("pk_same_weights")),
    )
    op.create_index(op.f("ix_same_weights_other_id"), "same_weights", ["other_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("same_weights")

"""Owners who sign in by a provider."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0008"
down_revision = "r0007"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "owner_people",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], name=op.f("fk_owner_people_owner_id")),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_owner_people")),
    )
    op.create_index(op.f("ix_owner_people_owner_id"), "owner_people", ["owner_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("owner_people")

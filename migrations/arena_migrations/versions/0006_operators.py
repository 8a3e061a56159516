"""Operators with keys of their own, and the acts of all operators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0006"
down_revision = "r0005"

MOMENT = sa.DateTime(timezone=True)
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "operators",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("key_id", sa.String(16), nullable=True),
        sa.Column("key_digest", sa.String(64), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("withdrawn_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operators")),
        sa.UniqueConstraint("name", name=op.f("uq_operators_name")),
        sa.UniqueConstraint("key_id", name=op.f("uq_operators_key_id")),
    )
    op.create_table(
        "acts",
        sa.Column("number", BIG, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("who", sa.String(120), nullable=False),
        sa.Column("via", sa.String(40), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("target", sa.String(200), nullable=False),
        sa.Column("why", sa.String(500), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_acts")),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("acts")
    op.drop_table("operators")

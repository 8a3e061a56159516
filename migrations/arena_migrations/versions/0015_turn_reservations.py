"""Reservations of running turns, so that the sweeper can give them back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0015"
down_revision = "r0014"

_TABLES = ("turns", "chat_turns")


def upgrade() -> None:
    """Add the reservations; turns that run now have none."""
    for table in _TABLES:
        op.add_column(table, sa.Column("reservation", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    for table in _TABLES:
        if op.get_bind().dialect.name == "sqlite":
            op.execute(f"ALTER TABLE {table} DROP COLUMN reservation")
        else:
            op.drop_column(table, "reservation")

"""Indexes of the few snapshots and parts that still have their tables; boards of old gate runs, which nobody reads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0018"
down_revision = "r0017"

_WITH_TABLE = sa.text("payload IS NOT NULL")
_INDEXES = {
    "ix_snapshots_stored": ("snapshots", ["created_at"]),
    "ix_snapshot_parts_stored": ("snapshot_parts", ["snapshot_id"]),
}


def upgrade() -> None:
    """Create the indexes, and keep the boards of gate runs that closed a week or were the last of their day."""
    for name, (table, columns) in _INDEXES.items():
        op.create_index(name, table, columns, sqlite_where=_WITH_TABLE, postgresql_where=_WITH_TABLE)
    op.execute(
        "UPDATE gate_runs SET boards = '{}' WHERE week IS NULL AND number NOT IN"
        " (SELECT max(number) FROM gate_runs GROUP BY date(created_at))"
    )


def downgrade() -> None:
    """Drop the indexes; the boards stay deleted."""
    for name, (table, _) in _INDEXES.items():
        op.drop_index(name, table)

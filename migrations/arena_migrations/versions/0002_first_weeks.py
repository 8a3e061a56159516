"""The week in which a neighbourhood has first voted, with the origin of each vote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0002"
down_revision = "r0001"


def upgrade() -> None:
    """Add the column, unknown for votes so far, and the index by which a neighbourhood is recognised."""
    op.add_column("vote_origins", sa.Column("since", sa.Date(), nullable=True))
    op.create_index(op.f("ix_vote_origins_network"), "vote_origins", ["network"])


def downgrade() -> None:
    """Drop both."""
    op.drop_index(op.f("ix_vote_origins_network"), "vote_origins")
    op.drop_column("vote_origins", "since")

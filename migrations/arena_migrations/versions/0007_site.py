"""The operator's site: settings, pages by version, and the terms that a voter had accepted with each vote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0007"
down_revision = "r0006"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables and the column."""
    op.create_table(
        "site",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("changed_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site")),
    )
    op.create_table(
        "pages",
        sa.Column("page", sa.String(20), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("texts", sa.JSON(), nullable=False),
        sa.Column("published_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("page", "version", name=op.f("pk_pages")),
    )
    op.add_column("votes", sa.Column("terms", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("votes", "terms")
    op.drop_table("pages")
    op.drop_table("site")

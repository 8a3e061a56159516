"""Releases of conversations, each acceptance of the terms, and battles whose link was withdrawn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "releases",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("conversations", sa.Integer(), nullable=False),
        sa.Column("removed", sa.JSON(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=True),
        sa.Column("reviewed", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.Column("reviewed_by", sa.String(length=80), nullable=True),
        sa.Column("built_at", MOMENT, nullable=False),
        sa.Column("published_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_releases")),
    )
    op.add_column("battles", sa.Column("withdrawn", sa.Boolean(), server_default=sa.false(), nullable=False))
    _key("key", "terms")


def _key(*columns: str) -> None:
    """Make these columns the primary key of `voters`."""
    with op.batch_alter_table("voters") as voters:
        voters.drop_constraint(op.f("pk_voters"), type_="primary")
        voters.create_primary_key(op.f("pk_voters"), columns)


def downgrade() -> None:
    newer = "SELECT 1 FROM voters AS newer WHERE newer.key = voters.key AND newer.terms > voters.terms"
    op.execute(f"DELETE FROM voters WHERE EXISTS ({newer})")  # noqa: S608 - no input
    _key("key")
    op.drop_column("battles", "withdrawn")
    op.drop_table("releases")

"""The margin of an evaluation, in points, within which a model is called not worse than another."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0020"
down_revision = "r0019"


def upgrade() -> None:
    """Add the margin, with the default for evaluations that there are."""
    op.add_column("evaluations", sa.Column("margin", sa.Double(), server_default="20", nullable=False))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("evaluations", "margin")

"""Reports of closed evaluations, and the networks that annotators work from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "annotator_networks",
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotators.id"], name=op.f("fk_annotator_networks_annotator_id")),
        sa.PrimaryKeyConstraint("annotator_id", "digest", name=op.f("pk_annotator_networks")),
    )
    op.create_table(
        "evaluation_reports",
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluations.id"], name=op.f("fk_evaluation_reports_evaluation_id")
        ),
        sa.PrimaryKeyConstraint("evaluation_id", name=op.f("pk_evaluation_reports")),
    )


def downgrade() -> None:
    op.drop_table("evaluation_reports")
    op.drop_table("annotator_networks")

"""Published figures of endpoints' battles, and separate budgets and breakers of chats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "figures",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("as_of", sa.DateTime(timezone=True), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_figures_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", name=op.f("pk_figures")),
    )
    op.create_table(
        "chat_budgets",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_chat_budgets_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "day", name=op.f("pk_chat_budgets")),
    )
    # Calls of chats so far are among those of battles; counting them twice keeps every cap on the day of the upgrade.
    op.execute(
        "INSERT INTO chat_budgets (endpoint_id, day, calls, tokens) SELECT endpoint_id, day, calls, tokens FROM budgets"
    )
    op.add_column("breakers", sa.Column("chats", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("breakers", "chats")
    op.drop_table("chat_budgets")
    op.drop_table("figures")

"""Reasons of endpoints' changes of state as codes with parameters, beside the English sentence."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


CODES = {
    "registered": "registered",
    "to be probed": "to_be_probed",
    "added by the operator": "added",
    "by the operator": "by_operator",
    "by its owner": "by_owner",
    "by command": "by_command",
    "approved by the operator": "approved",
    "approved automatically": "approved_automatically",
    "passed its probe": "passed",
    "listed by its owner": "listed",
    "taken off the board": "unlisted",
    "changes approved": "changes_approved",
    "changes refused": "changes_refused",
}
"""Codes of the sentences without parameters; other sentences stay as they are."""


def upgrade() -> None:
    op.add_column("endpoint_changes", sa.Column("code", sa.String(length=40), nullable=True))
    op.add_column("endpoint_changes", sa.Column("params", sa.JSON(), nullable=True))
    changes = sa.table("endpoint_changes", sa.column("reason"), sa.column("code"))
    for reason, code in CODES.items():
        op.execute(changes.update().where(changes.c.reason == reason).values(code=code))


def downgrade() -> None:
    for column in ("params", "code"):
        op.drop_column("endpoint_changes", column)

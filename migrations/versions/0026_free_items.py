"""Indexes by which an annotator's next item, and what was said of an item, are found."""

from __future__ import annotations

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    place = "evaluation_id", "overlap", "disputed", "taken", "number"
    op.create_index("ix_evaluation_items_free", "evaluation_items", [*place])
    op.create_index("ix_annotations_item_id", "annotations", ["item_id"])


def downgrade() -> None:
    op.drop_index("ix_annotations_item_id", "annotations")
    op.drop_index("ix_evaluation_items_free", "evaluation_items")

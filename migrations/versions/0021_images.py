"""Images of prompts by digest, uploads that refer to them, digests that are blocked, and images of turns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
TURNS = ("turns", "chat_turns")


def upgrade() -> None:
    op.create_table(
        "images",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("media_type", sa.String(length=16), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_images")),
    )
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
        sa.ForeignKeyConstraint(["digest"], ["images.digest"], name=op.f("fk_uploads_digest")),
    )
    for column in ("digest", "voter_key", "expires_at"):
        op.create_index(op.f(f"ix_uploads_{column}"), "uploads", [column])
    op.create_table(
        "image_blocks",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_image_blocks")),
    )
    for table in TURNS:
        op.add_column(table, sa.Column("images", sa.JSON(), nullable=True))


def downgrade() -> None:
    for table in TURNS:
        op.drop_column(table, "images")
    op.drop_table("image_blocks")
    op.drop_table("uploads")
    op.drop_table("images")

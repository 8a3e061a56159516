"""Kinds of battles, and votes that count on the board of web pages alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0005"
down_revision = "r0004"

KINDS = "kind IN ('text', 'web_page')"
EARLIER = (
    "not_counted IN ('identity_told', 'identity_asked', 'stopped', 'too_fast', 'neighbourhood_limit',"
    " 'bot_check', 'repeated')"
)
REASONS = EARLIER.replace("'repeated'", "'repeated', 'web_page'")


def upgrade() -> None:
    """Add the kind, and allow the reason."""
    with op.batch_alter_table("battles", recreate="never") as battles:
        battles.add_column(
            sa.Column(
                "kind",
                sa.String(length=24),
                sa.CheckConstraint(KINDS, name=op.f("ck_battles_battlekind")),
                server_default="text",
                nullable=False,
            )
        )
    _allow(EARLIER, REASONS)


def downgrade() -> None:
    """Drop both; the reason of votes on web pages becomes `repeated`."""
    op.execute("UPDATE votes SET not_counted = 'repeated' WHERE not_counted = 'web_page'")
    _allow(REASONS, EARLIER)
    if op.get_bind().dialect.name == "sqlite":
        op.execute("ALTER TABLE battles DROP COLUMN kind")
    else:
        op.drop_column("battles", "kind")


def _allow(earlier: str, reasons: str) -> None:
    """Replace the constraint on reasons without copying rows."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(op.f("ck_votes_notcounted"), "votes", type_="check")
        op.execute(f"ALTER TABLE votes ADD CONSTRAINT ck_votes_notcounted CHECK ({reasons})")
        return
    # SQLite changes constraints by a copy of the table, which others refer to, or as here, by its manual's other way.
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    connection.exec_driver_sql(
        "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'votes'", (earlier, reasons)
    )
    sql = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = 'votes'").scalar_one()
    if reasons not in sql:
        raise RuntimeError("the table of votes has another constraint than the one of the migrations")
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")

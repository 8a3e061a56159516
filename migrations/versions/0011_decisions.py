"""Origins of votes, decisions of the vote gate, its runs, and objections of owners."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _origins()
    _decisions()
    _runs()
    _objections()
    op.add_column("snapshots", sa.Column("last_decision", BIG, server_default="0", nullable=False))


def _origins() -> None:
    op.create_table(
        "vote_origins",
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        sa.Column("network", sa.String(length=32), nullable=True),
        sa.Column("tier", sa.String(length=24), nullable=False),
        sa.Column("client", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["votes.number"], name=op.f("fk_vote_origins_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_vote_origins")),
        sa.CheckConstraint("tier IN ('pass', 'fail', 'unknown')", name=op.f("ck_vote_origins_botverdict")),
        sa.CheckConstraint("client IN ('desktop', 'phone', 'program')", name=op.f("ck_vote_origins_client")),
    )


def _decisions() -> None:
    op.create_table(
        "decisions",
        sa.Column("number", BIG, nullable=False),
        sa.Column("quarters", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=False),
        sa.Column("method", sa.String(length=40), nullable=False),
        sa.Column("votes", sa.JSON(), nullable=False),
        sa.Column("finding", sa.JSON(), nullable=True),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_decisions")),
        sa.CheckConstraint("quarters BETWEEN 0 AND 4", name=op.f("ck_decisions_quarters")),
        sqlite_autoincrement=True,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TRIGGER hold_place BEFORE INSERT ON decisions FOR EACH STATEMENT EXECUTE FUNCTION hold_place()"
        )


def _runs() -> None:
    op.create_table(
        "gate_runs",
        sa.Column("number", BIG, nullable=False),
        sa.Column("week", sa.Date(), nullable=True),
        sa.Column("last_vote", BIG, nullable=False),
        sa.Column("last_decision", BIG, nullable=False),
        sa.Column("method", sa.String(length=40), nullable=False),
        sa.Column("unlisted", sa.JSON(), nullable=False),
        sa.Column("awake", sa.Boolean(), nullable=False),
        sa.Column("networks", sa.Integer(), nullable=False),
        sa.Column("established", BIG, nullable=False),
        sa.Column("boards", sa.JSON(), nullable=False),
        sa.Column("audit", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_gate_runs")),
        sa.UniqueConstraint("week", name=op.f("uq_gate_runs_week")),
        sqlite_autoincrement=True,
    )


def _objections() -> None:
    op.create_table(
        "objections",
        sa.Column("number", BIG, nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=2000), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("answer", sa.String(length=2000), nullable=True),
        sa.Column("answered_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_objections_endpoint_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_objections")),
    )


def downgrade() -> None:
    op.drop_column("snapshots", "last_decision")
    for table in ("objections", "gate_runs", "decisions", "vote_origins"):
        op.drop_table(table)

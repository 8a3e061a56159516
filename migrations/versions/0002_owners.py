"""Owners with keys, states of endpoints, encrypted credentials, probes, budgets and fingerprints."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

OLD = ("active", "paused", "retired", "imported")
NEW = ("draft", "probing", "pending", "active", "paused", "suspended", "retired", "imported")
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)

LOGS = ("votes", "exclusions")
HOLD_PLACE = """
CREATE FUNCTION hold_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('arena.place_in_' || TG_TABLE_NAME, true), '') = '' THEN
    PERFORM pg_advisory_xact_lock_shared(TG_RELID::integer,
      coalesce(pg_sequence_last_value(pg_get_serial_sequence(TG_TABLE_NAME, 'number')::regclass), 0)::integer);
    PERFORM set_config('arena.place_in_' || TG_TABLE_NAME, 'held', true);
  END IF;
  RETURN NULL;
END $$
"""
"""Takes an advisory lock on the newest number, once per transaction before it draws its first number."""


def upgrade() -> None:
    with op.batch_alter_table("owners") as owners:
        owners.add_column(sa.Column("contact", sa.String(length=200), nullable=True))
        owners.add_column(sa.Column("key_id", sa.String(length=24), nullable=True))
        owners.add_column(sa.Column("key_digest", sa.String(length=64), nullable=True))
        owners.add_column(sa.Column("key_made_at", MOMENT, nullable=True))
        owners.create_unique_constraint(op.f("uq_owners_key_id"), ["key_id"])
    _states(NEW)
    with op.batch_alter_table("endpoints") as endpoints:
        for column in _columns():
            endpoints.add_column(column)
    _new_tables()
    op.create_index("ix_battles_state_created_at", "battles", ["state", "created_at"])
    for column in ("endpoint_a_id", "endpoint_b_id"):
        op.create_index(op.f(f"ix_battles_{column}"), "battles", [column])
    op.add_column("turns", sa.Column("process", sa.String(length=200), nullable=True))
    _whose_replies()
    _parts()
    _voters()
    _hold_places()


def _hold_places() -> None:
    """Let readers of a log see up to which number it is complete: only PostgreSQL commits numbers out of order."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(HOLD_PLACE)
        for log in LOGS:
            op.execute(
                f"CREATE TRIGGER hold_place BEFORE INSERT ON {log} FOR EACH STATEMENT EXECUTE FUNCTION hold_place()"
            )


def _free_places() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for log in LOGS:
            op.execute(f"DROP TRIGGER hold_place ON {log}")
        op.execute("DROP FUNCTION hold_place()")


def _columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("family", sa.String(length=80), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("preset", sa.String(length=40), nullable=True),
        sa.Column("open_weights", sa.Boolean(), nullable=True),
        sa.Column("billions", sa.Double(), nullable=True),
        sa.Column("challenge", sa.String(length=64), nullable=True),
        sa.Column("proven_at", MOMENT, nullable=True),
        sa.Column("probe_until", MOMENT, nullable=True),
        sa.Column("daily_calls", sa.Integer(), nullable=True),
        sa.Column("daily_tokens", sa.Integer(), nullable=True),
    ]


def _states(words: tuple[str, ...]) -> None:
    """Allow these values in the column."""
    named, weight = op.f("ck_endpoints_endpointstate"), op.f("ck_endpoints_weight")
    with op.batch_alter_table("endpoints") as endpoints:
        endpoints.drop_constraint(named, type_="check")
        endpoints.create_check_constraint(named, f"state IN ({', '.join(repr(word) for word in words)})")
        if words is NEW:
            endpoints.create_check_constraint(weight, "weight >= 0")
        else:
            endpoints.drop_constraint(weight, type_="check")


def _new_tables() -> None:
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("epoch", BIG, nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.create_table(
        "flags",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("changed_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_flags")),
    )
    op.create_table(
        "credentials",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("origin", sa.String(length=300), nullable=False),
        sa.Column("master", sa.String(length=16), nullable=False),
        sa.Column("wrapped", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_credentials_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", name=op.f("pk_credentials")),
    )
    op.create_table(
        "endpoint_changes",
        sa.Column("number", BIG, nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("before", _state("before"), nullable=True),
        sa.Column("after", _state("after"), nullable=False),
        sa.Column("actor", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_endpoint_changes_endpoint_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_endpoint_changes")),
    )
    op.create_index(op.f("ix_endpoint_changes_endpoint_id"), "endpoint_changes", ["endpoint_id"])
    op.create_table(
        "probes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_probes_endpoint_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_probes")),
    )
    op.create_index(op.f("ix_probes_endpoint_id"), "probes", ["endpoint_id"])
    op.create_table(
        "budgets",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_budgets_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "day", name=op.f("pk_budgets")),
    )
    op.create_table(
        "fingerprints",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("p_value", sa.Double(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_fingerprints_endpoint_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fingerprints")),
    )
    op.create_index(op.f("ix_fingerprints_endpoint_id"), "fingerprints", ["endpoint_id"])


def _state(name: str) -> sa.Enum:
    return sa.Enum(*NEW, name=name, native_enum=False, create_constraint=True, length=24)


def _whose_replies() -> None:
    """Store the endpoint of each reply, so that an endpoint's calls are found without a join to battles."""
    with op.batch_alter_table("replies") as replies:
        replies.add_column(sa.Column("endpoint_id", sa.Integer(), nullable=True))
        replies.add_column(sa.Column("reasoning", sa.Text(), nullable=True))
    op.execute(
        "UPDATE replies SET endpoint_id = (SELECT CASE replies.side WHEN 'a' THEN battles.endpoint_a_id"
        " ELSE battles.endpoint_b_id END FROM turns JOIN battles ON battles.id = turns.battle_id"
        " WHERE turns.id = replies.turn_id)"
    )
    with op.batch_alter_table("replies") as replies:
        replies.alter_column("endpoint_id", existing_type=sa.Integer(), nullable=False)
        replies.create_foreign_key(op.f("fk_replies_endpoint_id"), "endpoints", ["endpoint_id"], ["id"])
        replies.create_index("ix_replies_endpoint_id_id", ["endpoint_id", "id"])


def _voters() -> None:
    """Accepted terms, remarks after the vote, shared battles, and an index for counting the votes of a pair."""
    op.create_table(
        "voters",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("terms", sa.Integer(), nullable=False),
        sa.Column("accepted_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_voters")),
    )
    side = sa.Enum("a", "b", name="side", native_enum=False, create_constraint=True, length=24)
    op.create_table(
        "remarks",
        sa.Column("number", BIG, nullable=False),
        sa.Column("vote_number", BIG, nullable=False),
        sa.Column("side", side, nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("stars", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_remarks_vote_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_remarks")),
        sa.UniqueConstraint("vote_number", "side", name=op.f("uq_remarks_vote_number_side")),
    )
    op.create_table(
        "shares",
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("battle_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name=op.f("fk_shares_battle_id")),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_shares")),
        sa.UniqueConstraint("battle_id", name=op.f("uq_shares_battle_id")),
    )
    op.create_index("ix_votes_pair", "votes", ["endpoint_a_id", "endpoint_b_id", "not_counted", "outcome"])


def _parts() -> None:
    """Slice boards of a snapshot, and style features of a vote."""
    op.add_column("votes", sa.Column("style", sa.JSON(), nullable=True))
    op.create_table(
        "snapshot_parts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("category", sa.String(length=40), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("votes", BIG, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshots.id"], name=op.f("fk_snapshot_parts_snapshot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshot_parts")),
        sa.UniqueConstraint(
            *("snapshot_id", "kind", "category", "language"),
            name=op.f("uq_snapshot_parts_snapshot_id_kind_category_language"),
        ),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    _free_places()
    op.drop_table("snapshot_parts")
    op.drop_column("votes", "style")
    op.drop_index("ix_votes_pair", "votes")
    for table in ("shares", "remarks", "voters"):
        op.drop_table(table)
    with op.batch_alter_table("replies") as replies:
        replies.drop_index("ix_replies_endpoint_id_id")
        replies.drop_constraint(op.f("fk_replies_endpoint_id"), type_="foreignkey")
        replies.drop_column("endpoint_id")
        replies.drop_column("reasoning")
    op.drop_column("turns", "process")
    for column in ("state_created_at", "endpoint_a_id", "endpoint_b_id"):
        op.drop_index(f"ix_battles_{column}", "battles")
    for table in ("fingerprints", "budgets", "probes", "endpoint_changes", "credentials", "flags", "leases"):
        op.drop_table(table)
    with op.batch_alter_table("endpoints") as endpoints:
        for column in _columns():
            endpoints.drop_column(column.name)
    op.execute("UPDATE endpoints SET state = 'paused' WHERE state NOT IN ('active', 'paused', 'retired', 'imported')")
    _states(OLD)
    with op.batch_alter_table("owners") as owners:
        owners.drop_constraint(op.f("uq_owners_key_id"), type_="unique")
        for column in ("key_made_at", "key_digest", "key_id", "contact"):
            owners.drop_column(column)

"""Initial tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "owners",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owners")),
        sa.UniqueConstraint("name", name=op.f("uq_owners_name")),
    )
    op.create_table(
        "snapshots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(length=40), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("code_version", sa.String(length=40), nullable=False),
        sa.Column("last_vote", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("last_exclusion", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("votes", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshots")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "endpoints",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("dialect", sa.String(length=40), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("wire_model", sa.String(length=200), nullable=False),
        sa.Column("key_env", sa.String(length=80), nullable=True),
        sa.Column("system_prompt", sa.Text(), nullable=True),
        sa.Column("temperature", sa.Double(), nullable=True),
        sa.Column("top_p", sa.Double(), nullable=True),
        sa.Column("max_tokens", sa.Integer(), nullable=True),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("group_name", sa.String(length=40), nullable=True),
        sa.Column("aliases", sa.JSON(), nullable=False),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "active",
                "paused",
                "retired",
                "imported",
                name="endpointstate",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("licence", sa.String(length=80), nullable=True),
        sa.Column("link", sa.String(length=500), nullable=True),
        sa.Column("description_en", sa.String(length=500), nullable=True),
        sa.Column("description_zh", sa.String(length=500), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], name=op.f("fk_endpoints_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_endpoints")),
        sa.UniqueConstraint("name", name=op.f("uq_endpoints_name")),
    )
    op.create_table(
        "battles",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("endpoint_a_id", sa.Integer(), nullable=False),
        sa.Column("endpoint_b_id", sa.Integer(), nullable=False),
        sa.Column("probability", sa.Double(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "open",
                "voted",
                "abandoned",
                "void",
                name="battlestate",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=False,
        ),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("endpoint_a_id <> endpoint_b_id", name=op.f("ck_battles_two_endpoints")),
        sa.ForeignKeyConstraint(["endpoint_a_id"], ["endpoints.id"], name=op.f("fk_battles_endpoint_a_id")),
        sa.ForeignKeyConstraint(["endpoint_b_id"], ["endpoints.id"], name=op.f("fk_battles_endpoint_b_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battles")),
    )
    with op.batch_alter_table("battles", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_battles_voter_key"), ["voter_key"], unique=False)

    op.create_table(
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("battle_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "running", "ready", "failed", name="turnstate", native_enum=False, create_constraint=True, length=24
            ),
            nullable=False,
        ),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name=op.f("fk_turns_battle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint("battle_id", "number", name=op.f("uq_turns_battle_id_number")),
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index("ix_turns_state_deadline_at", ["state", "deadline_at"], unique=False)

    op.create_table(
        "votes",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("battle_id", sa.String(length=32), nullable=True),
        sa.Column(
            "outcome",
            sa.Enum("a", "b", "tie", "both_bad", name="outcome", native_enum=False, create_constraint=True, length=24),
            nullable=False,
        ),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("idempotency_key", sa.String(length=255), nullable=True),
        sa.Column("endpoint_a_id", sa.Integer(), nullable=False),
        sa.Column("endpoint_b_id", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=True),
        sa.Column("category", sa.String(length=40), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column(
            "not_counted",
            sa.Enum(
                "identity_told",
                "identity_asked",
                "stopped",
                name="notcounted",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=True,
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("endpoint_a_id <> endpoint_b_id", name=op.f("ck_votes_two_endpoints")),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name=op.f("fk_votes_battle_id")),
        sa.ForeignKeyConstraint(["endpoint_a_id"], ["endpoints.id"], name=op.f("fk_votes_endpoint_a_id")),
        sa.ForeignKeyConstraint(["endpoint_b_id"], ["endpoints.id"], name=op.f("fk_votes_endpoint_b_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_votes")),
        sa.UniqueConstraint("battle_id", name=op.f("uq_votes_battle_id")),
        sa.UniqueConstraint("id", name=op.f("uq_votes_id")),
        sa.UniqueConstraint("voter_key", "idempotency_key", name=op.f("uq_votes_voter_key_idempotency_key")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "exclusions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("vote_number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_exclusions_vote_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_exclusions")),
        sa.UniqueConstraint("vote_number", name=op.f("uq_exclusions_vote_number")),
    )
    op.create_table(
        "replies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column(
            "side", sa.Enum("a", "b", name="side", native_enum=False, create_constraint=True, length=24), nullable=False
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column(
            "finish",
            sa.Enum(
                "stop",
                "length",
                "filter",
                "stopped",
                name="finish",
                native_enum=False,
                create_constraint=True,
                length=24,
            ),
            nullable=True,
        ),
        sa.Column("error", sa.String(length=40), nullable=True),
        sa.Column("first_token_ms", sa.Integer(), nullable=True),
        sa.Column("total_ms", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_replies_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replies")),
        sa.UniqueConstraint("turn_id", "generation", "side", name=op.f("uq_replies_turn_id_generation_side")),
    )


def downgrade() -> None:
    op.drop_table("replies")
    op.drop_table("exclusions")
    op.drop_table("votes")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_index("ix_turns_state_deadline_at")

    op.drop_table("turns")
    with op.batch_alter_table("battles", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_battles_voter_key"))

    op.drop_table("battles")
    op.drop_table("endpoints")
    op.drop_table("snapshots")
    op.drop_table("owners")

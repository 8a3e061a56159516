"""All tables; on PostgreSQL also the advisory locks on the numbers of append-only logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r0001"
down_revision = None
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)

TABLES = (
    "owners",
    "endpoints",
    "breakers",
    "budgets",
    "chat_budgets",
    "credentials",
    "endpoint_changes",
    "figures",
    "fingerprints",
    "probes",
    "battles",
    "turns",
    "replies",
    "votes",
    "exclusions",
    "remarks",
    "snapshots",
    "pair_tables",
    "snapshot_parts",
    "neighbourhoods",
    "voters",
    "shares",
    "bot_checks",
    "decisions",
    "gate_runs",
    "objections",
    "vote_origins",
    "log_checkpoints",
    "log_imports",
    "log_keys",
    "log_leaves",
    "unlogged_votes",
    "chats",
    "chat_turns",
    "chat_replies",
    "chat_votes",
    "image_blocks",
    "images",
    "uploads",
    "share_blocks",
    "share_reports",
    "flags",
    "leases",
    "question_sets",
    "questions",
    "evaluations",
    "annotators",
    "endpoint_uses",
    "evaluation_models",
    "evaluation_reports",
    "use_calls",
    "annotator_networks",
    "evaluation_answers",
    "evaluation_items",
    "annotations",
    "assignments",
    "annotation_withdrawals",
    "prediction_reports",
    "judges_reports",
    "judgements",
    "question_conversions",
    "conversion_reviews",
    "label_answers",
    "labels",
    "label_samples",
    "releases",
)
"""A table comes after those that its foreign keys name."""

LOGS = ("votes", "exclusions", "decisions", "log_leaves", "labels")
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
"""Take a shared advisory lock on the newest number, once per transaction, before it draws its first number."""


def upgrade() -> None:
    _owners()
    _endpoints()
    _battles()
    _votes()
    _snapshots()
    _voters()
    _integrity()
    _transparency()
    _chats()
    _images()
    _takedowns()
    _operations()
    _questions()
    _evaluations()
    _judgements()
    _conversions()
    _labels()
    _label_samples()
    _releases()
    if op.get_bind().dialect.name == "postgresql":
        _hold_places()


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION hold_place()")


def _hold_places() -> None:
    """Show readers of a log up to which number it is complete: only PostgreSQL commits numbers out of order."""
    op.execute(HOLD_PLACE)
    for log in LOGS:
        op.execute(f"CREATE TRIGGER hold_place BEFORE INSERT ON {log} FOR EACH STATEMENT EXECUTE FUNCTION hold_place()")


def _owners() -> None:
    op.create_table(
        "owners",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("contact", sa.String(length=200), nullable=True),
        sa.Column("key_id", sa.String(length=24), nullable=True),
        sa.Column("key_digest", sa.String(length=64), nullable=True),
        sa.Column("key_made_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owners")),
        sa.UniqueConstraint("key_id", name=op.f("uq_owners_key_id")),
        sa.UniqueConstraint("name", name=op.f("uq_owners_name")),
    )


def _endpoints() -> None:
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
        sa.Column("languages", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("vision", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("former_aliases", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("pending", sa.JSON(), nullable=True),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.Column("standby", sa.Boolean(), nullable=False),
        sa.Column("listed", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("family", sa.String(length=80), nullable=True),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("preset", sa.String(length=40), nullable=True),
        sa.Column("open_weights", sa.Boolean(), nullable=True),
        sa.Column("billions", sa.Double(), nullable=True),
        sa.Column("context_tokens", sa.Integer(), nullable=True),
        sa.Column("price_in", sa.Double(), nullable=True),
        sa.Column("price_out", sa.Double(), nullable=True),
        sa.Column("energy", sa.Double(), nullable=True),
        sa.Column("challenge", sa.String(length=64), nullable=True),
        sa.Column("proven_at", MOMENT, nullable=True),
        sa.Column("probe_until", MOMENT, nullable=True),
        sa.Column("daily_calls", sa.Integer(), nullable=True),
        sa.Column("daily_tokens", sa.Integer(), nullable=True),
        sa.Column("licence", sa.String(length=80), nullable=True),
        sa.Column("link", sa.String(length=500), nullable=True),
        sa.Column("description_en", sa.String(length=500), nullable=True),
        sa.Column("description_zh", sa.String(length=500), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], name=op.f("fk_endpoints_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_endpoints")),
        sa.CheckConstraint("weight >= 0", name=op.f("ck_endpoints_weight")),
        sa.CheckConstraint(
            "state IN ('draft', 'probing', 'pending', 'active', 'paused', 'suspended', 'retired', 'imported')",
            name=op.f("ck_endpoints_endpointstate"),
        ),
        sa.UniqueConstraint("name", name=op.f("uq_endpoints_name")),
    )
    op.create_table(
        "breakers",
        sa.Column("process", sa.String(length=16), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("chats", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_breakers_endpoint_id")),
        sa.PrimaryKeyConstraint("process", "endpoint_id", name=op.f("pk_breakers")),
    )
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
        "chat_budgets",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_chat_budgets_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "day", name=op.f("pk_chat_budgets")),
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
        sa.Column("before", sa.String(length=24), nullable=True),
        sa.Column("after", sa.String(length=24), nullable=False),
        sa.Column("actor", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=True),
        sa.Column("params", sa.JSON(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_endpoint_changes_endpoint_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_endpoint_changes")),
        sa.CheckConstraint(
            "after IN ('draft', 'probing', 'pending', 'active', 'paused', 'suspended', 'retired', 'imported')",
            name=op.f("ck_endpoint_changes_after"),
        ),
        sa.CheckConstraint(
            "before IN ('draft', 'probing', 'pending', 'active', 'paused', 'suspended', 'retired', 'imported')",
            name=op.f("ck_endpoint_changes_before"),
        ),
    )
    op.create_index(op.f("ix_endpoint_changes_endpoint_id"), "endpoint_changes", ["endpoint_id"])
    op.create_table(
        "figures",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("as_of", MOMENT, nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_figures_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", name=op.f("pk_figures")),
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


def _battles() -> None:
    op.create_table(
        "battles",
        sa.Column("endpoint_a_id", sa.Integer(), nullable=False),
        sa.Column("endpoint_b_id", sa.Integer(), nullable=False),
        sa.Column("probability", sa.Double(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("repeated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.CheckConstraint("endpoint_a_id <> endpoint_b_id", name=op.f("ck_battles_two_endpoints")),
        sa.ForeignKeyConstraint(["endpoint_a_id"], ["endpoints.id"], name=op.f("fk_battles_endpoint_a_id")),
        sa.ForeignKeyConstraint(["endpoint_b_id"], ["endpoints.id"], name=op.f("fk_battles_endpoint_b_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battles")),
        sa.CheckConstraint("state IN ('open', 'voted', 'abandoned', 'void')", name=op.f("ck_battles_battlestate")),
    )
    op.create_index(op.f("ix_battles_endpoint_a_id"), "battles", ["endpoint_a_id"])
    op.create_index(op.f("ix_battles_endpoint_b_id"), "battles", ["endpoint_b_id"])
    op.create_index("ix_battles_state_created_at", "battles", ["state", "created_at"])
    op.create_index(op.f("ix_battles_voter_key"), "battles", ["voter_key"])
    op.create_table(
        "turns",
        sa.Column("battle_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("images", sa.JSON(), nullable=True),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("shown_at", MOMENT, nullable=True),
        sa.Column("process", sa.String(length=200), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("deadline_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name=op.f("fk_turns_battle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.CheckConstraint("state IN ('running', 'ready', 'failed')", name=op.f("ck_turns_turnstate")),
        sa.UniqueConstraint("battle_id", "number", name=op.f("uq_turns_battle_id_number")),
    )
    op.create_index("ix_turns_state_deadline_at", "turns", ["state", "deadline_at"])
    op.create_table(
        "replies",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("side", sa.String(length=24), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("finish", sa.String(length=24), nullable=True),
        sa.Column("error", sa.String(length=40), nullable=True),
        sa.Column("first_token_ms", sa.Integer(), nullable=True),
        sa.Column("total_ms", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_replies_endpoint_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_replies_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replies")),
        sa.CheckConstraint("finish IN ('stop', 'length', 'filter', 'stopped')", name=op.f("ck_replies_finish")),
        sa.CheckConstraint("side IN ('a', 'b')", name=op.f("ck_replies_side")),
        sa.UniqueConstraint("turn_id", "generation", "side", name=op.f("uq_replies_turn_id_generation_side")),
    )
    op.create_index("ix_replies_endpoint_id_id", "replies", ["endpoint_id", "id"])


def _votes() -> None:
    op.create_table(
        "votes",
        sa.Column("number", BIG, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("battle_id", sa.String(length=32), nullable=True),
        sa.Column("outcome", sa.String(length=24), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("idempotency_key", sa.String(length=255), nullable=True),
        sa.Column("endpoint_a_id", sa.Integer(), nullable=False),
        sa.Column("endpoint_b_id", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=True),
        sa.Column("category", sa.String(length=40), nullable=True),
        sa.Column("style", sa.JSON(), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("not_counted", sa.String(length=24), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("endpoint_a_id <> endpoint_b_id", name=op.f("ck_votes_two_endpoints")),
        sa.ForeignKeyConstraint(["battle_id"], ["battles.id"], name=op.f("fk_votes_battle_id")),
        sa.ForeignKeyConstraint(["endpoint_a_id"], ["endpoints.id"], name=op.f("fk_votes_endpoint_a_id")),
        sa.ForeignKeyConstraint(["endpoint_b_id"], ["endpoints.id"], name=op.f("fk_votes_endpoint_b_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_votes")),
        sa.CheckConstraint(
            "not_counted IN ('identity_told', 'identity_asked', 'stopped', 'too_fast', 'neighbourhood_limit',"
            " 'bot_check', 'repeated')",
            name=op.f("ck_votes_notcounted"),
        ),
        sa.CheckConstraint("outcome IN ('a', 'b', 'tie', 'both_bad')", name=op.f("ck_votes_outcome")),
        sa.UniqueConstraint("battle_id", name=op.f("uq_votes_battle_id")),
        sa.UniqueConstraint("id", name=op.f("uq_votes_id")),
        sa.UniqueConstraint("voter_key", "idempotency_key", name=op.f("uq_votes_voter_key_idempotency_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_votes_pair", "votes", ["endpoint_a_id", "endpoint_b_id", "not_counted", "outcome"], unique=False
    )
    op.create_table(
        "exclusions",
        sa.Column("number", BIG, nullable=False),
        sa.Column("vote_number", BIG, nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_exclusions_vote_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_exclusions")),
        sa.UniqueConstraint("vote_number", name=op.f("uq_exclusions_vote_number")),
    )
    op.create_table(
        "remarks",
        sa.Column("number", BIG, nullable=False),
        sa.Column("vote_number", BIG, nullable=False),
        sa.Column("side", sa.String(length=24), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("stars", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_remarks_vote_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_remarks")),
        sa.CheckConstraint("side IN ('a', 'b')", name=op.f("ck_remarks_side")),
        sa.UniqueConstraint("vote_number", "side", name=op.f("uq_remarks_vote_number_side")),
    )


def _snapshots() -> None:
    op.create_table(
        "snapshots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("method", sa.String(length=40), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("code_version", sa.String(length=40), nullable=False),
        sa.Column("last_vote", BIG, nullable=False),
        sa.Column("last_exclusion", BIG, nullable=False),
        sa.Column("last_decision", BIG, server_default="0", nullable=False),
        sa.Column("votes", BIG, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshots")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "pair_tables",
        sa.Column("snapshot_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(length=24), nullable=False),
        sa.Column("endpoints", sa.JSON(), nullable=False),
        sa.Column("chances", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["snapshot_id"], ["snapshots.id"], name=op.f("fk_pair_tables_snapshot_id")),
        sa.PrimaryKeyConstraint("snapshot_id", name=op.f("pk_pair_tables")),
        sa.CheckConstraint("rule IN ('uniform', 'near', 'rank')", name=op.f("ck_pair_tables_pairingrule")),
    )
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
            "snapshot_id",
            "kind",
            "category",
            "language",
            name=op.f("uq_snapshot_parts_snapshot_id_kind_category_language"),
        ),
        sqlite_autoincrement=True,
    )


def _voters() -> None:
    op.create_table(
        "neighbourhoods",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("battles", sa.Integer(), nullable=False),
        sa.Column("voted", sa.Integer(), nullable=False),
        sa.Column("countable", sa.Integer(), nullable=False),
        sa.Column("warned", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("day", "digest", name=op.f("pk_neighbourhoods")),
    )
    op.create_table(
        "voters",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("terms", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("accepted_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("key", "terms", name=op.f("pk_voters")),
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


def _integrity() -> None:
    op.create_table(
        "bot_checks",
        sa.Column("number", BIG, nullable=False),
        sa.Column("challenge", sa.String(length=64), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("verdict", sa.String(length=24), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_bot_checks")),
        sa.CheckConstraint("verdict IN ('pass', 'fail', 'unknown')", name=op.f("ck_bot_checks_botverdict")),
        sa.UniqueConstraint("challenge", name=op.f("uq_bot_checks_challenge")),
    )
    op.create_index(op.f("ix_bot_checks_voter_key_day"), "bot_checks", ["voter_key", "day"])
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
        sa.CheckConstraint("quarters BETWEEN 0 AND 4", name=op.f("ck_decisions_quarters")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_decisions")),
        sqlite_autoincrement=True,
    )
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
    op.create_table(
        "vote_origins",
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        sa.Column("network", sa.String(length=32), nullable=True),
        sa.Column("tier", sa.String(length=24), nullable=False),
        sa.Column("client", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["votes.number"], name=op.f("fk_vote_origins_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_vote_origins")),
        sa.CheckConstraint("client IN ('desktop', 'phone', 'program')", name=op.f("ck_vote_origins_client")),
        sa.CheckConstraint("tier IN ('pass', 'fail', 'unknown')", name=op.f("ck_vote_origins_botverdict")),
    )


def _transparency() -> None:
    op.create_table(
        "log_checkpoints",
        sa.Column("number", BIG, nullable=False),
        sa.Column("origin", sa.String(length=200), nullable=False),
        sa.Column("size", BIG, nullable=False),
        sa.Column("last_leaf", BIG, nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_log_checkpoints")),
        sa.UniqueConstraint("origin", "size", name=op.f("uq_log_checkpoints_origin_size")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "log_imports",
        sa.Column("first", BIG, autoincrement=False, nullable=False),
        sa.Column("last", BIG, nullable=False),
        sa.Column("votes", BIG, nullable=False),
        sa.Column("file", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("first", name=op.f("pk_log_imports")),
    )
    op.create_table(
        "log_keys",
        sa.Column("number", BIG, nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("master", sa.String(length=16), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_log_keys")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "log_leaves",
        sa.Column("number", BIG, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=True),
        sa.Column("vote_number", BIG, nullable=True),
        sa.Column("listed", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_log_leaves_vote_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_log_leaves")),
        sa.UniqueConstraint("vote_number", name=op.f("uq_log_leaves_vote_number")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_log_leaves_kind", "log_leaves", ["kind", "number"])
    op.create_table(
        "unlogged_votes",
        sa.Column("number", BIG, autoincrement=False, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.Column("leaf", BIG, nullable=True),
        sa.ForeignKeyConstraint(["leaf"], ["log_leaves.number"], name=op.f("fk_unlogged_votes_leaf")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_unlogged_votes")),
    )


def _chats() -> None:
    op.create_table(
        "chats",
        sa.Column("endpoint_a_id", sa.Integer(), nullable=False),
        sa.Column("endpoint_b_id", sa.Integer(), nullable=True),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.CheckConstraint("endpoint_a_id <> endpoint_b_id", name=op.f("ck_chats_two_endpoints")),
        sa.ForeignKeyConstraint(["endpoint_a_id"], ["endpoints.id"], name=op.f("fk_chats_endpoint_a_id")),
        sa.ForeignKeyConstraint(["endpoint_b_id"], ["endpoints.id"], name=op.f("fk_chats_endpoint_b_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chats")),
        sa.CheckConstraint("state IN ('open', 'voted', 'abandoned', 'void')", name=op.f("ck_chats_battlestate")),
    )
    op.create_index("ix_chats_state_created_at", "chats", ["state", "created_at"])
    op.create_index(op.f("ix_chats_voter_key"), "chats", ["voter_key"])
    op.create_table(
        "chat_turns",
        sa.Column("chat_id", sa.String(length=32), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("images", sa.JSON(), nullable=True),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("shown_at", MOMENT, nullable=True),
        sa.Column("process", sa.String(length=200), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("deadline_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["chat_id"], ["chats.id"], name=op.f("fk_chat_turns_chat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_turns")),
        sa.CheckConstraint("state IN ('running', 'ready', 'failed')", name=op.f("ck_chat_turns_turnstate")),
        sa.UniqueConstraint("chat_id", "number", name=op.f("uq_chat_turns_chat_id_number")),
    )
    op.create_index("ix_chat_turns_state_deadline_at", "chat_turns", ["state", "deadline_at"])
    op.create_table(
        "chat_replies",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("side", sa.String(length=24), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("finish", sa.String(length=24), nullable=True),
        sa.Column("error", sa.String(length=40), nullable=True),
        sa.Column("first_token_ms", sa.Integer(), nullable=True),
        sa.Column("total_ms", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_chat_replies_endpoint_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["chat_turns.id"], name=op.f("fk_chat_replies_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_replies")),
        sa.CheckConstraint("finish IN ('stop', 'length', 'filter', 'stopped')", name=op.f("ck_chat_replies_finish")),
        sa.CheckConstraint("side IN ('a', 'b')", name=op.f("ck_chat_replies_side")),
        sa.UniqueConstraint("turn_id", "generation", "side", name=op.f("uq_chat_replies_turn_id_generation_side")),
    )
    op.create_table(
        "chat_votes",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("opinion", sa.String(length=24), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["chat_turns.id"], name=op.f("fk_chat_votes_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_chat_votes")),
        sa.CheckConstraint(
            "opinion IN ('a', 'b', 'tie', 'both_bad', 'good', 'bad')", name=op.f("ck_chat_votes_opinion")
        ),
    )


def _images() -> None:
    op.create_table(
        "image_blocks",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("perceptual_hash", sa.String(length=64), nullable=True),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_image_blocks")),
    )
    op.create_table(
        "images",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("perceptual_hash", sa.String(length=64), nullable=True),
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
        sa.ForeignKeyConstraint(["digest"], ["images.digest"], name=op.f("fk_uploads_digest")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
    )
    op.create_index(op.f("ix_uploads_digest"), "uploads", ["digest"])
    op.create_index(op.f("ix_uploads_expires_at"), "uploads", ["expires_at"])
    op.create_index(op.f("ix_uploads_voter_key"), "uploads", ["voter_key"])


def _takedowns() -> None:
    op.create_table(
        "share_blocks",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_share_blocks")),
    )
    op.create_table(
        "share_reports",
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("token", "reason", name=op.f("pk_share_reports")),
    )


def _operations() -> None:
    op.create_table(
        "flags",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("changed_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_flags")),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("epoch", BIG, nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )


def _questions() -> None:
    op.create_table(
        "question_sets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("licence", sa.String(length=300), nullable=False),
        sa.Column("source", sa.String(length=300), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_sets")),
        sa.UniqueConstraint("name", "version", name=op.f("uq_question_sets_name_version")),
    )
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("area", sa.String(length=80), nullable=False),
        sa.Column("category", sa.String(length=80), nullable=False),
        sa.Column("task", sa.String(length=80), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["set_id"], ["question_sets.id"], name=op.f("fk_questions_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
        sa.UniqueConstraint("set_id", "name", name=op.f("uq_questions_set_id_name")),
        sa.UniqueConstraint("set_id", "number", name=op.f("uq_questions_set_id_number")),
    )


def _evaluations() -> None:
    op.create_table(
        "evaluations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("set_id", sa.Integer(), nullable=False),
        sa.Column("protocol", sa.String(length=40), nullable=False),
        sa.Column("design", sa.String(length=24), nullable=False),
        sa.Column("draw", sa.JSON(), nullable=True),
        sa.Column("per_item", sa.Integer(), nullable=False),
        sa.Column("overlap", sa.Integer(), nullable=False),
        sa.Column("repeats", sa.Double(), nullable=False),
        sa.Column("least_consistency", sa.Double(), nullable=True),
        sa.Column("least_right", sa.Double(), nullable=True),
        sa.Column("temperature", sa.Double(), nullable=True),
        sa.Column("max_tokens", sa.Integer(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("last_annotator", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.Column("restored_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["set_id"], ["question_sets.id"], name=op.f("fk_evaluations_set_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluations")),
        sa.UniqueConstraint("name", name=op.f("uq_evaluations_name")),
        sa.CheckConstraint(
            "design IN ('all', 'balanced', 'pair-table', 'baseline')", name=op.f("ck_evaluations_design")
        ),
        sa.CheckConstraint("state IN ('draft', 'open', 'closed')", name=op.f("ck_evaluations_evaluationstate")),
    )
    op.create_table(
        "annotators",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=80), nullable=False),
        sa.Column("link", sa.String(length=64), nullable=True),
        sa.Column("voter_key", sa.String(length=64), nullable=True),
        sa.Column("reviewer", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_annotators_evaluation_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_annotators")),
        sa.UniqueConstraint("evaluation_id", "label", name=op.f("uq_annotators_evaluation_id_label")),
        sa.UniqueConstraint("evaluation_id", "voter_key", name=op.f("uq_annotators_evaluation_id_voter_key")),
        sa.UniqueConstraint("link", name=op.f("uq_annotators_link")),
    )
    op.create_table(
        "endpoint_uses",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("use", sa.String(length=16), nullable=False),
        sa.Column("daily_calls", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_endpoint_uses_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "use", name=op.f("pk_endpoint_uses")),
    )
    op.create_table(
        "evaluation_models",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=True),
        sa.Column("archive", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_evaluation_models_endpoint_id")),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_evaluation_models_evaluation_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation_models")),
        sa.UniqueConstraint("evaluation_id", "name", name=op.f("uq_evaluation_models_evaluation_id_name")),
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
    op.create_table(
        "use_calls",
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("use", sa.String(length=16), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name=op.f("fk_use_calls_endpoint_id")),
        sa.PrimaryKeyConstraint("endpoint_id", "use", "day", name=op.f("pk_use_calls")),
    )
    op.create_table(
        "annotator_networks",
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotators.id"], name=op.f("fk_annotator_networks_annotator_id")),
        sa.PrimaryKeyConstraint("annotator_id", "digest", name=op.f("pk_annotator_networks")),
    )
    op.create_table(
        "evaluation_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("texts", sa.JSON(), nullable=False),
        sa.Column("fault", sa.String(length=40), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=True),
        sa.Column("milliseconds", sa.Integer(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["evaluation_models.id"], name=op.f("fk_evaluation_answers_model_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_evaluation_answers_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation_answers")),
        sa.UniqueConstraint("model_id", "question_id", name=op.f("uq_evaluation_answers_model_id_question_id")),
    )
    op.create_table(
        "evaluation_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=True),
        sa.Column("form", sa.String(length=24), nullable=False),
        sa.Column("overlap", sa.Boolean(), nullable=False),
        sa.Column("needed", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("disputed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_evaluation_items_evaluation_id")),
        sa.ForeignKeyConstraint(["first_id"], ["evaluation_models.id"], name=op.f("fk_evaluation_items_first_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_evaluation_items_question_id")),
        sa.ForeignKeyConstraint(["second_id"], ["evaluation_models.id"], name=op.f("fk_evaluation_items_second_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation_items")),
        sa.UniqueConstraint("evaluation_id", "number", name=op.f("uq_evaluation_items_evaluation_id_number")),
        sa.UniqueConstraint(
            "question_id", "first_id", "second_id", name=op.f("uq_evaluation_items_question_id_first_id_second_id")
        ),
    )
    op.create_index(
        "ix_evaluation_items_free",
        "evaluation_items",
        ["evaluation_id", "overlap", "disputed", "taken", "number"],
        unique=False,
    )
    op.create_table(
        "annotations",
        sa.Column("number", BIG, nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("value", sa.String(length=80), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotators.id"], name=op.f("fk_annotations_annotator_id")),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_annotations_evaluation_id")),
        sa.ForeignKeyConstraint(["item_id"], ["evaluation_items.id"], name=op.f("fk_annotations_item_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_annotations")),
        sa.UniqueConstraint(
            "annotator_id",
            "item_id",
            "attempt",
            "round",
            name=op.f("uq_annotations_annotator_id_item_id_attempt_round"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_annotations_evaluation_id", "annotations", ["evaluation_id", "number"])
    op.create_index("ix_annotations_item_id", "annotations", ["item_id"])
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("annotator_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=24), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("shown_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["annotator_id"], ["annotators.id"], name=op.f("fk_assignments_annotator_id")),
        sa.ForeignKeyConstraint(["item_id"], ["evaluation_items.id"], name=op.f("fk_assignments_item_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint(
            "annotator_id", "item_id", "attempt", name=op.f("uq_assignments_annotator_id_item_id_attempt")
        ),
        sa.UniqueConstraint("annotator_id", "position", name=op.f("uq_assignments_annotator_id_position")),
        sa.CheckConstraint("state IN ('shown', 'done', 'expired')", name=op.f("ck_assignments_assignmentstate")),
    )
    op.create_index("ix_assignments_state", "assignments", ["state", "shown_at"])
    op.create_table(
        "annotation_withdrawals",
        sa.Column("annotation_number", BIG, autoincrement=False, nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["annotation_number"], ["annotations.number"], name=op.f("fk_annotation_withdrawals_annotation_number")
        ),
        sa.PrimaryKeyConstraint("annotation_number", name=op.f("pk_annotation_withdrawals")),
    )


def _judgements() -> None:
    op.create_table(
        "prediction_reports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prediction_reports")),
    )
    op.create_table(
        "judges_reports",
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_judges_reports_evaluation_id")),
        sa.PrimaryKeyConstraint("evaluation_id", name=op.f("pk_judges_reports")),
    )
    op.create_table(
        "judgements",
        sa.Column("number", BIG, nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=False),
        sa.Column("judge_id", sa.Integer(), nullable=False),
        sa.Column("rubric", sa.String(length=40), nullable=False),
        sa.Column("rubric_version", sa.Integer(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("strong", sa.Boolean(), nullable=False),
        sa.Column("scores", sa.String(length=80), nullable=True),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=True),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_judgements_evaluation_id")),
        sa.ForeignKeyConstraint(["first_id"], ["evaluation_models.id"], name=op.f("fk_judgements_first_id")),
        sa.ForeignKeyConstraint(["judge_id"], ["endpoints.id"], name=op.f("fk_judgements_judge_id")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_judgements_question_id")),
        sa.ForeignKeyConstraint(["second_id"], ["evaluation_models.id"], name=op.f("fk_judgements_second_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_judgements")),
        sa.UniqueConstraint(
            "question_id",
            "turn",
            "first_id",
            "second_id",
            "judge_id",
            "rubric",
            "rubric_version",
            "swapped",
            name="uq_judgements_pair",
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_judgements_evaluation_id", "judgements", ["evaluation_id", "number"])


def _conversions() -> None:
    op.create_table(
        "question_conversions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("endpoint", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("wording", sa.JSON(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_question_conversions_question_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_conversions")),
        sa.UniqueConstraint(
            "question_id", "endpoint", "version", name=op.f("uq_question_conversions_question_id_endpoint_version")
        ),
    )
    op.create_table(
        "conversion_reviews",
        sa.Column("conversion_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("reviewer", sa.String(length=80), nullable=False),
        sa.Column("decision", sa.String(length=24), nullable=False),
        sa.Column("wording", sa.JSON(), nullable=True),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["conversion_id"], ["question_conversions.id"], name=op.f("fk_conversion_reviews_conversion_id")
        ),
        sa.PrimaryKeyConstraint("conversion_id", "number", name=op.f("pk_conversion_reviews")),
        sa.CheckConstraint(
            "decision IN ('confirmed', 'amended', 'rejected')", name=op.f("ck_conversion_reviews_reviewdecision")
        ),
    )


def _labels() -> None:
    op.create_table(
        "label_answers",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("labeller", sa.String(length=80), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("readable", sa.Boolean(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("digest", "labeller", name=op.f("pk_label_answers")),
    )
    op.create_table(
        "labels",
        sa.Column("number", BIG, nullable=False),
        sa.Column("vote_number", BIG, nullable=True),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("label_set", sa.String(length=40), nullable=False),
        sa.Column("labeller", sa.String(length=80), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("(vote_number IS NULL) <> (question_id IS NULL)", name=op.f("ck_labels_one_subject")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_labels_question_id")),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_labels_vote_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_labels")),
        sa.UniqueConstraint("question_id", "label_set", "labeller", "version", name="uq_labels_question"),
        sa.UniqueConstraint("vote_number", "label_set", "labeller", "version", name="uq_labels_vote"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_labels_source", "labels", ["label_set", "labeller", "version", "number"])


def _label_samples() -> None:
    op.create_table(
        "label_samples",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("label_set", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("vote_number", BIG, nullable=True),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("by_rules", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.CheckConstraint("(vote_number IS NULL) <> (question_id IS NULL)", name=op.f("ck_label_samples_one_subject")),
        sa.ForeignKeyConstraint(["question_id"], ["questions.id"], name=op.f("fk_label_samples_question_id")),
        sa.ForeignKeyConstraint(["vote_number"], ["votes.number"], name=op.f("fk_label_samples_vote_number")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_samples")),
        sa.UniqueConstraint("label_set", "number", name=op.f("uq_label_samples_label_set_number")),
    )


def _releases() -> None:
    op.create_table(
        "releases",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("conversations", sa.Integer(), nullable=False),
        sa.Column("removed", sa.JSON(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=True),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.Column("reviewed", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Boolean(), nullable=False),
        sa.Column("reviewed_by", sa.String(length=80), nullable=True),
        sa.Column("built_at", MOMENT, nullable=False),
        sa.Column("published_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_releases")),
    )

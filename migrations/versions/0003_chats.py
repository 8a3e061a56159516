"""Chats with models chosen by name, apart from battles and their votes; and open circuit breakers per process."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
TABLES = ("breakers", "chat_votes", "chat_replies", "chat_turns", "chats")


def upgrade() -> None:
    op.create_table(
        "chats",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("voter_key", sa.String(length=64), nullable=False),
        sa.Column("endpoint_a_id", sa.Integer(), nullable=False),
        sa.Column("endpoint_b_id", sa.Integer(), nullable=True),
        sa.Column("state", _word("battlestate", "open", "voted", "abandoned", "void"), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.CheckConstraint("endpoint_a_id <> endpoint_b_id", name=op.f("ck_chats_two_endpoints")),
        *(_to_endpoints("chats", side) for side in ("endpoint_a_id", "endpoint_b_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chats")),
    )
    op.create_index(op.f("ix_chats_voter_key"), "chats", ["voter_key"])
    op.create_index("ix_chats_state_created_at", "chats", ["state", "created_at"])
    _turns()
    _replies()
    op.create_table(
        "chat_votes",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("opinion", _word("opinion", "a", "b", "tie", "both_bad", "good", "bad"), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["chat_turns.id"], name=op.f("fk_chat_votes_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_chat_votes")),
    )
    op.create_table(
        "breakers",
        sa.Column("process", sa.String(length=16), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        _to_endpoints("breakers", "endpoint_id"),
        sa.PrimaryKeyConstraint("process", "endpoint_id", name=op.f("pk_breakers")),
    )


def _turns() -> None:
    op.create_table(
        "chat_turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("chat_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("state", _word("turnstate", "running", "ready", "failed"), nullable=False),
        sa.Column("process", sa.String(length=200), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("deadline_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["chat_id"], ["chats.id"], name=op.f("fk_chat_turns_chat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_turns")),
        sa.UniqueConstraint("chat_id", "number", name=op.f("uq_chat_turns_chat_id_number")),
    )
    op.create_index("ix_chat_turns_state_deadline_at", "chat_turns", ["state", "deadline_at"])


def _replies() -> None:
    op.create_table(
        "chat_replies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("endpoint_id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("side", _word("side", "a", "b"), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("finish", _word("finish", "stop", "length", "filter", "stopped"), nullable=True),
        sa.Column("error", sa.String(length=40), nullable=True),
        sa.Column("first_token_ms", sa.Integer(), nullable=True),
        sa.Column("total_ms", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["chat_turns.id"], name=op.f("fk_chat_replies_turn_id")),
        _to_endpoints("chat_replies", "endpoint_id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_replies")),
        sa.UniqueConstraint("turn_id", "generation", "side", name=op.f("uq_chat_replies_turn_id_generation_side")),
    )


def _word(name: str, *words: str) -> sa.Enum:
    return sa.Enum(*words, name=name, native_enum=False, create_constraint=True, length=24)


def _to_endpoints(table: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["endpoints.id"], name=op.f(f"fk_{table}_{column}"))


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)

"""All tables. Constraints, not checks in code, decide races; rows of the vote log are never changed or deleted."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Date,
    DateTime,
    Dialect,
    Enum,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

from arena.terms import BattleState, EndpointState, Finish, NotCounted, Opinion, Outcome, Side, TurnState

if TYPE_CHECKING:
    from enum import StrEnum


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, kept in UTC; SQLite forgets zones, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored moment needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _word(kind: type[StrEnum]) -> Enum:
    return Enum(
        kind,
        native_enum=False,
        create_constraint=True,
        length=24,
        name=kind.__name__.lower(),
        values_callable=lambda members: [member.value for member in members],  # pyright: ignore[reportUnknownLambdaType, reportUnknownMemberType, reportUnknownVariableType]
    )


_BIG = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts rows in INTEGER columns only


class Table(DeclarativeBase):
    """The base of all rows, with a name for every constraint."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it from the class
        datetime: UtcDateTime,
        date: Date,
        bytes: LargeBinary,
        dict[str, Any]: JSON,
        list[str]: JSON,
        list[int]: JSON,
        BattleState: _word(BattleState),
        TurnState: _word(TurnState),
        EndpointState: _word(EndpointState),
        Finish: _word(Finish),
        NotCounted: _word(NotCounted),
        Opinion: _word(Opinion),
        Outcome: _word(Outcome),
        Side: _word(Side),
        dict[str, int]: JSON,
    }


class OwnerRow(Table):
    """Who registered endpoints. One who signed up has an API key, of which `key_id` finds the hash."""

    __tablename__ = "owners"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    contact: Mapped[str | None] = mapped_column(String(200))
    key_id: Mapped[str | None] = mapped_column(String(24), unique=True)
    key_digest: Mapped[str | None] = mapped_column(String(64))
    key_made_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class EndpointRow(Table):
    """A registered, callable model version.

    Its key is a `CredentialRow`, or in the environment variable that `key_env` names. Versions of one model share
    `family`, the name of the first. One that is not `listed` stays off the board, with its votes, until it is.
    """

    __tablename__ = "endpoints"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    owner_id: Mapped[int] = mapped_column(ForeignKey("owners.id"))
    dialect: Mapped[str] = mapped_column(String(40))
    url: Mapped[str] = mapped_column(String(500))
    private: Mapped[bool] = mapped_column(default=False)
    wire_model: Mapped[str] = mapped_column(String(200))
    key_env: Mapped[str | None] = mapped_column(String(80))
    system_prompt: Mapped[str | None] = mapped_column(Text)
    temperature: Mapped[float | None]
    top_p: Mapped[float | None]
    max_tokens: Mapped[int | None]
    weight: Mapped[float] = mapped_column(CheckConstraint("weight >= 0", name="weight"), default=1.0)
    group_name: Mapped[str | None] = mapped_column(String(40))
    aliases: Mapped[list[str]] = mapped_column(default=list)
    demo: Mapped[bool] = mapped_column(default=False)
    listed: Mapped[bool] = mapped_column(default=True)
    state: Mapped[EndpointState]
    family: Mapped[str | None] = mapped_column(String(80))
    version: Mapped[int] = mapped_column(default=1)
    preset: Mapped[str | None] = mapped_column(String(40))
    open_weights: Mapped[bool | None]
    billions: Mapped[float | None]
    challenge: Mapped[str | None] = mapped_column(String(64))
    proven_at: Mapped[datetime | None]
    probe_until: Mapped[datetime | None]
    daily_calls: Mapped[int | None]
    daily_tokens: Mapped[int | None]
    licence: Mapped[str | None] = mapped_column(String(80))
    link: Mapped[str | None] = mapped_column(String(500))
    description_en: Mapped[str | None] = mapped_column(String(500))
    description_zh: Mapped[str | None] = mapped_column(String(500))
    created_at: Mapped[datetime]

    owner: Mapped[OwnerRow] = relationship(lazy="joined", innerjoin=True)


class CredentialRow(Table):
    """An endpoint's key, sealed by a data key of its own that the master key wraps; only `origin` may receive it."""

    __tablename__ = "credentials"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), primary_key=True)
    origin: Mapped[str] = mapped_column(String(300))
    master: Mapped[str] = mapped_column(String(16))
    wrapped: Mapped[bytes]
    sealed: Mapped[bytes]
    created_at: Mapped[datetime]


class ChangeRow(Table):
    """One step in the life of an endpoint: from where to where, who did it and why; never changed or deleted."""

    __tablename__ = "endpoint_changes"

    number: Mapped[int] = mapped_column(_BIG, primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    before: Mapped[EndpointState | None]
    after: Mapped[EndpointState]
    actor: Mapped[str] = mapped_column(String(80))
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]


class ProbeRow(Table):
    """What came of asking an endpoint as a battle would, as its owner reads it."""

    __tablename__ = "probes"

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    passed: Mapped[bool]
    report: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class BudgetRow(Table):
    """What an endpoint was asked on one day (UTC), counted before each call."""

    __tablename__ = "budgets"

    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    calls: Mapped[int]
    tokens: Mapped[int]


class BreakerRow(Table):
    """An endpoint that one process leaves alone because it failed; `seen_at` is when the process last said so."""

    __tablename__ = "breakers"

    process: Mapped[str] = mapped_column(String(16), primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), primary_key=True)
    since: Mapped[datetime]
    seen_at: Mapped[datetime]


class FingerprintRow(Table):
    """An endpoint's answers to the fixed prompts; the first is what later ones are compared with."""

    __tablename__ = "fingerprints"

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    answers: Mapped[dict[str, Any]]
    p_value: Mapped[float | None]
    created_at: Mapped[datetime]


class Talk:
    """What a blind battle and a chat with chosen models have in common."""

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    voter_key: Mapped[str] = mapped_column(String(64), index=True)
    state: Mapped[BattleState]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class Turn:
    """One prompt of a talk. `generation` counts how often its answers were asked again.

    `process` is where the process that asks for them is reached by the others, if there are others.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    generation: Mapped[int] = mapped_column(default=0)
    prompt: Mapped[str] = mapped_column(Text)
    state: Mapped[TurnState]
    process: Mapped[str | None] = mapped_column(String(200))
    failure: Mapped[str | None] = mapped_column(String(40))
    started_at: Mapped[datetime]
    deadline_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]


class Reply:
    """One side's text in one generation of a turn; answers that were asked again stay on record.

    `reasoning` is kept where the operator shows it after the vote, and nowhere else.
    """

    id: Mapped[int] = mapped_column(primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    generation: Mapped[int]
    side: Mapped[Side]
    text: Mapped[str] = mapped_column(Text)
    reasoning: Mapped[str | None] = mapped_column(Text)
    finish: Mapped[Finish | None]
    error: Mapped[str | None] = mapped_column(String(40))
    first_token_ms: Mapped[int | None]
    total_ms: Mapped[int]
    input_tokens: Mapped[int | None]
    output_tokens: Mapped[int | None]


class BattleRow(Talk, Table):
    """One blind meeting; `probability` is that of the drawn unordered pair."""

    __tablename__ = "battles"

    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    endpoint_b_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"), index=True)
    probability: Mapped[float]
    language: Mapped[str] = mapped_column(String(8))

    turns: Mapped[list[TurnRow]] = relationship(order_by="TurnRow.number", lazy="selectin")
    vote: Mapped[VoteRow | None] = relationship(lazy="selectin", viewonly=True)

    __table_args__ = (
        CheckConstraint("endpoint_a_id <> endpoint_b_id", name="two_endpoints"),
        Index("ix_battles_state_created_at", "state", "created_at"),
    )

    @property
    def sides(self) -> dict[Side, int]:
        """The two endpoints by side."""
        return {Side.A: self.endpoint_a_id, Side.B: self.endpoint_b_id}


class TurnRow(Turn, Table):
    """One prompt of a battle."""

    __tablename__ = "turns"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id"))

    replies: Mapped[list[ReplyRow]] = relationship(lazy="selectin", order_by="ReplyRow.id")

    __table_args__ = (
        UniqueConstraint("battle_id", "number"),
        Index("ix_turns_state_deadline_at", "state", "deadline_at"),
    )


class ReplyRow(Reply, Table):
    """One side's answer in a battle."""

    __tablename__ = "replies"

    turn_id: Mapped[int] = mapped_column(ForeignKey("turns.id"))

    __table_args__ = (
        UniqueConstraint("turn_id", "generation", "side"),
        Index("ix_replies_endpoint_id_id", "endpoint_id", "id"),
    )


class ChatRow(Talk, Table):
    """A talk with one or two models that were chosen by name.

    Chats lie apart from battles, down to their votes, so that nothing which counts battles or votes can meet them.
    """

    __tablename__ = "chats"

    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    endpoint_b_id: Mapped[int | None] = mapped_column(ForeignKey("endpoints.id"))

    turns: Mapped[list[ChatTurnRow]] = relationship(order_by="ChatTurnRow.number", lazy="selectin")
    a: Mapped[EndpointRow] = relationship(foreign_keys=[endpoint_a_id], lazy="joined", innerjoin=True)
    b: Mapped[EndpointRow | None] = relationship(foreign_keys=[endpoint_b_id], lazy="joined")

    __table_args__ = (
        CheckConstraint("endpoint_a_id <> endpoint_b_id", name="two_endpoints"),
        Index("ix_chats_state_created_at", "state", "created_at"),
    )

    @property
    def models(self) -> dict[Side, EndpointRow]:
        """The chosen ones by side; a direct chat has the first side only."""
        return {side: row for side, row in zip(Side, (self.a, self.b), strict=True) if row is not None}

    @property
    def sides(self) -> dict[Side, int]:
        """Their numbers by side."""
        return {side: row.id for side, row in self.models.items()}


class ChatTurnRow(Turn, Table):
    """One prompt of a chat."""

    __tablename__ = "chat_turns"

    chat_id: Mapped[str] = mapped_column(ForeignKey("chats.id"))

    replies: Mapped[list[ChatReplyRow]] = relationship(lazy="selectin", order_by="ChatReplyRow.id")
    vote: Mapped[ChatVoteRow | None] = relationship(lazy="selectin")

    __table_args__ = (
        UniqueConstraint("chat_id", "number"),
        Index("ix_chat_turns_state_deadline_at", "state", "deadline_at"),
    )


class ChatReplyRow(Reply, Table):
    """One side's answer in a chat."""

    __tablename__ = "chat_replies"

    turn_id: Mapped[int] = mapped_column(ForeignKey("chat_turns.id"))

    __table_args__ = (UniqueConstraint("turn_id", "generation", "side"),)


class ChatVoteRow(Table):
    """What was said of the answers of one turn by somebody who knew the names; no rating reads it."""

    __tablename__ = "chat_votes"

    turn_id: Mapped[int] = mapped_column(ForeignKey("chat_turns.id"), primary_key=True)
    generation: Mapped[int]
    opinion: Mapped[Opinion]
    created_at: Mapped[datetime]


class VoteRow(Table):
    """One line of the append-only log. `id` makes an import idempotent; `battle_id` is absent on imported votes.

    `style` counts length, headers, lists and bold of the first answer and then of the second.
    """

    __tablename__ = "votes"

    number: Mapped[int] = mapped_column(_BIG, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), unique=True)
    battle_id: Mapped[str | None] = mapped_column(ForeignKey("battles.id"), unique=True)
    outcome: Mapped[Outcome]
    voter_key: Mapped[str] = mapped_column(String(64))
    idempotency_key: Mapped[str | None] = mapped_column(String(255))
    endpoint_a_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    endpoint_b_id: Mapped[int] = mapped_column(ForeignKey("endpoints.id"))
    language: Mapped[str | None] = mapped_column(String(8))
    category: Mapped[str | None] = mapped_column(String(40))
    style: Mapped[list[int] | None] = mapped_column(JSON(none_as_null=True))
    turns: Mapped[int | None]
    seconds: Mapped[float | None]
    not_counted: Mapped[NotCounted | None]
    created_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("voter_key", "idempotency_key"),
        CheckConstraint("endpoint_a_id <> endpoint_b_id", name="two_endpoints"),
        Index("ix_votes_pair", "endpoint_a_id", "endpoint_b_id", "not_counted", "outcome"),
        {"sqlite_autoincrement": True},
    )


class ExclusionRow(Table):
    """A later statement that one vote does not count, why, and who said so."""

    __tablename__ = "exclusions"

    number: Mapped[int] = mapped_column(_BIG, primary_key=True)
    vote_number: Mapped[int] = mapped_column(ForeignKey("votes.number"), unique=True)
    reason: Mapped[str] = mapped_column(String(200))
    by: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]


class RemarkRow(Table):
    """What a voter said about one side after the vote; no rating reads it."""

    __tablename__ = "remarks"

    number: Mapped[int] = mapped_column(_BIG, primary_key=True)
    vote_number: Mapped[int] = mapped_column(ForeignKey("votes.number"))
    side: Mapped[Side]
    reasons: Mapped[list[str]]
    stars: Mapped[dict[str, int]]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("vote_number", "side"),)


class VoterRow(Table):
    """Which version of the terms the holder of a voter key has accepted."""

    __tablename__ = "voters"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    terms: Mapped[int]
    accepted_at: Mapped[datetime]


class ShareRow(Table):
    """The link under which a voted battle is shown to everybody; deleted when its voter withdraws it."""

    __tablename__ = "shares"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id"), unique=True)
    created_at: Mapped[datetime]


class SnapshotRow(Table):
    """A stored, dated leaderboard; `digest` pins its numbers, `payload` is its table, which old ones have given up."""

    __tablename__ = "snapshots"

    id: Mapped[int] = mapped_column(primary_key=True)
    method: Mapped[str] = mapped_column(String(40))
    parameters: Mapped[dict[str, Any]]
    seed: Mapped[int] = mapped_column(BigInteger)
    code_version: Mapped[str] = mapped_column(String(40))
    last_vote: Mapped[int] = mapped_column(_BIG)
    last_exclusion: Mapped[int] = mapped_column(_BIG)
    votes: Mapped[int] = mapped_column(_BIG)
    digest: Mapped[str] = mapped_column(String(64))
    payload: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]

    __table_args__ = ({"sqlite_autoincrement": True},)


class PartRow(Table):
    """A table beside a snapshot's own: the board of one category or language, or another look at the same log."""

    __tablename__ = "snapshot_parts"

    id: Mapped[int] = mapped_column(primary_key=True)
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshots.id"))
    kind: Mapped[str] = mapped_column(String(16))
    category: Mapped[str] = mapped_column(String(40), default="")
    language: Mapped[str] = mapped_column(String(8), default="")
    parameters: Mapped[dict[str, Any]]
    votes: Mapped[int] = mapped_column(_BIG)
    digest: Mapped[str] = mapped_column(String(64))
    payload: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (
        UniqueConstraint("snapshot_id", "kind", "category", "language"),
        {"sqlite_autoincrement": True},
    )


class LeaseRow(Table):
    """Who does something that only one process may do, until when, and the how many-th holder that is."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    epoch: Mapped[int] = mapped_column(_BIG)
    holder: Mapped[str] = mapped_column(String(64))
    until: Mapped[datetime]


class FlagRow(Table):
    """A part of the service that the operator has closed, or has opened again."""

    __tablename__ = "flags"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    closed: Mapped[bool]
    reason: Mapped[str] = mapped_column(String(200))
    changed_at: Mapped[datetime]

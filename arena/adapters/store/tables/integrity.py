"""The gate: origins of votes, its runs and decisions, and objections to them."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import BotVerdict, Client, JsonObject


class OriginRow(BaseRow):
    """Where a counted vote came from, as far as the vote itself does not say.

    `network` is a keyed digest of the neighbourhood of addresses and the week, later a mere number (see
    `neighbourhoods.drop_keys`), and `since` the Monday of the week in which it has first voted, None if that was before
    it was recorded. `tier` is the voter's bot check of that day.
    """

    __tablename__ = "vote_origins"

    number: Mapped[int] = mapped_column(ForeignKey(VoteRow.number), primary_key=True, autoincrement=False)
    network: Mapped[str | None] = mapped_column(String(32), index=True)
    since: Mapped[date | None]
    tier: Mapped[BotVerdict]
    client: Mapped[Client]


class DecisionRow(BaseRow):
    """A weight in quarters for some votes, and why; the latest row on a vote holds, and 4 ends the earlier ones.

    `finding` (division, model, z) is for the operator alone; `by` is "gate" or the operator.
    """

    __tablename__ = "decisions"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    quarters: Mapped[int]
    reason: Mapped[str] = mapped_column(String(40))
    method: Mapped[str] = mapped_column(String(40))
    votes: Mapped[list[int]]
    finding: Mapped[JsonObject | None]
    by: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]

    __table_args__ = (
        CheckConstraint("quarters BETWEEN 0 AND 4", name="quarters"),
        {"sqlite_autoincrement": True},
    )


class GateRunRow(BaseRow):
    """A run of the gate over the votes up to `last_vote`, after which the decisions up to `last_decision` held.

    A run with a `week` (its Monday) judged the votes up to the end of that week only; `audit` is the gzipped published
    form of the week's origins. `unlisted` are the models whose votes were left out, `boards` the ratings with
    and without the gate, why boards are preliminary, and for the operator the tests of single voters.
    """

    __tablename__ = "gate_runs"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    week: Mapped[date | None] = mapped_column(unique=True)
    last_vote: Mapped[int] = mapped_column(BIG)
    last_decision: Mapped[int] = mapped_column(BIG)
    method: Mapped[str] = mapped_column(String(40))
    unlisted: Mapped[list[str]]
    awake: Mapped[bool]
    networks: Mapped[int]
    established: Mapped[int] = mapped_column(BIG)
    boards: Mapped[JsonObject]
    audit: Mapped[bytes | None]
    created_at: Mapped[datetime]

    __table_args__ = ({"sqlite_autoincrement": True},)


class ObjectionRow(BaseRow):
    """An owner's objection to the decisions that touch their endpoint, and the operator's answer."""

    __tablename__ = "objections"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id))
    text: Mapped[str] = mapped_column(String(2000))
    created_at: Mapped[datetime]
    answer: Mapped[str | None] = mapped_column(String(2000))
    answered_at: Mapped[datetime | None]

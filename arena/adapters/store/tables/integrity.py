"""The vote gate: origins of votes, runs, decisions, and objections."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import CheckConstraint, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.conversations import VoteRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.terms import BotVerdict, Client, JsonObject


class OriginRow(BaseRow):
    """The origin of a counted vote.

    `network` is a keyed digest of neighbourhood and week, later a number (see `neighbourhoods.drop_keys`), and `since`
    the Monday of the week of its first vote, None if that was before such records. `tier` is the verdict of the voter's
    bot check of the day.
    """

    __tablename__ = "vote_origins"

    number: Mapped[int] = mapped_column(ForeignKey(VoteRow.number), primary_key=True, autoincrement=False)
    network: Mapped[str | None] = mapped_column(String(32), index=True)
    since: Mapped[date | None]
    tier: Mapped[BotVerdict]
    client: Mapped[Client]


class DecisionRow(BaseRow):
    """A weight in quarters for some votes, with the reason; the latest row on a vote is in force, and 4 is full weight.

    `finding` (division, model, z) is for the operator only; `by` is "gate" or the operator.
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
    """A run of the gate over the votes up to `last_vote`, with the decisions up to `last_decision`.

    A run with a `week` (its Monday) judged the votes up to the end of that week; `audit` is the gzipped published form
    of the week's origins. `unlisted` has the models whose votes were left out, `boards` the ratings with and without
    the gate, the reasons why boards are preliminary, and for the operator the tests of single voters; it is empty for
    all but the newest run, those with a week, and the last of each day.
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
    """An owner's objection to the decisions on votes on their endpoint, and the operator's answer."""

    __tablename__ = "objections"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    endpoint_id: Mapped[int] = mapped_column(ForeignKey(EndpointRow.id))
    text: Mapped[str] = mapped_column(String(2000))
    created_at: Mapped[datetime]
    answer: Mapped[str | None] = mapped_column(String(2000))
    answered_at: Mapped[datetime | None]

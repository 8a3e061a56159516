"""Voters and their bot checks, neighbourhoods of origins, invitations, ended sittings, operators and their acts."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.domain.terms import BotVerdict


class NeighbourhoodRow(BaseRow):
    """Activity of one neighbourhood of addresses on one day (UTC); deleted after that day.

    `voted` counts all votes, `countable` those that no other rule excludes; `warned`: the operator was warned.
    """

    __tablename__ = "neighbourhoods"

    day: Mapped[date] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    battles: Mapped[int] = mapped_column(default=0)
    voted: Mapped[int] = mapped_column(default=0)
    countable: Mapped[int] = mapped_column(default=0)
    warned: Mapped[bool] = mapped_column(default=False)


class VoterRow(BaseRow):
    """A version of the terms that a voter has accepted."""

    __tablename__ = "voters"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    terms: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    accepted_at: Mapped[datetime]


class BotCheckRow(BaseRow):
    """One answered challenge of a voter on a day (UTC), and its verdict; append-only until its retention ends."""

    __tablename__ = "bot_checks"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    challenge: Mapped[str] = mapped_column(String(64), unique=True)
    voter_key: Mapped[str] = mapped_column(String(64))
    day: Mapped[date]
    verdict: Mapped[BotVerdict]
    created_at: Mapped[datetime]

    __table_args__ = (Index(None, "voter_key", "day"),)


class InvitationRow(BaseRow):
    """An invitation of members, by its token's SHA-256: number of seats, of those taken, and end."""

    __tablename__ = "invitations"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    title: Mapped[str] = mapped_column(String(80))
    seats: Mapped[int]
    taken: Mapped[int]
    created_at: Mapped[datetime]
    ends_at: Mapped[datetime]


class EndedSittingRow(BaseRow):
    """A sitting, or all earlier ones of a person, that ended by signing out.

    Cookies with a lower generation are void; the row is needed until the last of them expires.
    """

    __tablename__ = "ended_sittings"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    generation: Mapped[int]
    until: Mapped[datetime]


class OperatorRow(BaseRow):
    """An operator with a key; the row stays after the key is withdrawn, so that no name is used twice."""

    __tablename__ = "operators"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    key_id: Mapped[str | None] = mapped_column(String(16), unique=True)
    key_digest: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime]
    withdrawn_at: Mapped[datetime | None]


class ActRow(BaseRow):
    """An act of an operator; append-only. The nonce opens its leaf of the transparency log."""

    __tablename__ = "acts"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    created_at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(120))
    via: Mapped[str] = mapped_column(String(40))
    role: Mapped[str] = mapped_column(String(16))
    kind: Mapped[str] = mapped_column(String(40))
    target: Mapped[str] = mapped_column(String(200))
    why: Mapped[str] = mapped_column(String(500))
    nonce: Mapped[bytes]

"""Voters: accepted terms, share links, and daily counts of neighbourhoods."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import (
    ForeignKey,
    String,
)
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import Table


class NeighbourhoodRow(Table):
    """Activity of one neighbourhood of addresses on one day (UTC); deleted after that day.

    `voted` counts all votes, `countable` those not ruled out by another rule; `warned` is set once the operator was
    warned.
    """

    __tablename__ = "neighbourhoods"

    day: Mapped[date] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(32), primary_key=True)
    battles: Mapped[int] = mapped_column(default=0)
    voted: Mapped[int] = mapped_column(default=0)
    countable: Mapped[int] = mapped_column(default=0)
    warned: Mapped[bool] = mapped_column(default=False)


class VoterRow(Table):
    """A version of the terms that a voter has accepted."""

    __tablename__ = "voters"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    terms: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    accepted_at: Mapped[datetime]


class ShareRow(Table):
    """The public link of a voted battle; deleted when its voter withdraws it."""

    __tablename__ = "shares"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id"), unique=True)
    created_at: Mapped[datetime]

"""Published leaderboards, their parts, and the pair table."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.domain.terms import JsonObject, PairingRule

_WITH_TABLE: Final = text("payload IS NOT NULL")


class SnapshotRow(BaseRow):
    """A stored, dated leaderboard; `digest` is that of its numbers, `payload` the table, deleted from old snapshots."""

    __tablename__ = "snapshots"

    id: Mapped[int] = mapped_column(primary_key=True)
    method: Mapped[str] = mapped_column(String(40))
    parameters: Mapped[JsonObject]
    seed: Mapped[int] = mapped_column(BigInteger)
    code_version: Mapped[str] = mapped_column(String(40))
    last_vote: Mapped[int] = mapped_column(BIG)
    last_exclusion: Mapped[int] = mapped_column(BIG)
    last_decision: Mapped[int] = mapped_column(BIG, server_default="0", default=0)
    votes: Mapped[int] = mapped_column(BIG)
    digest: Mapped[str] = mapped_column(String(64))
    payload: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]

    __table_args__ = (
        Index("ix_snapshots_stored", "created_at", sqlite_where=_WITH_TABLE, postgresql_where=_WITH_TABLE),
        {"sqlite_autoincrement": True},
    )


class PartRow(BaseRow):
    """A further table of a snapshot: a board of a category or language, style control, order sensitivity or ties."""

    __tablename__ = "snapshot_parts"

    id: Mapped[int] = mapped_column(primary_key=True)
    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshots.id"))
    kind: Mapped[str] = mapped_column(String(16))
    category: Mapped[str] = mapped_column(String(40), default="")
    language: Mapped[str] = mapped_column(String(8), default="")
    parameters: Mapped[JsonObject]
    votes: Mapped[int] = mapped_column(BIG)
    digest: Mapped[str] = mapped_column(String(64))
    payload: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (
        UniqueConstraint("snapshot_id", "kind", "category", "language"),
        Index("ix_snapshot_parts_stored", "snapshot_id", sqlite_where=_WITH_TABLE, postgresql_where=_WITH_TABLE),
        {"sqlite_autoincrement": True},
    )


class PairTableRow(BaseRow):
    """The pair table of a snapshot: version of the format, endpoints, and `chances`, see `PairTable.encoded`."""

    __tablename__ = "pair_tables"

    snapshot_id: Mapped[int] = mapped_column(ForeignKey("snapshots.id"), primary_key=True, autoincrement=False)
    version: Mapped[int]
    rule: Mapped[PairingRule]
    endpoints: Mapped[list[int]]
    chances: Mapped[bytes]
    made_at: Mapped[datetime]

"""Leaves of the transparency log, imports, and votes without a leaf."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.conversations import VoteRow


class LeafRow(BaseRow):
    """One leaf in the order of the log; `nonce` opens that of a vote, and may be erased.

    `listed`: both models of the vote were listed when it was cast.
    """

    __tablename__ = "log_leaves"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    data: Mapped[bytes] = mapped_column(LargeBinary)
    nonce: Mapped[bytes | None] = mapped_column(LargeBinary)
    vote_number: Mapped[int | None] = mapped_column(ForeignKey(VoteRow.number), unique=True)
    listed: Mapped[bool | None]

    __table_args__ = (Index("ix_log_leaves_kind", "kind", "number"), {"sqlite_autoincrement": True})


class UnloggedVoteRow(BaseRow):
    """A vote without a leaf; `leaf` is the number of the one in which the operator states so.

    `number` is no foreign key, since a vote that was inserted by SQL may be deleted by SQL.
    """

    __tablename__ = "unlogged_votes"

    number: Mapped[int] = mapped_column(BIG, primary_key=True, autoincrement=False)
    seen_at: Mapped[datetime]
    leaf: Mapped[int | None] = mapped_column(ForeignKey("log_leaves.number"))


class ImportRow(BaseRow):
    """One import: numbers of its first and last vote, number of its votes, and digest of its file."""

    __tablename__ = "log_imports"

    first: Mapped[int] = mapped_column(BIG, primary_key=True, autoincrement=False)
    last: Mapped[int] = mapped_column(BIG)
    votes: Mapped[int] = mapped_column(BIG)
    file: Mapped[str] = mapped_column(String(64))

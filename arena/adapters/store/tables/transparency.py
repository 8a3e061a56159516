"""Leaves of the transparency log, with what waits for one."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BIG, BaseRow
from arena.adapters.store.tables.conversations import VoteRow


class LeafRow(BaseRow):
    """One leaf in the order of the log; `nonce` opens a vote's, and may be erased.

    `listed` says whether both models of a vote were listed when it was cast.
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
    """A vote that was found without a leaf; `leaf` is the number of the one by which the operator says so.

    No foreign key, as the vote may be deleted by SQL as it was inserted.
    """

    __tablename__ = "unlogged_votes"

    number: Mapped[int] = mapped_column(BIG, primary_key=True, autoincrement=False)
    seen_at: Mapped[datetime]
    leaf: Mapped[int | None] = mapped_column(ForeignKey("log_leaves.number"))


class ImportRow(BaseRow):
    """One import: the numbers of its first and last vote, how many there are, and its file's digest."""

    __tablename__ = "log_imports"

    first: Mapped[int] = mapped_column(BIG, primary_key=True, autoincrement=False)
    last: Mapped[int] = mapped_column(BIG)
    votes: Mapped[int] = mapped_column(BIG)
    file: Mapped[str] = mapped_column(String(64))

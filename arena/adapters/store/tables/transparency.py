"""Leaves of the transparency log and its signed checkpoints; its tiles are files."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

import arena.adapters.store.tables.conversations  # noqa: F401 - its tables are referred to  # pyright: ignore[reportUnusedImport]
from arena.adapters.store.tables.base import BIG, BaseRow


class LeafRow(BaseRow):
    """One leaf in the order of the log; `nonce` opens a vote's, and may be erased.

    `listed` says whether both models of a vote were listed when it was cast.
    """

    __tablename__ = "log_leaves"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    data: Mapped[bytes] = mapped_column(LargeBinary)
    nonce: Mapped[bytes | None] = mapped_column(LargeBinary)
    vote_number: Mapped[int | None] = mapped_column(ForeignKey("votes.number"), unique=True)
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


class CheckpointRow(BaseRow):
    """One signed checkpoint; `last_leaf` is the number of the last leaf in it, `note` what is published."""

    __tablename__ = "log_checkpoints"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    origin: Mapped[str] = mapped_column(String(200))
    size: Mapped[int] = mapped_column(BIG)
    last_leaf: Mapped[int] = mapped_column(BIG)
    root: Mapped[bytes] = mapped_column(LargeBinary)
    note: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("origin", "size"), {"sqlite_autoincrement": True})


class LogKeyRow(BaseRow):
    """A signing key of the log, sealed with a master key: `purpose` is checkpoint or promise."""

    __tablename__ = "log_keys"

    number: Mapped[int] = mapped_column(BIG, primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(200))
    public: Mapped[bytes] = mapped_column(LargeBinary)
    master: Mapped[str] = mapped_column(String(16))
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime]

    __table_args__ = ({"sqlite_autoincrement": True},)

"""People: terms that voters accepted, invitations, operators and their acts, share links, images, neighbourhoods."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

import arena.adapters.store.tables.conversations  # noqa: F401 - its tables are referred to  # pyright: ignore[reportUnusedImport]
from arena.adapters.store.tables.base import BIG, BaseRow


class NeighbourhoodRow(BaseRow):
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


class VoterRow(BaseRow):
    """A version of the terms that a voter has accepted."""

    __tablename__ = "voters"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    terms: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    accepted_at: Mapped[datetime]


class InvitationRow(BaseRow):
    """An invitation of members by its token's SHA-256: how many may come by it, how many have, and until when."""

    __tablename__ = "invitations"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    title: Mapped[str] = mapped_column(String(80))
    seats: Mapped[int]
    taken: Mapped[int]
    created_at: Mapped[datetime]
    ends_at: Mapped[datetime]


class OperatorRow(BaseRow):
    """An operator who acts by a key; the row stays when the key is withdrawn, so that no name comes twice."""

    __tablename__ = "operators"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    key_id: Mapped[str | None] = mapped_column(String(16), unique=True)
    key_digest: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime]
    withdrawn_at: Mapped[datetime | None]


class ActRow(BaseRow):
    """An act of an operator; never changed or deleted. The nonce opens its leaf of the transparency log."""

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


class ShareRow(BaseRow):
    """The public link of a voted battle; deleted when its voter withdraws it.

    If the voter has agreed that everybody finds it on the page of its two models, `listed_at` says since when and
    `pair` names the two; otherwise both are empty.
    """

    __tablename__ = "shares"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id"), unique=True)
    created_at: Mapped[datetime]
    listed_at: Mapped[datetime | None]
    pair: Mapped[str | None] = mapped_column(String(24))

    __table_args__ = (Index("ix_shares_pair_listed_at", "pair", "listed_at"),)


class ImageRow(BaseRow):
    """An image by the SHA-256 of its bytes; deleted when no upload refers to it."""

    __tablename__ = "images"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    perceptual_hash: Mapped[str | None] = mapped_column(String(64))
    media_type: Mapped[str] = mapped_column(String(16))
    data: Mapped[bytes]


class UploadRow(BaseRow):
    """A reference of one voter to an image; turns name it by `id`, and outlive it.

    These rows are the count of references: what is counted beside its rows can be wrong.
    """

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    digest: Mapped[str] = mapped_column(ForeignKey("images.digest"), index=True)
    voter_key: Mapped[str] = mapped_column(String(64), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class ImageBlockRow(BaseRow):
    """The digest, and the hash of what it shows, of an image that the operator has taken down; never deleted."""

    __tablename__ = "image_blocks"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    perceptual_hash: Mapped[str | None] = mapped_column(String(64))
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]

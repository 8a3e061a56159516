"""Voters: accepted terms, invitations, share links, images of prompts, and daily counts of neighbourhoods."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

import arena.adapters.store.tables.conversations  # noqa: F401 - its tables are referred to  # pyright: ignore[reportUnusedImport]
from arena.adapters.store.tables.base import BaseRow


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


class ShareRow(BaseRow):
    """The public link of a voted battle; deleted when its voter withdraws it."""

    __tablename__ = "shares"

    token: Mapped[str] = mapped_column(String(32), primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id"), unique=True)
    created_at: Mapped[datetime]


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

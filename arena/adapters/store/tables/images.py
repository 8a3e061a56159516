"""Uploaded images by digest, and blocked ones."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow


class ImageRow(BaseRow):
    """An image by the SHA-256 of its bytes; deleted with its last upload."""

    __tablename__ = "images"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    perceptual_hash: Mapped[str | None] = mapped_column(String(64))
    media_type: Mapped[str] = mapped_column(String(16))
    data: Mapped[bytes]


class UploadRow(BaseRow):
    """A reference of one voter to an image; turns have its `id`, also after its deletion."""

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    digest: Mapped[str] = mapped_column(ForeignKey("images.digest"), index=True)
    voter_key: Mapped[str] = mapped_column(String(64), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class ImageBlockRow(BaseRow):
    """Digest and perceptual hash of an image that the operator has taken down; never deleted."""

    __tablename__ = "image_blocks"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    perceptual_hash: Mapped[str | None] = mapped_column(String(64))
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]

"""Queries about images: voters' uploads, the images that they refer to, and blocked ones."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import delete, select, update

from arena.adapters.store.engine.sessions import one_at_a_time
from arena.adapters.store.tables.images import ImageBlockRow, ImageRow, UploadRow
from arena.domain.perceptual_hash import alike
from arena_providers.terms import Image

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


RETENTION: Final = timedelta(days=30)
"""Time for which an image is stored after the vote on its battle, or in a chat."""


class Mark(NamedTuple):
    """Digests of an image: the SHA-256 of its bytes, and its perceptual hash, if it has one."""

    digest: str
    perceptual_hash: str | None

    def shows(self, other: Mark) -> bool:
        """Whether both are the same picture, by perceptual hash, or by bytes where one has none."""
        if self.perceptual_hash and other.perceptual_hash:
            return alike(self.perceptual_hash, other.perceptual_hash)
        return self.digest == other.digest


def mark_of(image: Image) -> Mark:
    """Digests of this image."""
    return Mark(hashlib.sha256(image.data).hexdigest(), image.perceptual_hash)


def put(session: Session, image: Image) -> Mark:
    """Store an image unless it exists; the caller must add an upload of it in the same transaction."""
    _lock_images(session)
    mark = mark_of(image)
    if session.get(ImageRow, mark.digest) is None:
        session.add(ImageRow(**mark._asdict(), media_type=image.media_type, data=image.data))
        session.flush()
    return mark


def unexpired(session: Session, ids: Iterable[str], voter_key: str, now: datetime) -> Sequence[UploadRow]:
    """Those of `ids` that are unexpired uploads of this voter."""
    query = select(UploadRow).where(UploadRow.id.in_(list(ids)), UploadRow.voter_key == voter_key)
    return session.scalars(query.where(UploadRow.expires_at > now)).all()


def keep(session: Session, ids: Iterable[str], now: datetime) -> None:
    """Let these uploads, as far as they exist, expire after `RETENTION`."""
    session.execute(update(UploadRow).where(UploadRow.id.in_(list(ids))).values(expires_at=now + RETENTION))


def load(session: Session, ids: Iterable[str]) -> dict[str, Image]:
    """The images of these uploads, as far as they exist, by upload."""
    query = (
        select(UploadRow.id, ImageRow.media_type, ImageRow.data)
        .join(ImageRow, ImageRow.digest == UploadRow.digest)
        .where(UploadRow.id.in_(list(ids)))
    )
    return {upload: Image(media_type, data) for upload, media_type, data in session.execute(query)}


def forget(session: Session, voter_key: str) -> None:
    """Delete all uploads of a voter."""
    _drop(session, UploadRow.voter_key == voter_key)


def expire(session: Session, now: datetime) -> None:
    """Delete expired uploads."""
    _drop(session, UploadRow.expires_at <= now)


def any_due(session: Session, now: datetime) -> bool:
    """Whether there are expired uploads."""
    return session.scalar(select(UploadRow.id).where(UploadRow.expires_at <= now).limit(1)) is not None


def blocked(session: Session, mark: Mark) -> bool:
    """Whether an image is blocked, so that it may not be uploaded."""
    return any(mark.shows(other) for other in _marks(session, ImageBlockRow))


def block(session: Session, marks: Iterable[Mark], reason: str, now: datetime) -> None:
    """Block these images, and delete all that show the same, with their uploads."""
    _lock_images(session)
    unwanted = set(marks)
    blocked = {mark.digest for mark in _marks(session, ImageBlockRow)}
    rows = (mark._asdict() for mark in unwanted if mark.digest not in blocked)
    session.add_all(ImageBlockRow(**row, reason=reason, created_at=now) for row in rows)
    copies = [mark.digest for mark in _marks(session, ImageRow) if any(mark.shows(other) for other in unwanted)]
    _drop(session, UploadRow.digest.in_(copies))


def marks(session: Session, ids: Iterable[str]) -> set[Mark]:
    """Digests of the images of these uploads, as far as they exist."""
    query = select(ImageRow.digest, ImageRow.perceptual_hash).join(UploadRow, UploadRow.digest == ImageRow.digest)
    return {Mark(*row) for row in session.execute(query.where(UploadRow.id.in_(list(ids))))}


def _marks(session: Session, table: type[ImageRow | ImageBlockRow]) -> set[Mark]:
    return {Mark(*row) for row in session.execute(select(table.digest, table.perceptual_hash))}


def _lock_images(session: Session) -> None:
    """Exclude other transactions that add, delete or block images; no constraint covers images that show the same."""
    one_at_a_time(session, "images")


def _drop(session: Session, condition: ColumnElement[bool]) -> None:
    """Delete uploads, and then images without uploads."""
    _lock_images(session)
    digests = session.scalars(delete(UploadRow).where(condition).returning(UploadRow.digest)).all()
    if not digests:
        return
    referred = select(UploadRow.id).where(UploadRow.digest == ImageRow.digest)
    session.execute(delete(ImageRow).where(ImageRow.digest.in_(set(digests)), ~referred.exists()))

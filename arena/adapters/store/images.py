"""Queries about images: uploads of voters, the bytes that they refer to, and what is blocked."""

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


KEPT: Final = timedelta(days=30)
"""How long an image is kept after a vote on a battle about it, or in a chat."""


class Mark(NamedTuple):
    """Digests that an image is recognised by: the SHA-256 of its bytes, and a hash of what it shows, if it has one."""

    digest: str
    perceptual_hash: str | None

    def shows(self, other: Mark) -> bool:
        """Whether both are the same picture; without texture only the same bytes are."""
        if self.perceptual_hash and other.perceptual_hash:
            return alike(self.perceptual_hash, other.perceptual_hash)
        return self.digest == other.digest


def mark_of(image: Image) -> Mark:
    """Digests of this image."""
    return Mark(hashlib.sha256(image.data).hexdigest(), image.perceptual_hash)


def put(session: Session, image: Image) -> Mark:
    """Store an image, unless it is there; the caller refers to it by an upload, in this transaction."""
    _lock_images(session)
    mark = mark_of(image)
    if session.get(ImageRow, mark.digest) is None:
        session.add(ImageRow(**mark._asdict(), media_type=image.media_type, data=image.data))
        session.flush()
    return mark


def unexpired(session: Session, ids: Iterable[str], voter_key: str, now: datetime) -> Sequence[UploadRow]:
    """Those of these uploads that are this voter's and not expired."""
    query = select(UploadRow).where(UploadRow.id.in_(list(ids)), UploadRow.voter_key == voter_key)
    return session.scalars(query.where(UploadRow.expires_at > now)).all()


def keep(session: Session, ids: Iterable[str], now: datetime) -> None:
    """Keep these uploads for their whole time, as far as they are still there."""
    session.execute(update(UploadRow).where(UploadRow.id.in_(list(ids))).values(expires_at=now + KEPT))


def load(session: Session, ids: Iterable[str]) -> dict[str, Image]:
    """The images of these uploads, as far as they are still there."""
    query = (
        select(UploadRow.id, ImageRow.media_type, ImageRow.data)
        .join(ImageRow, ImageRow.digest == UploadRow.digest)
        .where(UploadRow.id.in_(list(ids)))
    )
    return {upload: Image(media_type, data) for upload, media_type, data in session.execute(query)}


def forget(session: Session, voter_key: str) -> None:
    """Delete all that a voter has uploaded."""
    _drop(session, UploadRow.voter_key == voter_key)


def expire(session: Session, now: datetime) -> None:
    """Delete what has been kept for its time."""
    _drop(session, UploadRow.expires_at <= now)


def any_due(session: Session, now: datetime) -> bool:
    """Whether anything has been kept for its time."""
    return session.scalar(select(UploadRow.id).where(UploadRow.expires_at <= now).limit(1)) is not None


def blocked(session: Session, mark: Mark) -> bool:
    """Whether this may not be uploaded."""
    return any(mark.shows(other) for other in _marks(session, ImageBlockRow))


def block(session: Session, marks: Iterable[Mark], reason: str, now: datetime) -> None:
    """Delete all images that show one of these, with what refers to them; none of them may be uploaded again."""
    _lock_images(session)
    unwanted = set(marks)
    blocked = {mark.digest for mark in _marks(session, ImageBlockRow)}
    rows = (mark._asdict() for mark in unwanted if mark.digest not in blocked)
    session.add_all(ImageBlockRow(**row, reason=reason, created_at=now) for row in rows)
    copies = [mark.digest for mark in _marks(session, ImageRow) if any(mark.shows(other) for other in unwanted)]
    _drop(session, UploadRow.digest.in_(copies))


def marks(session: Session, ids: Iterable[str]) -> set[Mark]:
    """Digests of the images of these uploads, as far as they are still there."""
    query = select(ImageRow.digest, ImageRow.perceptual_hash).join(UploadRow, UploadRow.digest == ImageRow.digest)
    return {Mark(*row) for row in session.execute(query.where(UploadRow.id.in_(list(ids))))}


def _marks(session: Session, table: type[ImageRow | ImageBlockRow]) -> set[Mark]:
    return {Mark(*row) for row in session.execute(select(table.digest, table.perceptual_hash))}


def _lock_images(session: Session) -> None:
    """Wait for other transactions that add, delete or block images; one that shows the same has other bytes."""
    one_at_a_time(session, "images")


def _drop(session: Session, condition: ColumnElement[bool]) -> None:
    """Delete uploads, and then the images to which none refers any more."""
    _lock_images(session)
    digests = session.scalars(delete(UploadRow).where(condition).returning(UploadRow.digest)).all()
    if not digests:
        return
    referred = select(UploadRow.id).where(UploadRow.digest == ImageRow.digest)
    session.execute(delete(ImageRow).where(ImageRow.digest.in_(set(digests)), ~referred.exists()))

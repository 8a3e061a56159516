"""Queries about images: uploads of voters, the bytes that they refer to, and what is blocked."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from arena.adapters.store.tables import ImageBlockRow, ImageRow, UploadRow
from arena.domain.terms import Image

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session


def digest_of(image: Image) -> str:
    """The SHA-256 of its bytes."""
    return hashlib.sha256(image.data).hexdigest()


def put(session: Session, image: Image) -> str:
    """Store the bytes, unless they are there; returns their digest, to which the caller refers by an upload."""
    digest = digest_of(image)
    if session.get(ImageRow, digest, with_for_update={"key_share": True, "read": True}) is None:
        session.add(ImageRow(digest=digest, media_type=image.media_type, data=image.data))
        session.flush()
    return digest


def held(session: Session, ids: Iterable[str], voter_key: str, now: datetime) -> Sequence[UploadRow]:
    """Those of these uploads that are this voter's and not expired."""
    mine = select(UploadRow).where(UploadRow.id.in_(list(ids)), UploadRow.voter_key == voter_key)
    return session.scalars(mine.where(UploadRow.expires_at > now)).all()


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


def blocked(session: Session, digest: str) -> bool:
    """Whether this may not be uploaded."""
    return session.get(ImageBlockRow, digest) is not None


def block(session: Session, digests: Iterable[str], reason: str, now: datetime) -> None:
    """Delete these images with all that refers to them, and note that they may not be uploaded again."""
    found = set(digests)
    # An upload that is being written holds its image, and is seen once it is there.
    session.execute(select(ImageRow.digest).where(ImageRow.digest.in_(found)).with_for_update())
    known = set(session.scalars(select(ImageBlockRow.digest).where(ImageBlockRow.digest.in_(found))))
    session.add_all(ImageBlockRow(digest=digest, reason=reason, created_at=now) for digest in found - known)
    _drop(session, UploadRow.digest.in_(found))


def digests(session: Session, ids: Iterable[str]) -> set[str]:
    """The digests of these uploads, as far as they are still there."""
    return set(session.scalars(select(UploadRow.digest).where(UploadRow.id.in_(list(ids)))))


def _drop(session: Session, condition: ColumnElement[bool]) -> None:
    """Delete uploads, and then the images to which none refers any more."""
    gone = session.scalars(delete(UploadRow).where(condition).returning(UploadRow.digest)).all()
    if not gone:
        return
    referred = select(UploadRow.id).where(UploadRow.digest == ImageRow.digest)
    session.execute(delete(ImageRow).where(ImageRow.digest.in_(set(gone)), ~referred.exists()))

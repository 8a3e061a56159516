"""Acts on uploaded images: store one, show it to its voter, block one, and delete the expired ones."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arena.adapters.store import images
from arena.adapters.store.tables.images import UploadRow
from arena.domain.errors import ImageBlocked, ImageNotFound
from arena.domain.text import one_line

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.terms import Voter
    from arena_providers.terms import Image

UNSENT: Final = timedelta(hours=1)
"""Time for which an image is kept before a prompt uses it."""
REASON_LIMIT: Final = 200


async def upload(database: Database, voter: Voter, image: Image, upload_id: str, now: datetime) -> None:
    """Store an image under this id.

    Raises:
        ImageBlocked: The operator has blocked the same picture.
    """
    await database.write(_upload, voter.key, image, upload_id, now)


async def show(database: Database, voter: Voter, upload_id: str, now: datetime) -> Image:
    """The image of this id, for the voter who sent it.

    Raises:
        ImageNotFound: Unknown, expired, or another voter's; the error is the same for all.
    """
    return await database.read(_show, voter.key, upload_id, now)


async def block(database: Database, image: Image, reason: str, now: datetime) -> None:
    """Delete all images with the same picture, and refuse them from now on.

    Raises:
        Invalid: The reason does not fit.
    """
    one_line("reason", reason, REASON_LIMIT)
    await database.write(images.block, [images.mark_of(image)], reason, now)


async def expire(database: Database, now: datetime) -> None:
    """Delete expired images."""
    if await database.read(images.any_due, now):
        await database.write(images.expire, now)


def _upload(session: Session, voter_key: str, image: Image, upload_id: str, now: datetime) -> None:
    mark = images.put(session, image)
    if images.blocked(session, mark):
        raise ImageBlocked
    row = UploadRow(id=upload_id, digest=mark.digest, voter_key=voter_key, created_at=now, expires_at=now + UNSENT)
    session.add(row)
    session.flush()


def _show(session: Session, voter_key: str, upload_id: str, now: datetime) -> Image:
    if not images.unexpired(session, [upload_id], voter_key, now):
        raise ImageNotFound
    return images.load(session, [upload_id])[upload_id]

"""Images of a conversation: attached when a prompt is stored, read when its endpoints are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import images
from arena.adapters.store.tables.chats import ChatRow
from arena.domain.errors import ImageNotFound, ImagesGone, ImagesLate, ModelBlind, TooManyImages
from arena.domain.terms import IMAGE_LIMIT, LEFT_OPEN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.conversations import Conversation
    from arena_providers.terms import Image


def check_number(ids: Sequence[str]) -> None:
    """Check the number of images, before any is looked up.

    Raises:
        TooManyImages: There are more than `IMAGE_LIMIT`, or one comes twice.
    """
    if len(ids) > IMAGE_LIMIT or len(set(ids)) < len(ids):
        raise TooManyImages(limit=IMAGE_LIMIT)


def attach(session: Session, conversation: Conversation, ids: Sequence[str], now: datetime) -> None:
    """Check that the last turn of a conversation may have these images, and postpone their expiry.

    Images of a battle are kept for as long as it may stay open, and longer once it has a vote. A chat has no vote, so
    its images get the longer time at once.

    Raises:
        TooManyImages: The conversation would have too many.
        ImagesLate: The battle began without images, so its models may be unable to read them.
        ModelBlind: One of the chosen models cannot read images.
        ImageNotFound: One of them is not the voter's, or has expired.
    """
    check_number([image for turn in conversation.turns for image in turn.images or ()])
    if isinstance(conversation, ChatRow):
        if blind := [row.name for row in conversation.models.values() if not row.vision]:
            raise ModelBlind(name=", ".join(blind))
    elif not conversation.turns[0].images:
        raise ImagesLate
    rows = images.unexpired(session, ids, conversation.voter_key, now)
    if len(rows) < len(ids):
        raise ImageNotFound
    for row in rows:
        row.expires_at = max(
            row.expires_at, now + (images.RETENTION if isinstance(conversation, ChatRow) else LEFT_OPEN)
        )


def read(session: Session, conversation: Conversation) -> dict[int, tuple[Image, ...]]:
    """The images of a conversation by turn number, in the order of the prompt.

    Raises:
        ImagesGone: One of them has been deleted.
    """
    attached = {turn.number: turn.images for turn in conversation.turns if turn.images}
    if not attached:
        return {}
    loaded = images.load(session, {image for ids in attached.values() for image in ids})
    try:
        return {number: tuple(loaded[image] for image in ids) for number, ids in attached.items()}
    except KeyError:
        raise ImagesGone from None

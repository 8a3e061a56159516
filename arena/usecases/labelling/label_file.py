"""The published labels as JSON lines, by which boards of topics can be computed from the export of votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import labels

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database


async def label_pages(database: Database) -> AsyncIterator[bytes]:
    """All labels except those of erased votes, in pieces that are each read in a transaction of its own."""
    number = 0
    while result := await database.read(_page, number):
        number, piece = result
        yield piece


def _page(session: Session, after: int) -> tuple[int, bytes] | None:
    rows = labels.public_after(session, after)
    return (rows[-1].number, b"".join(map(labels.line, rows))) if rows else None

"""Writes of many rows in transactions so short that other writers hardly wait."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

BATCH_ROWS: Final = 500
"""Most rows of a transaction, for which all other writers of SQLite wait: 20 ms of processor, and a flush to disk."""
BATCH_SECONDS: Final = 0.1
"""Seconds that a transaction should last at most: on a busy machine or a slow disk the next one is smaller."""
MIN_BATCH: Final = 50
"""Fewest rows of a transaction that is not the last, as each waits for a flush to disk."""


async def batches(count: int, *, whole: bool = False) -> AsyncGenerator[slice]:
    """Slices of `count` rows, each to be written in one transaction before the next one is requested.

    Between two slices others write for as long as the last transaction took. There is one slice, empty, for no rows,
    and one for all rows with `whole`.
    """
    start, size = 0, max(count, 1) if whole else BATCH_ROWS
    while not start or start < count:
        began = monotonic()
        yield slice(start, start + size)
        start, seconds = start + size, monotonic() - began
        if start < count:
            size = min(BATCH_ROWS, max(MIN_BATCH, int(size * BATCH_SECONDS / max(seconds, 1e-9))))
            await asyncio.sleep(seconds)

"""The parts of a snapshot, computed one kind after the other, so that a new board waits for one kind at most.

All work of ranking shares one fitting process, which keeps the computation between two kinds.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Final

from arena.usecases.ranking.sent_columns import Lost
from arena.usecases.ranking.slice_boards import Parts, parts_by_kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from arena.usecases.ranking.sent_columns import SentColumns
    from arena.usecases.ranking.slice_boards import Source
    from arena.usecases.ranking.vote_slices import StoredSlices
    from arena_rating import Comparisons

MAX_COMPUTATIONS: Final = 4
"""Computations that a process keeps; one that its caller has given up makes room for later ones."""
_KEYS: Final = count(1)
_COMPUTATIONS: Final[dict[int, Iterator[Parts]]] = {}


async def computed_parts(columns: SentColumns, slices: StoredSlices, source: Source, executor: Executor) -> Parts:
    """All parts of a snapshot, as `compute_parts` makes them.

    Raises:
        Lost: The executor has another process than at the beginning.
    """
    key, parts = next(_KEYS), Parts([], [], 1.0)
    run = asyncio.get_running_loop().run_in_executor
    kind = await columns.run(executor, _first, slices, source, key)
    while kind is not None:
        parts.extend(kind)
        kind = await run(executor, _next, key)
    return parts


def _first(log: Comparisons, slices: StoredSlices, source: Source, key: int) -> Parts | None:
    while len(_COMPUTATIONS) >= MAX_COMPUTATIONS:
        del _COMPUTATIONS[next(iter(_COMPUTATIONS))]
    _COMPUTATIONS[key] = parts_by_kind(log, slices, source)
    return _next(key)


def _next(key: int) -> Parts | None:
    if key not in _COMPUTATIONS:
        raise Lost
    parts = next(_COMPUTATIONS[key], None)
    if parts is None:
        del _COMPUTATIONS[key]
    return parts

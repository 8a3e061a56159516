"""Sets that come with the arena, written for it and CC BY, in English and Chinese: everyday, closed and ranked ones."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from arena.adapters.store.engine import Database
from arena.domain.errors import Conflict
from arena.evaluations.usecases.sets.importer import SetImport, import_set
from arena.evaluations.usecases.sets.reader import read_set
from arena.evaluations.usecases.sets.sets import list_sets

_LANGUAGES: Final = "en", "zh"
FILES: Final = tuple(Path(__file__).with_name(f"everyday-{language}.jsonl") for language in _LANGUAGES)
"""Everyday questions of all capabilities."""
CLOSED: Final = tuple(Path(__file__).with_name(f"closed-{language}.jsonl") for language in _LANGUAGES)
"""Questions with four options."""
RANKED: Final = tuple(Path(__file__).with_name(f"ranked-{language}.jsonl") for language in _LANGUAGES)
"""Questions with answers of three qualities; their votes are the order of the authors, not a ranking by voters."""
ALL_SETS: Final = (*FILES, *CLOSED, *RANKED)


async def import_shipped(database: Database, now: datetime) -> dict[str, SetImport]:
    """Import and publish the sets that come with the arena; returns the imports by name."""
    results: dict[str, SetImport] = {}
    for file in ALL_SETS:
        set_file = read_set([file], {}, strict=True)
        results[set_file.facts.name] = await import_set(database, set_file.facts, set_file.questions, now, public=True)
    return results


async def settle_shipped(database: Database, now: datetime) -> None:
    """Import the sets into an arena without any, unless another process does so at the same time."""
    if await list_sets(database, public=False):
        return
    try:
        await import_shipped(database, now)
    except Conflict:
        return

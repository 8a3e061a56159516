"""The operator's site, which each process follows in the database; a change reaches all of them within seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store import site as stored
from arena.domain.site import OperatedSite

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database

PAUSE: Final = 2.0
"""Seconds between two looks."""


@dataclass(slots=True)
class FollowedSite:
    """The site as this process has seen it last."""

    current: OperatedSite = field(default_factory=OperatedSite)

    async def follow(self, database: Database) -> None:
        """Keep the site up to date until cancelled; while the database is away the last one stays."""
        await repeat(lambda: self.look(database), pause=PAUSE, failure="the operator's site cannot be read")

    async def look(self, database: Database) -> None:
        """Read the site."""
        self.current = await database.read(stored.load)

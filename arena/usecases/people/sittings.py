"""Sign-out on the server: which sittings have ended, as each process reads it, and how they end."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.adapters.background import repeat
from arena.adapters.store import voters
from arena.domain.sittings import ENDS_KEPT, Sitting

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from arena.adapters.store.engine import Database

READ_SECONDS: Final = 1.0
"""Seconds between two reads, and so the longest time until other processes know of a sign-out."""


@dataclass(slots=True)
class EndedSittings:
    """The sittings that have ended although their cookies have not expired, as this process has read them last.

    `generations` has the least valid generation of a person, and of a sitting, whose own is 0.
    """

    generations: dict[str, int] = field(default_factory=dict[str, int])

    def has_ended(self, sitting: Sitting) -> bool:
        """Whether somebody has signed out of the sitting."""
        least = self.generations.get(sitting.person, 0)
        return sitting.generation < least or bool(sitting.id and self.generations.get(sitting.id))

    async def begin(self, database: Database, person: str) -> Sitting:
        """A new sitting of a person."""
        return Sitting(person, await database.read(voters.sitting_generation, person), secrets.token_urlsafe(12))

    async def end(self, database: Database, sittings: Iterable[Sitting], now: datetime, *, everywhere: bool) -> None:
        """End sittings, or all sittings of their persons."""
        keys = {sitting.person if everywhere else sitting.id for sitting in sittings} - {""}
        if keys:
            await database.write(voters.end_sittings, keys, now, now + ENDS_KEPT)
            await self.look(database)

    async def follow(self, database: Database) -> None:
        """Keep up to date until cancelled; nothing changes while the database is away."""
        await repeat(lambda: self.look(database), pause=READ_SECONDS, failure="the ended sittings cannot be read")

    async def look(self, database: Database) -> None:
        """Read what has ended."""
        self.generations = await database.read(voters.sitting_generations)

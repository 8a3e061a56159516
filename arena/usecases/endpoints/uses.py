"""Uses of an endpoint beyond battles: its owner allows each, with a cap of calls per day, since they pay for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.adapters.store import endpoint_uses

if TYPE_CHECKING:
    from arena.adapters.store.engine import Database
    from arena.domain.terms import Use


async def allow_use(database: Database, endpoint_id: int, use: Use, daily_calls: int | None) -> None:
    """Let an endpoint be used so, without a cap if `daily_calls` is None."""
    await database.write(endpoint_uses.put, endpoint_id, use, daily_calls)


async def forbid_use(database: Database, endpoint_id: int, use: Use) -> None:
    """Let it be used so no longer."""
    await database.write(endpoint_uses.remove, endpoint_id, use)

"""`arena migrate`: bring the database to the schema of this version."""

from __future__ import annotations

from arena.settings import Settings
from arena.store.migrate import migrate as bring_up
from arena.store.migrate import newest


def migrate() -> None:
    """Apply every migration that is missing; run it once before the new version starts."""
    bring_up(Settings().database)
    print(f"The database has schema {newest()}.")

"""`arena migrate`: migrate the database to the schema of this version."""

from __future__ import annotations


def migrate() -> None:
    """Apply all pending migrations; run it once before starting a new version."""
    from arena.adapters.store.engine.migration import migrate as bring_up
    from arena.adapters.store.engine.migration import newest
    from arena.settings import Settings

    bring_up(Settings().database)
    print(f"The database schema is {newest()}.")

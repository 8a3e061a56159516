"""Access to the database: SQLite in a file for one process, PostgreSQL for several."""

from __future__ import annotations

from arena.adapters.store.engine.database import Database
from arena.adapters.store.engine.database_url import address, driver_options, on_postgres
from arena.adapters.store.engine.sqlite import SqliteDatabase

__all__ = ["Database", "address", "driver_options", "on_postgres", "open_database"]


def open_database(url: str) -> Database:
    """The database at `url`, which must be migrated. The first query makes the first connection."""
    if not on_postgres(url):
        return SqliteDatabase(url)
    # SQLite needs no driver of PostgreSQL.
    from arena.adapters.store.engine.postgres import PostgresDatabase

    return PostgresDatabase(url)

"""The one door to the database: SQLite in a file for one service, PostgreSQL for many."""

from __future__ import annotations

from arena.store.engine.address import address, driver_options, on_postgres
from arena.store.engine.base import Database
from arena.store.engine.sqlite import SqliteDatabase

__all__ = ["Database", "address", "driver_options", "on_postgres", "open_database"]


def open_database(url: str) -> Database:
    """The database at `url`; it must have been migrated. No connection is made before the first question."""
    if not on_postgres(url):
        return SqliteDatabase(url)
    # Its driver is loaded only where it is needed.
    from arena.store.engine.postgres import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url)

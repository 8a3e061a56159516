"""Alembic environment: runs migrations on the configured database."""

from __future__ import annotations

import asyncio
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal

from alembic import context
from sqlalchemy import Connection, create_engine, event, pool
from sqlalchemy.ext.asyncio import create_async_engine

from arena.adapters.store import tables
from arena.adapters.store.engine import address, driver_options, on_postgres
from arena.adapters.store.engine.migration import require_known
from arena.adapters.store.tables.base import BaseRow, UtcDateTime
from arena.evaluations.store import tables as evaluation_tables

LOCK_TIMEOUT = "1s"
"""Longest wait of a schema change for a table lock, since all other queries queue behind it."""


def load_tables() -> None:
    """Import the modules of all tables, so that each is in the metadata."""
    for package in (tables, evaluation_tables):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)


def plain(kind: str, item: object, _context: object) -> str | Literal[False]:
    """Render the arena's own column type as its database type, so that a migration does not depend on today's code."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UtcDateTime) else False


def run(connection: Connection) -> None:
    """Run all pending migrations in one transaction."""
    context.configure(
        connection=connection,
        target_metadata=BaseRow.metadata,
        render_as_batch=True,
        render_item=plain,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtextextended('arena migrate', 0))")
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        require_known(context.get_context().get_current_revision())
        context.run_migrations()


async def run_on_postgres(url: str) -> None:
    """Run all pending migrations on PostgreSQL, through asyncpg, the arena's only driver for it."""
    engine = create_async_engine(address(url), poolclass=pool.NullPool, connect_args=driver_options(url))
    try:
        async with engine.connect() as connection:
            await connection.run_sync(run)
            await connection.commit()
    finally:
        await engine.dispose()


def run_on_sqlite(url: str) -> None:
    """Run all pending migrations on SQLite, in this thread.

    An explicit BEGIN covers the schema too: with that of Python's driver, which comes before the first written row, a
    full disk would leave half of the tables.
    """
    engine = create_engine(url, poolclass=pool.NullPool, connect_args={"isolation_level": None})
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with engine.connect() as connection:
        run(connection)
    engine.dispose()


load_tables()
database_url = context.config.get_main_option("sqlalchemy.url")
if database_url is None:
    raise SystemExit("no database was named")
if on_postgres(database_url):
    asyncio.run(run_on_postgres(database_url))
else:
    run_on_sqlite(database_url)

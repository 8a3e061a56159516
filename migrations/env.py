"""Runs migrations on the database named by the configuration."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, pool

from arena.store.tables import Table, UtcDateTime


def plain(kind: str, item: object, _context: object) -> str | bool:
    """Write our own column type as what it is in the database: a migration must outlive the code of its day."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, UtcDateTime) else False


url = context.config.get_main_option("sqlalchemy.url")
if url is None:
    raise SystemExit("no database was named")

engine = create_engine(url, poolclass=pool.NullPool)
with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=Table.metadata, render_as_batch=True, render_item=plain)
    with context.begin_transaction():
        context.run_migrations()
engine.dispose()

"""`arena migrate`: migrate the database to the schema of this version, or say what that would do."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.domain.errors import Invalid

_CHECK_HELP = "Change nothing; succeed only if nothing has to be migrated."


def migrate(check: Annotated[bool, typer.Option("--check", help=_CHECK_HELP)] = False) -> None:
    """Apply all pending migrations; run it once before starting a new version."""
    from arena.adapters.store.engine.migration import migrate as bring_up
    from arena.adapters.store.engine.migration import newest
    from arena.settings import Settings

    url = Settings().database
    if not check:
        bring_up(url)
        print(f"The database schema is {newest()}.")
    elif pending := _pending(url):
        raise Invalid(
            f"the database needs {', '.join(pending)}: back it up and run `arena migrate`; nothing was changed"
        )
    else:
        print(f"The database schema is {newest()}; nothing has to be migrated.")


def _pending(url: str) -> list[str]:
    """The revisions that are not applied: all for a SQLite file that does not exist, which is not created."""
    import asyncio
    from pathlib import Path

    from sqlalchemy import make_url

    from arena.adapters.store.engine import on_postgres, open_database
    from arena.adapters.store.engine.migration import pending, revisions

    if not on_postgres(url) and not Path(make_url(url).database or "").is_file():
        return revisions()
    database = open_database(url)
    try:
        return asyncio.run(pending(database))
    finally:
        database.close()

"""Brings a database to the current schema, from the migrations that the package carries."""

from __future__ import annotations

import time
from importlib.resources import files
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.errors import Unavailable
from arena.store.engine import Database

TRIES: Final = 60
PAUSE: Final = 1.0
_LOCK_NOT_AVAILABLE: Final = "55P03"


def configuration(url: str) -> Config:
    """Alembic's view of the database at `url`; no file of its own is needed."""
    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def migrate(url: str) -> None:
    """Apply every migration that is missing; does nothing on a current database.

    On PostgreSQL a change waits a second at most for the readers of its table, since all others wait behind it, and
    tries again later.

    Raises:
        Unavailable: The database is not there, or its tables were busy the whole time.
    """
    for left in reversed(range(TRIES)):
        try:
            command.upgrade(configuration(url), "head")
        except OSError as error:
            raise Unavailable(f"no database answers: {error}") from error
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
                raise Unavailable(f"the database cannot be migrated: {error.orig}") from error
            if not left:
                raise Unavailable("the tables are too busy to be migrated; nothing was changed") from error
            time.sleep(PAUSE)
        else:
            return


def newest() -> str:
    """The schema that this code needs."""
    head = ScriptDirectory.from_config(configuration("sqlite://")).get_current_head()
    assert head is not None  # noqa: S101 - the package carries its migrations
    return head


async def check(database: Database) -> None:
    """Refuse a database whose schema is older than the code; a newer one must serve until the upgrade is through.

    Raises:
        Unavailable: `arena migrate` comes first.
    """
    found = await database.read(_revision)
    known = {script.revision for script in ScriptDirectory.from_config(configuration("sqlite://")).walk_revisions()}
    if found is None or (found in known and found != newest()):
        raise Unavailable(f"the database is at {found or 'nothing'} and needs {newest()}: run `arena migrate` first")


def _revision(session: Session) -> str | None:
    return MigrationContext.configure(session.connection()).get_current_revision()

"""Migration of a database to the current schema, by the migrations in the package.

Alembic is imported only for a database that is not current: it takes 11 MB and a fifth of a second.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from sqlalchemy import inspect, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from arena.adapters.store.engine import Database, on_postgres
from arena.adapters.store.engine.files import create_database_file
from arena.domain.errors import Unavailable

if TYPE_CHECKING:
    from alembic.config import Config


TRIES: Final = 60
LOCK_RETRY_SECONDS: Final = 1.0
_LOCK_NOT_AVAILABLE: Final = "55P03"
_REVISION: Final = "SELECT version_num FROM alembic_version"


def configuration(url: str) -> Config:
    """Alembic's configuration for the database at `url`, without a file."""
    from alembic.config import Config  # see above

    config = Config()
    config.set_main_option("script_location", str(files("arena_migrations")))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def migrate(url: str) -> None:
    """Apply all missing migrations; does nothing on a current database.

    On PostgreSQL a change waits at most a second for the lock on its table, as all other queries wait behind it, and is
    retried later.

    Raises:
        Unavailable: The database cannot be reached, another release made it, or its tables were busy at each try.
    """
    if not on_postgres(url):
        create_database_file(url)
    for left in reversed(range(TRIES)):
        try:
            if on_postgres(url) or not _is_current(url):
                _upgrade(url)
        except OSError as error:
            raise Unavailable(f"no database answers: {error.strerror or error}") from error
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
                raise Unavailable(f"the database cannot be migrated: {error.orig}") from error
            if not left:
                raise Unavailable("the tables are too busy to be migrated; nothing was changed") from error
            time.sleep(LOCK_RETRY_SECONDS)
        else:
            return


def revisions() -> list[str]:
    """All schema revisions of this version, oldest first: `r` and the number in the migration's file name.

    The letter distinguishes them from the revisions `0001` to `0031` before the first release.
    """
    names = (file.name for file in files("arena_migrations").joinpath("versions").iterdir())
    return sorted(f"r{name.split('_')[0]}" for name in names if name.endswith(".py"))


def newest() -> str:
    """The schema revision that this version needs."""
    return revisions()[-1]


async def pending(database: Database) -> list[str]:
    """The schema revisions that `migrate` would apply, oldest first; none if a newer version has migrated the database.

    Raises:
        Unavailable: The database cannot be reached, or no migration leads from its schema to that of this version.
    """
    revision = await database.read(_read_revision)
    if revision is not None and revision > newest() and revision.startswith("r"):
        return []
    require_known(revision)
    return [later for later in revisions() if revision is None or later > revision]


async def check(database: Database) -> None:
    """Reject a database with an older schema than the code; a newer one occurs during a rolling upgrade.

    Raises:
        Unavailable: `arena migrate` must be run first, or no migration leads from this schema to that of this version.
    """
    revision = await database.read(_read_revision)
    if revision is None or revision in revisions()[:-1]:
        raise Unavailable(f"the database is at {revision or 'nothing'} and needs {newest()}: run `arena migrate` first")
    if revision <= newest():
        require_known(revision)


def require_known(revision: str | None) -> None:
    """Reject a database whose schema is unknown to this version: older than its first migration, or newer.

    Raises:
        Unavailable: The text has the two possible remedies.
    """
    if revision is not None and revision not in revisions():
        raise Unavailable(
            f"another release made this database (schema {revision}), and this one cannot read it: "
            "use the release that made it, or begin with an empty folder (ARENA_DATA) or database (ARENA_DATABASE_URL)"
        )


def _upgrade(url: str) -> None:
    from alembic import command  # see above

    command.upgrade(configuration(url), "head")


def _is_current(url: str) -> bool:
    """Whether a SQLite database has the newest schema; False for one that cannot be read, of which Alembic complains.

    Every command asks this at its start, so without an engine, which would take ten times as long.
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(make_url(url).database or ":memory:")) as connection:
        return connection.execute(_REVISION).fetchone() == (newest(),)
    return False


def _read_revision(session: Session) -> str | None:
    if not inspect(session.connection()).has_table("alembic_version"):
        return None
    return session.scalar(text(_REVISION))

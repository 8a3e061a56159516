"""Context of all commands: settings and a migrated database.

SQLAlchemy and pydantic are imported where they are used, which saves `--help` half a second.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from arena.domain.errors import Unavailable

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.operators import Act
    from arena.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


@contextmanager
def opened(settings: Settings) -> Generator[Database]:
    """Open the database for the block; SQLite files are migrated first, a server's database by `arena migrate` only.

    Files in the data folder are made private to this user first.

    Raises:
        Unavailable: The schema on the server is older than this version needs.
        PermissionError: The data folder belongs to another user.
    """
    from arena.adapters.store.engine import on_postgres, open_database
    from arena.adapters.store.engine.files import require_writable, restrict_folder
    from arena.adapters.store.engine.migration import check, migrate

    served = on_postgres(settings.database)
    if settings.data.is_dir():
        if not served:
            require_writable(settings.data)
        restrict_folder(settings.data)
    if not served:
        migrate(settings.database)
    database = open_database(settings.database)
    try:
        if served:
            asyncio.run(check(database))
        yield database
    finally:
        database.close()


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """Lock a data folder: a second service would fail the running battles of the first.

    Raises:
        Unavailable: Another service has locked it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(folder / "serve.lock", os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Unavailable(f"another arena serve uses {folder}; set ARENA_DATA to another folder") from None
        yield


def run(
    work: Callable[[Database, Settings], Coroutine[None, None, T]],
    act: Act | None = None,
    first: Callable[[Database, Settings], Coroutine[None, None, None]] | None = None,
) -> T:
    """Run one operation on the configured database, after `first`, whose writes are no part of an act.

    Only an operation that is an operator's `act` can write: its row is saved with the first write.
    """
    from arena.settings import Settings

    async def whole(database: Database) -> T:
        if first is not None:
            await first(database, settings)
        return await work(recorded(database, settings, act), settings)

    settings = Settings()
    with opened(settings) as database:
        return asyncio.run(whole(database))


def recorded(database: Database, settings: Settings, act: Act | None) -> Database:
    """A database that records the act under the name of the user, or without an act refuses writes."""
    from arena.adapters.store.engine.joined_writes import JoinedWrites

    if act is None:
        return JoinedWrites(database, _refuse)
    from arena.domain.operators import Operator, OperatorRole
    from arena.usecases.people import acts

    return acts.recorded(database, Operator(acting_name(settings), acts.BY_COMMAND, OperatorRole.OWNER), act, now)


def _refuse(_session: Session) -> None:
    raise TypeError("a command that writes has to say which act of an operator it is")


def acting_name(settings: Settings) -> str:
    """The user's name: as set, or else the system's, or else their number."""
    try:
        return settings.operator_name or getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def read(query: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run one query on the configured database."""
    return run(lambda database, _settings: database.read(query, *args, **kwargs))

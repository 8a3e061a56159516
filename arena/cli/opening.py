"""Opens what every command needs: settings and a current database."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from arena.errors import Unavailable
from arena.settings import Settings
from arena.store.engine import Database, on_postgres, open_database
from arena.store.keyring import Keyring
from arena.store.migrate import check, migrate
from arena.targets import Keys

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator
    from pathlib import Path
    from typing import Any

T = TypeVar("T")


def keys(settings: Settings) -> Keys:
    """Where the keys of endpoints come from."""
    return Keys(os.environ.get, Keyring(settings.secret_key.get_secret_value(), settings.key_file))


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


@contextmanager
def opened(settings: Settings) -> Generator[Database]:
    """The database, closed at the end. A file is migrated here; a server's schema belongs to all its processes.

    Raises:
        Unavailable: The server's schema is older than this version needs.
    """
    served = on_postgres(settings.database)
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
    """Hold a data folder: a second service there would take the first one's running battles for lost.

    Raises:
        Unavailable: Another service holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "serve.lock").open("w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Unavailable(f"another arena serve runs on {folder}; choose a folder with ARENA_DATA") from None
        yield


def run(act: Callable[[Database, Settings], Coroutine[Any, Any, T]]) -> T:
    """Do one act on the operator's database."""
    settings = Settings()
    with opened(settings) as database:
        return asyncio.run(act(database, settings))

"""Opens what every command needs: settings and a current database."""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from arena.errors import Unavailable
from arena.settings import Settings
from arena.store.engine import Database, open_database
from arena.store.migrate import migrate

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator
    from pathlib import Path
    from typing import Any

T = TypeVar("T")


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


@contextmanager
def opened(settings: Settings) -> Generator[Database]:
    """The database, migrated, closed at the end."""
    migrate(settings.database)
    database = open_database(settings.database)
    try:
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

"""Opens what every command needs: settings and a current database."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from arena.settings import Settings
from arena.store.engine import Database
from arena.store.migrate import migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator
    from typing import Any

T = TypeVar("T")


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


@contextmanager
def opened(settings: Settings) -> Generator[Database]:
    """The database, migrated, closed at the end."""
    migrate(settings.database)
    database = Database(settings.database)
    try:
        yield database
    finally:
        database.close()


def run(act: Callable[[Database, Settings], Coroutine[Any, Any, T]]) -> T:
    """Do one act on the operator's database."""
    settings = Settings()
    with opened(settings) as database:
        return asyncio.run(act(database, settings))

"""Acts on a database: functions of a session that are called with the database, each in a transaction of its own."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine.database import Database

P = ParamSpec("P")
T = TypeVar("T")


def read_transaction(
    work: Callable[Concatenate[Session, P], T],
) -> Callable[Concatenate[Database, P], Coroutine[None, None, T]]:
    """Let `work` be called with a database, and run it as `Database.read` does."""

    @wraps(work)
    async def act(database: Database, *args: P.args, **kwargs: P.kwargs) -> T:
        return await database.read(work, *args, **kwargs)

    return act


def write_transaction(
    work: Callable[Concatenate[Session, P], T],
) -> Callable[Concatenate[Database, P], Coroutine[None, None, T]]:
    """Let `work` be called with a database, and run it as `Database.write` does."""

    @wraps(work)
    async def act(database: Database, *args: P.args, **kwargs: P.kwargs) -> T:
        return await database.write(work, *args, **kwargs)

    return act

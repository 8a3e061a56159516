"""Decorators of functions of a session, which are then called with a database and run in their own transaction."""

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
    """The function `work` by `Database.read`, with a database in place of the session."""

    @wraps(work)
    async def act(database: Database, *args: P.args, **kwargs: P.kwargs) -> T:
        return await database.read(work, *args, **kwargs)

    return act


def write_transaction(
    work: Callable[Concatenate[Session, P], T],
) -> Callable[Concatenate[Database, P], Coroutine[None, None, T]]:
    """The function `work` by `Database.write`, with a database in place of the session."""

    @wraps(work)
    async def act(database: Database, *args: P.args, **kwargs: P.kwargs) -> T:
        return await database.write(work, *args, **kwargs)

    return act

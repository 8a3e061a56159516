"""A database whose first write includes further work in the same transaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Concatenate

from arena.adapters.store.engine.database import Database, Load, P, T

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session


class JoinedWrites(Database):
    """A database whose first successful write also runs `also(session)`, so that both are saved or neither.

    A write that returns False has changed nothing, so it is not that one.
    """

    def __init__(self, database: Database, also: Callable[[Session], object]) -> None:
        self._database = database
        self._also = also
        self.joined = False
        self._first = asyncio.Lock()

    async def read(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.read(work, *args, **kwargs)

    async def write(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with self._first:
            if not self.joined:
                result = await self._database.write(self._both, work, args, kwargs)
                self.joined = _is_change(result)
                return result
        return await self._database.write(work, *args, **kwargs)

    def load(self) -> Load:
        return self._database.load()

    def close(self) -> None:
        self._database.close()

    def _both(self, session: Session, work: Callable[..., T], args: tuple[object, ...], kwargs: dict[str, object]) -> T:
        result = work(session, *args, **kwargs)
        if _is_change(result):
            self._also(session)
        return result


def _is_change(result: object) -> bool:
    return result is not False

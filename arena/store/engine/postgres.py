"""PostgreSQL: an event loop on a thread of its own, which talks to the server and runs the same plain functions.

A thread of its own, because the functions compute between their questions: on the caller's loop that time would be
missing to the streams, and a caller who leaves would break off a transaction in the middle. Many transactions run at
once here; what must not overlap takes a lock in the database (`arena.store.locks`) or meets a constraint.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Concatenate, Final

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, DisconnectionError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from arena.meters import WRITES
from arena.spans import span
from arena.store.engine.address import address, driver_options, pooled
from arena.store.engine.base import Database, Load, P, T, unavailable

READERS: Final = 4
WRITERS: Final = 12
"""Connections of one process; the server's `max_connections` must bear all processes and some more."""

TRIES: Final = 4
"""How often work is begun that the server broke off for the sake of another."""
_BROKEN_OFF: Final = frozenset({"40001", "40P01"})  # serialization failure, deadlock

_WAIT: Final = 5.0
"""Seconds for a connection, from the pool or to the server."""
_CLIENT: Final = {"application_name": "arena", "timezone": "UTC"}
_SERVER: Final = {
    "synchronous_commit": "on",
    "statement_timeout": "30s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "15s",
}
_FOR_THIS_TRANSACTION: Final = "SELECT " + ", ".join(
    f"set_config('{name}', '{value}', true)" for name, value in _SERVER.items()
)
"""The same where a pooler lets nobody set anything for a connection."""


class PostgresDatabase(Database):
    """A PostgreSQL database."""

    def __init__(self, url: str) -> None:
        """`url` with or without the driver's name in it."""
        self._reading = _engine(url, READERS, read_only=True)
        self._writing = _engine(url, WRITERS, read_only=False)
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._asked: set[Future[Any]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="store", daemon=True)
        self._thread.start()

    async def read(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._there(_transaction(self._reading, lambda session: work(session, *args, **kwargs)))

    async def write(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with WRITES.time(), span("commit", work=work.__name__):
            return await self._there(_transaction(self._writing, lambda session: work(session, *args, **kwargs)))

    def load(self) -> Load:
        used = sum(_used(engine) for engine in (self._reading, self._writing))
        return Load(self.queued() + max(0, len(self._asked) - used), used, READERS + WRITERS)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _there(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the thread; shielded, so that leaving does not end it."""
        asked = asyncio.run_coroutine_threadsafe(self._kept(work), self._loop)
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)
        return await asyncio.shield(asyncio.wrap_future(asked))

    async def _kept(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine that runs has its task
        self._tasks.add(task)
        try:
            return await work
        finally:
            self._tasks.discard(task)

    async def _end(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for engine in (self._reading, self._writing):
            await engine.dispose()


async def _transaction(engine: AsyncEngine, work: Callable[[Session], T]) -> T:
    """Work in a transaction to its end; once more where the server broke it off, which has kept nothing of it."""
    for left in reversed(range(TRIES)):
        try:
            async with AsyncSession(engine, expire_on_commit=False) as session:
                return await session.run_sync(_commit, work)
        except IntegrityError:
            raise
        except (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
            if not left or not _broken_off(error):
                raise unavailable(error) from error
    raise AssertionError("the last try returns or raises")


def _commit(session: Session, work: Callable[[Session], T]) -> T:
    try:
        session.connection()
    except OSError as error:
        # No server there; an OSError of the work itself is its own affair.
        raise unavailable(error) from error
    result = work(session)
    try:
        session.commit()
    except BaseException:
        # What a commit has left of its connection when it failed is not worth knowing: go on with a new one.
        session.invalidate()
        raise
    return result


def _used(engine: AsyncEngine) -> int:
    return engine.pool.checkedout() if isinstance(engine.pool, QueuePool) else 0


def _broken_off(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _BROKEN_OFF


def _engine(url: str, size: int, *, read_only: bool) -> AsyncEngine:
    engine = create_async_engine(
        address(url),
        pool_size=size,
        max_overflow=0,
        pool_timeout=_WAIT,
        # Few connections have most of the work, and each keeps its statements prepared.
        pool_use_lifo=True,
        # Each statement sees what is committed by then: what `arena.store.settled` has found holds for the next one.
        isolation_level="READ COMMITTED",
        hide_parameters=True,
        connect_args={
            "timeout": _WAIT,
            "command_timeout": 35,
            "server_settings": _CLIENT if pooled(url) else _CLIENT | _SERVER,
            **driver_options(url),
        },
    )

    def connected(connection: Any, _record: object) -> None:  # noqa: ANN401 - SQLAlchemy's face of a connection
        connection.readonly = read_only

    def taken(connection: Any, _record: object, _proxy: object) -> None:  # noqa: ANN401
        # A server that went away has closed its sockets, and the loop has seen it: no question is needed to know.
        if connection.driver_connection.is_closed():
            raise DisconnectionError

    def begun(connection: Any) -> None:  # noqa: ANN401
        connection.exec_driver_sql(_FOR_THIS_TRANSACTION)

    event.listen(engine.sync_engine, "connect", connected)
    if pooled(url):
        event.listen(engine.sync_engine, "begin", begun)
    event.listen(engine.sync_engine, "checkout", taken)
    return engine

"""PostgreSQL: transactions run on an event loop on a separate thread.

The functions compute between queries: on the caller's loop that would delay the streams, and cancelling a caller would
abort a transaction. Many transactions run concurrently; work that must not overlap takes a lock in the database
(`arena.adapters.store.engine.sessions`) or relies on a constraint.
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

from arena.adapters.store.engine.database import Database, Load, P, T, outlasting, timed, unavailable
from arena.adapters.store.engine.database_url import address, driver_options, pooled

READERS: Final = 4
WRITERS: Final = 12
"""Connections of one process; the server's `max_connections` must allow for all processes and some more."""
TRIES: Final = 4
"""Attempts for a transaction that the server aborts because of another."""
_ABORTED: Final = frozenset({"40001", "40P01"})  # serialization failure, deadlock
_WAIT: Final = 5.0
"""Timeout in seconds for a connection, from the pool or to the server."""
_CLIENT: Final = {"application_name": "arena", "timezone": "UTC"}
_SERVER: Final = {
    "synchronous_commit": "on",
    "statement_timeout": "30s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "15s",
}
_SET_LOCAL: Final = "SELECT " + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in _SERVER.items())
"""The same settings per transaction, for poolers without settings per connection."""


class PostgresDatabase(Database):
    """A PostgreSQL database."""

    def __init__(self, url: str) -> None:
        """`url` with or without the driver's name."""
        self._reading = _engine(url, READERS, read_only=True)
        self._writing = _engine(url, WRITERS, read_only=False)
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[object]] = set()
        self._pending: set[Future[Any]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="store", daemon=True)
        self._thread.start()

    async def read(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._on_thread(_transaction(self._reading, lambda session: work(session, *args, **kwargs)))

    async def write(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        with timed(work):
            return await self._on_thread(_transaction(self._writing, lambda session: work(session, *args, **kwargs)))

    def load(self) -> Load:
        used = sum(_used(engine) for engine in (self._reading, self._writing))
        return Load(self.queued() + max(0, len(self._pending) - used), used, READERS + WRITERS)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _on_thread(self, work: Coroutine[None, None, T]) -> T:
        """Run `work` on the thread; cancelling the caller does not cancel it."""
        future = asyncio.run_coroutine_threadsafe(self._tracked(work), self._loop)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return await outlasting(future)

    async def _tracked(self, work: Coroutine[None, None, T]) -> T:
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
    """Run `work` in a transaction and commit; retry if the server aborted the transaction, which saved nothing."""
    for tries_left in reversed(range(TRIES)):
        try:
            async with AsyncSession(engine, expire_on_commit=False) as session:
                return await session.run_sync(_commit, work)
        except IntegrityError:
            raise
        except (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
            if not tries_left or not _was_aborted(error):
                raise unavailable(error) from error
    raise AssertionError("the last try returns or raises")


def _commit(session: Session, work: Callable[[Session], T]) -> T:
    try:
        session.connection()
    except OSError as error:
        # The server cannot be reached; an OSError of `work` is raised unchanged.
        raise unavailable(error) from error
    result = work(session)
    try:
        session.commit()
    except BaseException:
        # After a failed commit the state of the connection is unknown: discard it.
        session.invalidate()
        raise
    return result


def _used(engine: AsyncEngine) -> int:
    return engine.pool.checkedout() if isinstance(engine.pool, QueuePool) else 0


def _was_aborted(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _ABORTED


def _engine(url: str, size: int, *, read_only: bool) -> AsyncEngine:
    engine = create_async_engine(
        address(url),
        pool_size=size,
        max_overflow=0,
        pool_timeout=_WAIT,
        # Few connections do most of the work, so that prepared statements are reused.
        pool_use_lifo=True,
        # `sessions.settled` requires that each statement sees all earlier commits.
        isolation_level="READ COMMITTED",
        hide_parameters=True,
        connect_args={
            "timeout": _WAIT,
            "command_timeout": 35,
            "server_settings": _CLIENT if pooled(url) else _CLIENT | _SERVER,
            **driver_options(url),
        },
    )

    def connected(connection: Any, _record: object) -> None:  # noqa: ANN401 - SQLAlchemy's adapter of a connection
        connection.readonly = read_only

    def checked_out(connection: Any, _record: object, _proxy: object) -> None:  # noqa: ANN401
        # The event loop notices when the server closes a socket, so no ping query is needed.
        if connection.driver_connection.is_closed():
            raise DisconnectionError

    def began(connection: Any) -> None:  # noqa: ANN401
        connection.exec_driver_sql(_SET_LOCAL)

    event.listen(engine.sync_engine, "connect", connected)
    if pooled(url):
        event.listen(engine.sync_engine, "begin", began)
    event.listen(engine.sync_engine, "checkout", checked_out)
    return engine

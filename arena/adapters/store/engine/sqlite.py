"""SQLite: reads on a few threads, writes through one writer with group commit.

SQLite serialises writers, so a second one would wait or fail. Here a single thread runs all waiting writes in one
transaction, each in its own savepoint, and commits once, with one flush to disk and no busy lock. A caller's `await`
returns after that commit.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Concatenate, Final

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from arena.adapters.store.engine.database import Database, Load, P, T, outlasting, refuses_value, timed, unavailable
from arena.domain.errors import KeyLost

READERS: Final = 4
GROUP: Final = 256
"""Most writes in one commit."""
LOCK_SECONDS: Final = 5.0
"""Seconds after which a write fails while another process holds the lock."""
LOCK_STEP: Final = 0.002
"""Seconds between two attempts to get the lock. SQLite's own grow to 0.1 s, so that a process that writes much, such as
an import, has the lock again at most of them, and votes wait for a second."""
_CLOSED: Final = "the database is closed"

_Job = tuple[Callable[[Session], Any], "Future[Any]"]


class SqliteDatabase(Database):
    """A SQLite file."""

    def __init__(self, url: str) -> None:
        """`url` in SQLAlchemy's form, for example `sqlite:///arena.db`."""
        self._reading = _engine(url, begin="BEGIN", pool_size=READERS, read_only=True)
        self._writing = _engine(url, begin="BEGIN IMMEDIATE", pool_size=1, read_only=False)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-read")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._writer = threading.Thread(target=self._write_forever, name="store-write", daemon=True)
        self._writer.start()

    async def read(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.wrap_future(
            self._readers.submit(self._read, lambda session: work(session, *args, **kwargs))
        )

    async def write(self, work: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._closed:
            raise unavailable(RuntimeError(_CLOSED))
        future: Future[T] = Future()
        self._jobs.put((lambda session: work(session, *args, **kwargs), future))
        with timed(work):
            # Cancelling the caller does not cancel a write that waits for its turn.
            return await outlasting(future)

    def load(self) -> Load:
        return Load(self.queued() + self._jobs.qsize(), _used(self._reading) + _used(self._writing), READERS + 1)

    def close(self) -> None:
        self._closed = True
        self._jobs.put(None)
        self._writer.join()
        while not self._jobs.empty():  # a write that began before the mark and arrived after it
            if job := self._jobs.get_nowait():
                job[1].set_exception(unavailable(RuntimeError(_CLOSED)))
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()

    def _read(self, work: Callable[[Session], T]) -> T:
        missing = ""
        while True:
            try:
                with Session(self._reading) as session:
                    return work(session)
            except KeyLost as error:
                # The snapshot may be older than a rotation of the master key; the same error in a new one is real.
                if str(error) == missing:
                    raise
                missing = str(error)
            except SQLAlchemyError as error:
                raise unavailable(error) from error

    def _write_forever(self) -> None:
        while (job := self._jobs.get()) is not None:
            jobs, closing = self._drain(job)
            self._commit(jobs)
            if closing:
                return

    def _drain(self, first: _Job) -> tuple[list[_Job], bool]:
        jobs = [first]
        while len(jobs) < GROUP:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False

    def _commit(self, jobs: list[_Job]) -> None:
        done: list[tuple[Future[Any], Any]] = []
        try:
            with Session(self._writing, expire_on_commit=False) as session:
                # Begin here, so that a lock of another process is waited for once and not once per write.
                driver: Any = session.connection().connection.dbapi_connection
                alone = len(jobs) == 1
                for work, future in jobs:
                    try:
                        with _rolled_back(session, driver) if alone else session.begin_nested():
                            result = work(session)
                    except BaseException as error:  # noqa: BLE001 - raised to the caller
                        future.set_exception(_as_unavailable(error))
                        if not alone:
                            _check_in_transaction(driver)
                    else:
                        done.append((future, result))
                    # Objects of one write may be stale for the next.
                    session.expunge_all()
                session.commit()
        except Exception as error:  # noqa: BLE001 - the writer must survive every failure of the disk
            # After a failed commit the connection may still be in a transaction: replace it.
            self._writing.dispose()
            for _, future in jobs:
                if not future.done():
                    future.set_exception(unavailable(error))
            return
        for future, result in done:
            future.set_result(result)


@contextmanager
def _rolled_back(session: Session, driver: Any) -> Generator[None]:  # noqa: ANN401 - sqlite3 or a compatible driver
    """Roll the transaction back if the block fails: a single write needs no savepoint, which takes a fifth longer.

    The flush raises violated constraints here, as the end of a savepoint would, and not in the commit.
    """
    try:
        yield
        session.flush()
        _check_in_transaction(driver)
    except BaseException:
        session.rollback()
        raise


def _used(engine: Engine) -> int:
    return engine.pool.checkedout() if isinstance(engine.pool, QueuePool) else 0


def _check_in_transaction(driver: Any) -> None:  # noqa: ANN401 - sqlite3 or a compatible driver
    """Check that the transaction still exists after a failure, since SQLite rolls it back on a disk error.

    The next savepoint would begin another transaction, whose commit would seem to be that of the lost one.

    Raises:
        StoreUnavailable: The transaction was rolled back.
    """
    if not driver.in_transaction:
        raise unavailable(RuntimeError("SQLite rolled the whole transaction back"))


def _as_unavailable(error: BaseException) -> BaseException:
    if refuses_value(error) or (isinstance(error, SQLAlchemyError) and not isinstance(error, IntegrityError)):
        return unavailable(error)
    return error


def _engine(url: str, *, begin: str, pool_size: int, read_only: bool) -> Engine:
    engine = create_engine(url, pool_size=pool_size, max_overflow=0, hide_parameters=True)

    def connected(connection: Any, _record: object) -> None:  # noqa: ANN401 - sqlite3 or a compatible driver
        # The driver's own transactions do not support savepoints; `began` emits BEGIN.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={LOCK_SECONDS * 1_000:.0f}")
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA query_only=ON" if read_only else "PRAGMA busy_timeout=0")
        cursor.close()

    def began(connection: Any) -> None:  # noqa: ANN401
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                connection.exec_driver_sql(begin)
            except OperationalError as error:
                if "locked" not in str(error.orig) or time.monotonic() > end:
                    raise
                time.sleep(LOCK_STEP)
            else:
                return

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", began)
    return engine

"""SQLite only: one writer, group commit, one file."""

import asyncio
import resource
import sqlite3
import threading
from contextlib import ExitStack, closing, suppress

import pytest
from sqlalchemy import event, select, text
from sqlalchemy.exc import IntegrityError

from arena.adapters.store.engine import open_database, sqlite
from arena.adapters.store.tables.endpoints import OwnerRow
from arena.domain.errors import StoreUnavailable
from tests.adapters.store.test_engine import add, count
from tests.conftest import START


@pytest.fixture
def database(sqlite_url):
    database = open_database(sqlite_url)
    yield database
    database.close()


async def test_what_was_awaited_is_on_disk_for_another_connection(database, sqlite_url):
    await database.write(add, "one")
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as other:
        assert other.execute("SELECT name FROM owners").fetchall() == [("one",)]


async def test_every_write_is_flushed_before_it_is_answered(database):
    mode = await database.write(lambda session: session.execute(text("PRAGMA synchronous")).scalar())
    assert mode == 2
    assert await database.read(lambda session: session.execute(text("PRAGMA journal_mode")).scalar()) == "wal"


async def test_waiting_writes_share_one_commit(database):
    commits = 0

    def counted(_connection) -> None:
        nonlocal commits
        commits += 1

    event.listen(database._writing, "commit", counted)
    await asyncio.gather(*(database.write(add, f"owner {n}") for n in range(200)))
    assert await database.read(count) == 200
    assert commits < 100


async def test_a_missing_table_is_unavailable_and_not_a_crash(tmp_path):
    database = open_database(f"sqlite:///{tmp_path / 'empty.db'}")
    with pytest.raises(StoreUnavailable):
        await database.read(count)
    database.close()


async def in_one_group(database, *works):
    """The results of writes that share one commit."""
    began, go_on = threading.Event(), threading.Event()

    def hold(_session) -> None:
        began.set()
        go_on.wait()

    held = asyncio.create_task(database.write(hold))
    await asyncio.to_thread(began.wait)
    waiting = asyncio.gather(*(database.write(*work) for work in works), return_exceptions=True)
    while database.load().waiting < len(works):
        await asyncio.sleep(0)
    go_on.set()
    await held
    return await waiting


def lose_all(session) -> None:
    """Roll back behind SQLAlchemy's back, as SQLite does when the disk fails."""
    session.connection().connection.dbapi_connection.execute("ROLLBACK")
    raise OSError


def fail(_session) -> None:
    raise ValueError


def add_on_a_full_disk(session, name) -> None:
    """Add an owner, then let no file grow, so that the commit of the savepoint fails."""
    add(session, name)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


@pytest.fixture
def disk():
    """Restore the limit on file sizes after the test."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize(
    "last", [(add, "after"), (fail,), (add_on_a_full_disk, "last")], ids=["saved", "failed", "not released"]
)
@pytest.mark.usefixtures("disk")
async def test_what_sqlite_rolled_back_for_the_sake_of_another_is_not_called_saved_whatever_comes_after(database, last):
    results = await in_one_group(database, (add, "before"), (lose_all,), last)
    names = await database.read(lambda session: set(session.scalars(select(OwnerRow.name))))
    assert isinstance(results[0], StoreUnavailable)
    assert {result for result in results if isinstance(result, str)} == names == set()


async def test_what_is_alone_in_its_transaction_fails_where_it_was_run_and_leaves_nothing(database):
    await database.write(add, "taken")

    def unflushed(session) -> None:
        session.add_all([OwnerRow(name=name, created_at=START) for name in ("new", "taken")])

    with pytest.raises(IntegrityError):
        await database.write(unflushed)
    assert await database.read(count) == 1


async def test_what_goes_on_alone_after_sqlite_rolled_back_by_itself_is_not_acknowledged(database):
    def goes_on(session) -> str:
        add(session, "lost")
        with suppress(OSError):
            lose_all(session)
        return "done"

    with pytest.raises(StoreUnavailable):
        await database.write(goes_on)
    assert await database.read(count) == 0
    assert await database.write(add, "next") == "next"


async def test_a_write_to_a_closed_database_is_refused_and_does_not_wait_for_ever(sqlite_url):
    database = open_database(sqlite_url)
    begun, go = threading.Event(), threading.Event()

    def wait(_session) -> None:
        begun.set()
        go.wait()

    first = asyncio.create_task(database.write(wait))
    await asyncio.to_thread(begun.wait)
    closing_ = asyncio.create_task(asyncio.to_thread(database.close))
    while not database._closed:  # pyright: ignore[reportAttributeAccessIssue]
        await asyncio.sleep(0)
    go.set()
    with pytest.raises(StoreUnavailable):
        await asyncio.wait_for(database.write(add, "late"), 10)
    await asyncio.gather(first, closing_)
    with pytest.raises(StoreUnavailable):
        await asyncio.wait_for(database.write(add, "later"), 10)


class Lock:
    """The write lock in another process's hands until so many attempts have failed."""

    def __init__(self, url: str, attempts: float) -> None:
        self.other = sqlite3.connect(url.removeprefix("sqlite:///"), check_same_thread=False)
        self.other.execute("BEGIN IMMEDIATE")
        self.attempts, self.steps, self.seconds = attempts, [], 0.0

    def sleep(self, seconds: float) -> None:
        self.steps.append(seconds)
        self.seconds += seconds
        if len(self.steps) >= self.attempts:
            self.other.rollback()

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
async def lock_for(database, sqlite_url, monkeypatch):
    """Take the lock after a first write, which has made the connection, for so many attempts."""
    await database.write(add, "first")
    with ExitStack() as stack:

        def take(attempts: float) -> Lock:
            lock = Lock(sqlite_url, attempts)
            stack.callback(lock.other.close)
            monkeypatch.setattr(sqlite, "time", lock)
            return lock

        yield take


async def test_a_write_looks_for_the_lock_of_another_process_in_short_steps(database, lock_for):
    """A process that writes half of the time must not have the lock again at each look, as with SQLite's long ones."""
    lock = lock_for(200)
    await database.write(add, "second")
    assert await database.read(count) == 2
    assert len(lock.steps) == 200
    assert max(lock.steps) <= 0.005


async def test_a_write_that_never_gets_the_lock_is_refused_after_its_time_and_the_next_goes_on(database, lock_for):
    lock = lock_for(float("inf"))
    with pytest.raises(StoreUnavailable):
        await database.write(add, "second")
    assert lock.seconds == pytest.approx(sqlite.LOCK_SECONDS, abs=0.01)
    lock.other.rollback()
    await database.write(add, "third")
    assert await database.read(count) == 2

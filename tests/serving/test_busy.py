"""The worker while votes never cease: its board follows, each pass ends, and a loop that fails holds up no other."""

import asyncio
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import select

from arena.adapters.background import in_background
from arena.adapters.store import loops as stored
from arena.adapters.store import snapshots, votes
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.serving.fit_process import SparingExecutor
from arena.serving.loops import Loop, Progress
from arena.serving.publisher import Publisher
from arena.serving.worker import work
from arena.usecases.people import oversight
from tests.processes import PATIENCE
from tests.trust.integrity.logs import honest
from tests.usecases.integrity.test_gate_rounds import MONDAY, cast, fill
from tests.usecases.ranking.test_publication import METHOD

pytestmark = pytest.mark.both_databases
START = 40


class BusyExecutor(Executor):
    """An executor during each of whose tasks one more vote arrives."""

    def __init__(self, database, log) -> None:
        self.database, self.log, self.cast = database, log, START
        self.threads, self.loop = ThreadPoolExecutor(1), asyncio.get_running_loop()
        self.tasks = set()

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        task = self.loop.create_task(self._run(future, fn, args, kwargs))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return future

    async def _run(self, future, fn, args, kwargs) -> None:
        try:
            if self.cast < len(self.log):
                self.cast = number = self.cast + 1
                rows = self.log.rows(np.arange(number - 1, number))
                await self.database.write(lambda session: cast(session, rows, first=number))
            future.set_result(await self.loop.run_in_executor(self.threads, lambda: fn(*args, **kwargs)))
        except BaseException as error:  # noqa: BLE001 - it goes to whoever waits
            future.set_exception(error)

    def shutdown(self, *_wait, cancel_futures=False) -> None:
        self.threads.shutdown(wait=False, cancel_futures=cancel_futures)


@pytest.fixture
async def busy(database):
    log = honest(2_000)
    await database.write(fill, log.rows(np.arange(START)), np.zeros(START, bool))
    executor = BusyExecutor(database, log)
    yield executor
    executor.shutdown()


def publisher_of(database, executor) -> Publisher:
    return Publisher(database, METHOD, executor, lambda: MONDAY)


async def test_a_pass_of_the_gate_judges_the_votes_that_were_there_when_it_began_and_ends(database, busy):
    publisher = publisher_of(database, busy)
    async with asyncio.timeout(PATIENCE):
        assert await publisher.judge(unguarded) is Progress.MADE
    assert publisher._gate_state.judged == START
    assert await database.read(votes.last_number) == busy.cast == START + 1


async def test_a_board_has_the_votes_that_were_judged_and_none_after(database, busy):
    publisher = publisher_of(database, busy)
    assert await publisher.publish_board(unguarded) is Progress.NONE
    for number in (1, 2):
        judged = busy.cast
        async with asyncio.timeout(PATIENCE):
            await publisher.judge(unguarded)
            await publisher.publish_board(unguarded)
            await publisher.publish_parts(unguarded)
        row = await database.read(snapshots.newest)
        assert (row.id, row.last_vote) == (number, judged)
        assert {part.snapshot_id for part in await database.read(snapshots.parts_of, number)} == {number}
        assert busy.cast > judged


async def test_a_worker_that_takes_over_shows_the_age_of_the_board_and_not_of_its_own_passes(database, busy):
    """The board of the one before it lacks votes; its first passes find nothing judged, and succeed."""

    def board_of(publisher):
        return next(loop for loop in publisher.loops(1.0) if loop.name == "board")

    def now():
        return MONDAY + timedelta(days=30)

    async def age(board):
        await board._pass(now, unguarded)
        await database.write(stored.report, {"board": (1.0, 100.0, board.state)}, now())
        (view,) = await oversight.loops(database, now())
        return timedelta(seconds=view.age or 0)

    first, second = publisher_of(database, busy), publisher_of(database, busy)
    await first.judge(unguarded)
    await first.publish_board(unguarded)
    newest = await database.read(snapshots.newest)
    waiting = await database.read(votes.oldest_after, newest.last_vote)
    for publisher in (second, first):
        assert await age(board_of(publisher)) == now() - waiting
    assert await database.read(snapshots.newest_id) == newest.id
    busy.cast = len(busy.log)
    await second.judge(unguarded)
    assert await age(board_of(second)) == timedelta(0)


async def test_while_votes_arrive_all_the_time_snapshots_with_parts_and_pair_tables_appear(database, busy, monkeypatch):
    fits = SparingExecutor(lambda: busy)
    publisher = publisher_of(database, fits)

    async def fail(_guard):
        raise RuntimeError("odd")

    loops = [Loop("odd", fail, 0.01), Loop("stuck", lambda _guard: asyncio.Event().wait(), 0.01)]  # pyright: ignore[reportArgumentType]
    loops += publisher.loops(0.01)
    async with asyncio.timeout(PATIENCE), in_background(work(loops, database, lambda: MONDAY, fits)):
        while (await database.read(snapshots.newest_ids))[1] < 3:
            await asyncio.sleep(0.02)
        while not (table := await database.read(snapshots.pair_table_stamp)) or table.snapshot < 2:
            await asyncio.sleep(0.02)
    rows = await database.read(lambda session: list(session.scalars(select(SnapshotRow.last_vote))))
    assert rows == sorted(set(rows))
    assert busy.cast < len(busy.log)

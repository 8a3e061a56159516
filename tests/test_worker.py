import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from arena import ranking, worker
from arena.endpoints import listing
from arena.errors import StoreUnavailable
from arena.ranking import CountedLog
from arena.store import endpoints, leases, snapshots
from arena.store.tables import SnapshotRow
from tests.battles.test_turns import play
from tests.conftest import NAMES
from tests.test_ranking import METHOD
from tests.test_votes import vote


async def until_published(stage) -> None:
    """Let the worker go round until it has published; the first fit of a process loads the compiler."""
    with ThreadPoolExecutor(1) as executor:
        task = asyncio.create_task(
            worker.work(stage.database, METHOD, hire=lambda: executor, pause=0.02, now=lambda: datetime.now(UTC))
        )
        async with asyncio.timeout(60):
            while not await stage.database.read(snapshots.newest_id):
                await asyncio.sleep(0.02)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_new_vote_is_published_without_being_asked_and_once(stage, voter):
    battle, _ = await play(stage, voter)
    await vote(stage, voter, battle.id)
    await until_published(stage)
    await asyncio.sleep(0.1)
    assert await stage.database.read(snapshots.newest_id) == 1


async def test_a_failed_round_does_not_end_the_worker(stage, voter, monkeypatch):
    battle, _ = await play(stage, voter)
    await vote(stage, voter, battle.id)
    failures = iter([StoreUnavailable(), RuntimeError("a bug")])
    publish = worker.ranking.publish

    async def sometimes(*args, **kwargs):
        if failure := next(failures, None):
            raise failure
        return await publish(*args, **kwargs)

    monkeypatch.setattr(worker.ranking, "publish", sometimes)
    await until_published(stage)
    assert next(failures, None) is None


async def test_a_fitting_process_that_dies_is_replaced(stage, voter):
    battle, _ = await play(stage, voter)
    await vote(stage, voter, battle.id)

    class Dead(ThreadPoolExecutor):
        def submit(self, *_args, **_kwargs):
            raise BrokenProcessPool

    hired = []

    def hire():
        hired.append(Dead(1) if not hired else ThreadPoolExecutor(1))
        return hired[-1]

    task = asyncio.create_task(
        worker.work(stage.database, METHOD, hire=hire, pause=0.02, now=lambda: datetime.now(UTC))
    )
    async with asyncio.timeout(60):
        while not await stage.database.read(snapshots.newest_id):
            await asyncio.sleep(0.02)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert len(hired) == 2


PARENT = """
import os, time
from arena.fitting import fitting_process
if __name__ == "__main__":
    with fitting_process() as executor:
        print(executor.submit(os.getpid).result(), flush=True)
        time.sleep(60)
"""


BUSY = """
import time
from arena.fitting import fitting_process
if __name__ == "__main__":
    executor = fitting_process()
    work = executor.submit(time.sleep, 300)
    while not work.running():
        time.sleep(0.01)
    executor.shutdown(wait=False, cancel_futures=True)
"""


def test_a_process_that_is_told_to_stop_does_not_wait_for_its_fit(tmp_path):
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    subprocess.run([sys.executable, str(script)], check=True, timeout=60)


def test_the_fitting_process_does_not_outlive_a_killed_parent(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
        for _ in range(600):
            try:
                os.kill(child, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("the child lives on")


async def test_a_variant_that_has_its_votes_is_listed_in_a_round(stage, voter, monkeypatch):
    monkeypatch.setattr(listing, "STAY", 1)

    def hide(session) -> None:
        endpoints.by_name(session, NAMES[0]).listed = False

    await stage.database.write(hide)
    battle, _ = await play(stage, voter)
    await vote(stage, voter, battle.id)
    await until_published(stage)
    assert await stage.database.read(endpoints.unlisted) == {}


async def test_of_two_workers_one_publishes_and_the_other_follows_when_it_stops(stage, voter):
    leads = [worker.Lead(stage.database, lambda: datetime.now(UTC)) for _ in range(2)]
    tasks = [
        asyncio.create_task(
            worker.work(
                stage.database,
                METHOD,
                hire=lambda: ThreadPoolExecutor(1),
                pause=0.02,
                now=lambda: datetime.now(UTC),
                lead=lead,
            )
        )
        for lead in leads
    ]
    async with asyncio.timeout(60):
        for number in (1, 2):
            battle, _ = await play(stage, voter)
            await vote(stage, voter, battle.id)
            while await stage.database.read(snapshots.newest_id) < number:
                await asyncio.sleep(0.02)
            leader = next(lead for lead in leads if lead._epoch)
            assert [lead._epoch for lead in leads].count(0) == 1
            assert leader._epoch == number
            first = tasks[leads.index(leader)]
            if number == 1:
                first.cancel()
                await stage.database.write(leases.release, worker.NAME, leader.holder, datetime.now(UTC))
                leader._epoch = 0
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    rows = await stage.database.read(lambda session: session.scalars(select(SnapshotRow.last_vote)).all())
    assert rows == [1, 2]


async def test_what_a_worker_computed_before_another_took_over_is_not_published(stage, voter):
    battle, _ = await play(stage, voter)
    await vote(stage, voter, battle.id)
    late = worker.Lead(stage.database, lambda: datetime.now(UTC))
    assert await late.mine()
    guard = late.guard()
    await stage.database.write(leases.release, worker.NAME, late.holder, datetime.now(UTC))
    other = worker.Lead(stage.database, lambda: datetime.now(UTC))
    assert await other.mine()
    with ThreadPoolExecutor(1) as executor, pytest.raises(leases.Superseded):
        await ranking.publish(
            stage.database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC), guard=guard
        )
    assert await stage.database.read(snapshots.newest_id) == 0

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

from arena import worker
from arena.errors import StoreUnavailable
from arena.store import snapshots
from tests.battles.test_turns import play
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
from arena.worker import fitting_process
if __name__ == "__main__":
    with fitting_process() as executor:
        print(executor.submit(os.getpid).result(), flush=True)
        time.sleep(60)
"""


def test_the_fitting_process_does_not_outlive_a_killed_parent(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
        for _ in range(100):
            try:
                os.kill(child, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("the child lives on")

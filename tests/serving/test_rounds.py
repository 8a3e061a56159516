import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from arena.adapters.store import endpoints, leases, snapshots
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.cli.boards.publish import source_of
from arena.domain.errors import StoreUnavailable
from arena.serving import fit_process
from arena.serving import rounds as loop
from arena.serving.lead import NAME, Lead
from arena.settings import Settings
from arena.usecases.endpoints import definition
from arena.usecases.ranking import publication
from arena.usecases.ranking.vote_columns import CountedLog
from tests.conftest import NAMES, START
from tests.processes import PATIENCE
from tests.usecases.battles.test_turns import play
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.votes.test_votes import vote


def rounds_of(runtime, executor, lead=None) -> loop.Rounds:
    return loop.Rounds(runtime.database, METHOD, executor, lambda: datetime.now(UTC), lead=lead)


async def until_published(runtime) -> None:
    """Let the worker go round until it has published; the first fit of a process loads the compiler."""
    with ThreadPoolExecutor(1) as executor:
        task = asyncio.create_task(loop.work(rounds_of(runtime, executor), new_executor=lambda: executor, pause=0.02))
        async with asyncio.timeout(PATIENCE):
            while not await runtime.database.read(snapshots.newest_id):
                await asyncio.sleep(0.02)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_new_vote_is_published_without_being_asked_and_once(runtime, voter):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    await until_published(runtime)
    await asyncio.sleep(0.1)
    assert await runtime.database.read(snapshots.newest_id) == 1


async def test_a_failed_round_does_not_end_the_worker(runtime, voter, monkeypatch):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    failures = iter([StoreUnavailable(), RuntimeError("a bug")])
    publish = loop.publication.publish

    async def sometimes(*args, **kwargs):
        if failure := next(failures, None):
            raise failure
        return await publish(*args, **kwargs)

    monkeypatch.setattr(loop.publication, "publish", sometimes)
    await until_published(runtime)
    assert next(failures, None) is None


async def test_a_fitting_process_that_dies_is_replaced_and_said_in_one_sentence(runtime, voter, caplog):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)

    class Dead(ThreadPoolExecutor):
        def submit(self, *_args, **_kwargs):
            raise BrokenProcessPool

    hired = []

    def new_executor():
        hired.append(Dead(1) if not hired else ThreadPoolExecutor(1))
        return hired[-1]

    task = asyncio.create_task(loop.work(rounds_of(runtime, new_executor()), new_executor=new_executor, pause=0.02))
    async with asyncio.timeout(60):
        while not await runtime.database.read(snapshots.newest_id):
            await asyncio.sleep(0.02)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert len(hired) == 2
    assert "the fitting process ended before it had compiled" in caplog.text
    assert not any(record.exc_info for record in caplog.records)


async def test_a_fitting_process_without_work_is_ended_and_the_next_vote_has_another(runtime, voter, monkeypatch):
    monkeypatch.setattr(loop, "REST", 0.1)
    hired = []

    def new_executor():
        hired.append(ThreadPoolExecutor(1))
        return hired[-1]

    task = asyncio.create_task(loop.work(rounds_of(runtime, new_executor()), new_executor=new_executor, pause=0.02))
    async with asyncio.timeout(60):
        for number in (1, 2):
            battle, _ = await play(runtime, voter)
            await vote(runtime, voter, battle.id)
            while (await runtime.database.read(snapshots.newest_id) or 0) < number or len(hired) <= number:
                await asyncio.sleep(0.02)
    assert not task.done()
    assert len(hired) >= 3
    with pytest.raises(RuntimeError):
        hired[0].submit(os.getpid)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


PARENT = """
import os, sys, time
from arena.serving import fit_process
if __name__ == "__main__":
    with getattr(fit_process, sys.argv[1])() as executor:
        print(executor.submit(os.getpid).result(), flush=True)
        time.sleep(60)
"""


ONE_THREAD = {**os.environ, fit_process.ONE_THREAD: "1"}
FORKED = """
import os
from arena.serving.fit_process import forked_fitting_process
if __name__ == "__main__":
    with forked_fitting_process() as executor:
        os.environ["SAID_LATER"] = "yes"
        known = executor.submit(eval, "'arena.usecases.ranking' in __import__('sys').modules").result()
        said = executor.submit(os.getenv, "SAID_LATER").result()
        print(known, said, executor.submit(os.getpid).result() != os.getpid())
"""


BUSY = """
import time
from arena.serving.fit_process import fitting_process
if __name__ == "__main__":
    executor = fitting_process()
    work = executor.submit(time.sleep, 300)
    while not work.running():
        time.sleep(0.01)
    executor.shutdown(wait=False, cancel_futures=True)
"""


def test_a_forked_process_is_a_copy_from_before_with_all_that_fits_need(tmp_path):
    script = tmp_path / "forked.py"
    script.write_text(FORKED)
    run = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True, env=ONE_THREAD)
    assert run.stdout.split() == ["True", "None", "True"]


async def test_nothing_is_forked_beside_threads(monkeypatch):
    monkeypatch.setenv(fit_process.ONE_THREAD, "1")
    with ThreadPoolExecutor(1) as another:
        another.submit(os.getpid).result()
        executor = fit_process.forked_fitting_process()
    assert executor._mp_context.get_start_method() == "spawn"
    executor.shutdown()


def test_a_process_that_is_told_to_stop_does_not_wait_for_its_fit(tmp_path):
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    subprocess.run([sys.executable, str(script)], check=True, timeout=60)


@pytest.mark.parametrize("way", ["fitting_process", "forked_fitting_process"])
def test_the_fitting_process_does_not_outlive_a_killed_parent(tmp_path, way):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    command = [sys.executable, str(script), way]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ONE_THREAD) as parent:
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


async def test_a_variant_that_has_its_votes_is_listed_in_a_round(runtime, voter, monkeypatch):
    monkeypatch.setattr(definition, "STAY", 1)

    def hide(session) -> None:
        endpoints.by_name(session, NAMES[0]).listed = False

    await runtime.database.write(hide)
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    await until_published(runtime)
    assert await runtime.database.read(endpoints.unlisted) == {}


async def test_of_two_workers_one_publishes_and_the_other_follows_when_it_stops(runtime, voter):
    leads = [Lead(runtime.database, lambda: datetime.now(UTC)) for _ in range(2)]
    tasks = [
        asyncio.create_task(
            loop.work(
                rounds_of(runtime, ThreadPoolExecutor(1), each), new_executor=lambda: ThreadPoolExecutor(1), pause=0.02
            )
        )
        for each in leads
    ]
    async with asyncio.timeout(60):
        for number in (1, 2):
            battle, _ = await play(runtime, voter)
            await vote(runtime, voter, battle.id)
            while await runtime.database.read(snapshots.newest_id) < number:
                await asyncio.sleep(0.02)
            leader = next(lead for lead in leads if lead._epoch)
            assert [lead._epoch for lead in leads].count(0) == 1
            assert leader._epoch == number
            first = tasks[leads.index(leader)]
            if number == 1:
                first.cancel()
                await runtime.database.write(leases.release, NAME, leader.holder, datetime.now(UTC))
                leader._epoch = 0
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    rows = await runtime.database.read(lambda session: session.scalars(select(SnapshotRow.last_vote)).all())
    assert rows == [1, 2]


async def test_what_a_worker_computed_before_another_took_over_is_not_published(runtime, voter):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    late = Lead(runtime.database, lambda: datetime.now(UTC))
    assert await late.mine()
    guard = late.guard()
    await runtime.database.write(leases.release, NAME, late.holder, datetime.now(UTC))
    other = Lead(runtime.database, lambda: datetime.now(UTC))
    assert await other.mine()
    with ThreadPoolExecutor(1) as executor, pytest.raises(leases.Superseded):
        await publication.publish(
            runtime.database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC), guard=guard
        )
    assert await runtime.database.read(snapshots.newest_id) == 0


async def test_the_public_files_are_written_once_a_day_as_soon_as_there_is_a_board(runtime, voter, tmp_path):
    today = START
    with ThreadPoolExecutor(1) as executor:
        source = source_of(Settings(data=tmp_path))
        rounds = loop.Rounds(runtime.database, METHOD, executor, lambda: today, files=(tmp_path / "files", source))
        await rounds.run()
        assert not (tmp_path / "files").exists()
        battle, _ = await play(runtime, voter)
        await vote(runtime, voter, battle.id)
        made = []
        for days in (0, 0, 1):
            today = START + timedelta(days=days)
            await rounds.run()
            made.append(json.loads((tmp_path / "files" / "index.json").read_text())["made_at"])
    assert [moment[:10] for moment in made] == [f"{day.date()}" for day in (START, START, START + timedelta(days=1))]
    assert made[0] == made[1]

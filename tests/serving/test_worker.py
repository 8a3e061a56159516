import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from arena.adapters.background import in_background
from arena.adapters.store import endpoints, leases, snapshots
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.snapshots import SnapshotRow
from arena.cli.boards.publish import source_of
from arena.domain.errors import StoreUnavailable
from arena.serving import fit_process
from arena.serving import worker as worker_module
from arena.serving.fit_process import SparingExecutor
from arena.serving.loops import Progress
from arena.serving.publisher import Publisher
from arena.serving.worker import work
from arena.settings import Settings
from arena.usecases.endpoints import definition
from arena.usecases.labelling.rule_labels import SOURCES
from arena.usecases.ranking import publication
from arena.usecases.ranking.vote_columns import CountedLog
from arena.usecases.work_lease import NAME, WorkLease
from tests.conftest import NAMES, START, add_endpoints
from tests.processes import PATIENCE
from tests.publication import publish_once
from tests.usecases.battles.test_turns import play
from tests.usecases.integrity.test_gate_rounds import attacked, cast
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.votes.test_votes import vote


def publisher_of(runtime, executor, **options) -> Publisher:
    return Publisher(runtime.database, METHOD, executor, clock, **options)


def clock() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def worker(runtime, executor=None, lease=None, **options):
    """The worker's loops, without a pause worth the name, during the block."""
    fits = executor or SparingExecutor(lambda: ThreadPoolExecutor(1))
    publisher = publisher_of(runtime, fits, **options)
    async with in_background(work(publisher.loops(0.02, lease), runtime.database, clock, fits)):
        yield publisher


async def until_published(runtime, number=1, **options) -> None:
    """Let the worker run until it has published; the first fit of a process loads the compiler."""
    async with worker(runtime, **options), asyncio.timeout(PATIENCE):
        while await runtime.database.read(snapshots.newest_id) < number:
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(("period", "seconds"), [(0.5, 100), (10, 100), (60, 600)])
def test_each_loop_is_late_after_ten_periods_or_ten_reports(period, seconds, tmp_path):
    settings = Settings(files="daily", archive_days=1, data=tmp_path)
    publisher = worker_module.publisher_of(settings, None, None)  # pyright: ignore[reportArgumentType]
    bounds = {loop.name: (loop.period, loop.late_after) for loop in publisher.loops(period)}
    slow = {"snapshots", "retention", "images", "annotators", "archives", "files"}
    assert {name for name, bound in bounds.items() if bound == (60, 600)} >= slow
    assert {bound for name, bound in bounds.items() if name not in slow} == {(period, seconds)}


@pytest.mark.process
@pytest.mark.sqlite
async def test_the_fitting_process_does_without_the_library_of_the_database(runtime, voter):
    """It would be a fifth of its memory."""
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    log, _ = attacked(400)
    await runtime.database.write(add_endpoints, log.names)
    await runtime.database.write(lambda session: cast(session, log, first=2))
    with fit_process.fitting_process() as executor:
        publisher = publisher_of(runtime, executor, labels=SOURCES[0])
        passes = [publisher.label, publisher.judge, publisher.publish_board, publisher.publish_parts]
        assert [await a_pass(unguarded) for a_pass in (*passes, publisher.publish_pairs)] == [Progress.MADE] * 5
        assert not executor.submit(eval, "'sqlalchemy' in __import__('sys').modules").result()


async def test_a_new_vote_is_published_without_being_asked_and_once(runtime, voter):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    async with worker(runtime), asyncio.timeout(PATIENCE):
        while not await runtime.database.read(snapshots.newest_id):
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.2)
    assert await runtime.database.read(snapshots.newest_id) == 1


async def test_a_failed_pass_does_not_end_the_worker(runtime, voter, monkeypatch):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    failures = iter([StoreUnavailable(), RuntimeError("a bug")])
    publish = publication.publish_board

    async def sometimes(*args, **kwargs):
        if failure := next(failures, None):
            raise failure
        return await publish(*args, **kwargs)

    monkeypatch.setattr(publication, "publish_board", sometimes)
    await until_published(runtime)
    assert next(failures, None) is None


async def test_a_fitting_process_that_dies_is_replaced_and_said_in_one_sentence(runtime, voter, caplog):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)

    class Dead(ThreadPoolExecutor):
        def submit(self, *_args, **_kwargs):
            raise BrokenProcessPool

    fits = SparingExecutor(lambda: ThreadPoolExecutor(1), Dead(1))
    await until_published(runtime, executor=fits)
    assert "the fitting process ended before it had compiled" in caplog.text
    assert not any(record.exc_info for record in caplog.records)


async def test_a_fitting_process_that_dies_in_the_middle_is_replaced_at_the_next_pass(runtime, voter):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)

    class Dying(ThreadPoolExecutor):
        def submit(self, *_args, **_kwargs):
            future = Future()
            future.set_exception(BrokenProcessPool())
            return future

    await until_published(runtime, executor=SparingExecutor(lambda: ThreadPoolExecutor(1), Dying(1)))


async def test_a_fitting_process_without_work_is_ended_and_the_next_task_has_another():
    executors = []

    def new() -> ThreadPoolExecutor:
        executors.append(ThreadPoolExecutor(1))
        return executors[-1]

    fits = SparingExecutor(new)
    assert fits.submit(os.getpid).result() == os.getpid()
    fits.rest(3_600)
    assert len(executors) == 1
    fits.rest(0)
    with pytest.raises(RuntimeError):
        executors[0].submit(os.getpid)
    assert fits.submit(os.getpid).result() == os.getpid()
    assert len(executors) == 2
    fits.shutdown()


async def test_a_fitting_process_is_not_ended_under_its_work():
    with SparingExecutor(lambda: ThreadPoolExecutor(1)) as fits:
        goes_on = threading.Event()
        task = fits.submit(goes_on.wait)
        fits.rest(0)
        goes_on.set()
        assert task.result()


PARENT = """
import os, sys, time
from arena.serving import fit_process
from arena.serving import worker as worker_module
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


@pytest.mark.process
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


@pytest.mark.process
def test_a_process_that_is_told_to_stop_does_not_wait_for_its_fit(tmp_path):
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    subprocess.run([sys.executable, str(script)], check=True, timeout=60)


@pytest.mark.process
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


async def test_a_variant_that_has_its_votes_is_listed_by_the_worker(runtime, voter, monkeypatch):
    monkeypatch.setattr(definition, "STAY", 1)

    def hide(session) -> None:
        endpoints.by_name(session, NAMES[0]).listed = False

    await runtime.database.write(hide)
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    async with worker(runtime), asyncio.timeout(PATIENCE):
        while await runtime.database.read(endpoints.unlisted):
            await asyncio.sleep(0.02)


async def test_of_two_workers_one_publishes_and_the_other_follows_when_it_stops(runtime, voter):
    async with AsyncExitStack() as stack:
        leases, workers = [], []
        for _ in range(2):
            workers.append(await stack.enter_async_context(AsyncExitStack()))
            leases.append(await workers[-1].enter_async_context(WorkLease(runtime.database, clock).hold()))
            await workers[-1].enter_async_context(worker(runtime, lease=leases[-1]))
        async with asyncio.timeout(PATIENCE):
            for number in (1, 2):
                battle, _ = await play(runtime, voter)
                await vote(runtime, voter, battle.id)
                while await runtime.database.read(snapshots.newest_id) < number:
                    await asyncio.sleep(0.02)
                leader = next(lease for lease in leases if lease.is_held)
                assert [lease.is_held for lease in leases].count(True) == 1
                assert leader._epoch == number
                if number == 1:
                    await workers[leases.index(leader)].aclose()
                    leases.remove(leader)
    rows = await runtime.database.read(lambda session: session.scalars(select(SnapshotRow.last_vote)).all())
    assert rows == [1, 2]


async def test_what_a_worker_computed_before_another_took_over_is_not_published(runtime, voter):
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id)
    late = WorkLease(runtime.database, lambda: datetime.now(UTC))
    assert await late.acquire()
    guard = late.guard()
    await runtime.database.write(leases.release, NAME, late.holder, datetime.now(UTC))
    other = WorkLease(runtime.database, lambda: datetime.now(UTC))
    assert await other.acquire()
    with ThreadPoolExecutor(1) as executor, pytest.raises(leases.Superseded):
        await publish_once(
            runtime.database, METHOD, CountedLog(), executor=executor, now=lambda: datetime.now(UTC), guard=guard
        )
    assert await runtime.database.read(snapshots.newest_id) == 0


async def test_the_public_files_are_written_once_a_day_as_soon_as_there_is_a_board(runtime, voter, tmp_path):
    today = START
    with ThreadPoolExecutor(1) as executor:
        source = source_of(Settings(data=tmp_path))
        publisher = Publisher(
            runtime.database, METHOD, executor, lambda: today, files=(tmp_path / "files", source), gate=False
        )
        assert await publisher.write_files(unguarded) is Progress.NONE
        assert not (tmp_path / "files").exists()
        battle, _ = await play(runtime, voter)
        await vote(runtime, voter, battle.id)
        await publisher.publish_board(unguarded)
        made = []
        for days in (0, 0, 1):
            today = START + timedelta(days=days)
            await publisher.write_files(unguarded)
            made.append(json.loads((tmp_path / "files" / "index.json").read_text())["made_at"])
        days = START, START, START + timedelta(days=1)
        assert [moment[:10] for moment in made] == [f"{day.date()}" for day in days]
        assert made[0] == made[1]
        again = Publisher(
            runtime.database, METHOD, executor, lambda: today, files=(tmp_path / "files", source), gate=False
        )
        assert await again.write_files(unguarded) is Progress.NONE
        (tmp_path / "files" / "index.json").write_text("{}")
        again._file_day = None
        assert await again.write_files(unguarded) is Progress.MADE

"""Files are decoded in a separate process with few rights, whose crash harms nothing else."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from contextlib import suppress

import pytest

from arena.adapters.images import decoder, decoder_program, decoders, recoding
from arena.adapters.images.recoding import Recoder
from arena.domain.errors import Busy, ImageRefused
from tests.adapters.images.files import draw, hostile, save

pytestmark = pytest.mark.process


def saying(program: str) -> tuple[str, ...]:
    """A command whose forks run this program for each file."""
    served = f"from arena.adapters.images import fork_server; fork_server.serve(lambda: exec({program!r}, {{}}))"
    return (sys.executable, "-I", "-c", served)


async def refused(file: bytes = b"anything") -> str:
    with pytest.raises(ImageRefused) as caught:
        await Recoder().recode(file)
    return str(caught.value.params["rule"])


async def test_a_file_becomes_the_image_that_the_decoder_makes_of_it():
    file = save(draw())
    assert await Recoder().recode(file) == decoder.recoded(file)
    assert await refused(b"no image") == "kind"


@pytest.mark.parametrize(
    "program",
    [
        "import os; os.kill(os.getpid(), 11)",
        "import sys; sys.exit(1)",
        "print('no JSON')",
        "while True: print('x' * 100_000)",
    ],
)
async def test_a_decoder_that_dies_or_talks_nonsense_is_a_broken_image(monkeypatch, program):
    monkeypatch.setattr(decoders, "_COMMAND", saying(program))
    assert await refused() == "broken"


async def test_a_decoder_that_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr(decoders, "_COMMAND", saying("import time; time.sleep(1000)"))
    monkeypatch.setattr(decoders, "_SECONDS", 0.2)
    assert await refused() == "broken"


async def test_a_decoder_knows_no_secret_and_may_use_little(monkeypatch):
    monkeypatch.setenv("ARENA_SECRET", "a secret")
    asked = (
        "import json, os, resource; from arena.adapters.images import decoder; decoder._confine();"
        "limits = [resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU,"
        " resource.RLIMIT_FSIZE)];"
        "print(json.dumps({'refused': repr((dict(os.environ).get('ARENA_SECRET'), limits))}))"
    )
    monkeypatch.setattr(decoders, "_COMMAND", saying(asked))
    assert await refused() == repr((None, [decoder.MEMORY, decoder.SECONDS, 0]))


@pytest.fixture
def started(monkeypatch):
    """The processes that fork decoders, as they are started."""
    processes, start = list[subprocess.Popen](), subprocess.Popen

    def recorded(*words, **options):
        processes.append(start(*words, **options))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", recorded)
    return processes


async def ended(process: int) -> None:
    """Wait until a process that is no child of this one has gone."""
    with suppress(ProcessLookupError):
        while True:
            os.kill(process, 0)
            await asyncio.sleep(0.01)


async def test_a_decoder_gives_way_to_visitors_before_it_has_anything_to_do(started):
    lasting, own = decoders.Decoders(), os.getpriority(os.PRIO_PROCESS, 0)
    while os.getpriority(os.PRIO_PROCESS, started[0].pid) < min(19, own + decoder_program.NICENESS):
        assert started[0].poll() is None
        await asyncio.sleep(0.01)
    del lasting


async def test_one_process_forks_for_many_files_and_each_has_a_process_of_its_own(monkeypatch, started):
    asked = "import json, os; print(json.dumps({'refused': f'{os.getppid()} {os.getpid()}'}))"
    monkeypatch.setattr(decoders, "_COMMAND", saying(asked))
    recoder, answers = Recoder(), set()
    for _ in range(4):
        with pytest.raises(ImageRefused) as caught:
            await recoder.recode(b"")
        answers.add(str(caught.value.params["rule"]))
    assert len(answers) == 4
    assert {answer.split()[0] for answer in answers} == {str(started[0].pid)}
    assert len(started) == 1


@pytest.mark.parametrize("idle", [True, False])
async def test_a_process_that_was_ended_from_outside_is_replaced_and_no_file_is_lost(started, idle):
    recoder, file = Recoder(), save(draw())
    if idle:
        await recoder.recode(file)
    task = asyncio.create_task(recoder.recode(file))
    if not idle:
        while not started:
            await asyncio.sleep(0)
    started[0].kill()
    assert await task == decoder.recoded(file)
    assert len(started) == 2


async def test_after_a_crash_and_after_many_files_the_addresses_of_memory_are_others(monkeypatch, started):
    monkeypatch.setattr(recoding, "MAX_FILES", 2)
    recoder, file = Recoder(), save(draw())
    for _ in range(3):
        await recoder.recode(file)
    assert len(started) == 2
    monkeypatch.setattr(decoders, "_COMMAND", saying("import os; os.kill(os.getpid(), 11)"))
    for _ in range(3):
        with suppress(ImageRefused):
            await recoder.recode(file)
    assert len(started) == 4


async def test_a_cancelled_call_ends_its_decoder_and_others_go_on(monkeypatch, tmp_path):
    paths = [tmp_path / "0", tmp_path / "1"]
    asked = (
        "import os, sys, time; path = sys.stdin.read(); open(path, 'w').write(str(os.getpid()))\n"
        "while not os.path.exists(path + 'go'): time.sleep(0.01)\n"
        'print(\'{"refused": "small"}\')'
    )
    monkeypatch.setattr(decoders, "_COMMAND", saying(asked))
    recoder = Recoder()
    tasks = [asyncio.create_task(recoder.recode(str(path).encode())) for path in paths]
    while not all(path.exists() and path.read_text() for path in paths):
        await asyncio.sleep(0.01)
    tasks[0].cancel()
    await ended(int(paths[0].read_text()))
    os.kill(int(paths[1].read_text()), 0)
    (tmp_path / "1go").touch()
    with pytest.raises(ImageRefused, match="small"):
        await tasks[1]


async def test_all_decoders_end_with_their_parent_however_it_ends(tmp_path):
    path = tmp_path / "process"
    served = saying(
        f"import os, time; open({str(path)!r}, 'w').write(f'{{os.getppid()}} {{os.getpid()}}'); time.sleep(99)"
    )
    parent = (
        "import asyncio; from arena.adapters.images import decoders, recoding;"
        f"decoders._COMMAND = {served!r}; asyncio.run(recoding.Recoder().recode(b'anything'))"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", parent)
    while not path.exists() or len(path.read_text().split()) < 2:
        assert process.returncode is None
        await asyncio.sleep(0.01)
    process.kill()
    await process.wait()
    for number in path.read_text().split():
        await ended(int(number))


async def test_only_few_files_are_held_at_once():
    recoder = Recoder(places=1)
    async with recoder.place():
        with pytest.raises(Busy):
            async with recoder.place():
                pass
    async with recoder.place():
        pass


@pytest.mark.heavy
@pytest.mark.timeout(600)
async def test_hostile_files_cost_the_server_no_memory_and_no_crash(started):
    """`uv run pytest -n 0 -m heavy -s tests/adapters/images` tells the figures."""
    recoder, sizes, refusals = Recoder(), 0, 0
    files = list(hostile())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _, file in files:
        try:
            await recoder.recode(file)
            sizes += 1
        except ImageRefused as refusal:
            refusals += bool(refusal.detail)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    del recoder
    for process in started:
        process.wait()
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{len(files)} files, {sizes} kept, {refusals} refused, +{grown} KiB here, {child} KiB in a child")  # noqa: T201
    assert sizes + refusals == len(files) >= 200
    assert grown < 64 * 1024
    assert len(asyncio.all_tasks()) == 1

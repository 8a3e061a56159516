"""Files are decoded in a separate process with few rights, whose crash harms nothing else."""

from __future__ import annotations

import asyncio
import os
import resource
import sys

import pytest

from arena.adapters.images import decoder, decoder_program, recoding
from arena.adapters.images.recoding import Recoder
from arena.domain.errors import Busy, ImageRefused
from tests.adapters.images.files import draw, hostile, save

pytestmark = pytest.mark.process


def saying(program: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-c", program)


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
    monkeypatch.setattr(recoding, "_COMMAND", saying(program))
    assert await refused() == "broken"


async def test_a_decoder_that_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr(recoding, "_COMMAND", saying("import time; time.sleep(1000)"))
    monkeypatch.setattr(recoding, "_SECONDS", 0.2)
    assert await refused() == "broken"


async def test_a_decoder_knows_no_secret_and_may_use_little(monkeypatch):
    monkeypatch.setenv("ARENA_SECRET", "a secret")
    asked = (
        "import json, os, resource; from arena.adapters.images import decoder; decoder._confine();"
        "limits = [resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU,"
        " resource.RLIMIT_FSIZE)];"
        "print(json.dumps({'refused': repr((dict(os.environ).get('ARENA_SECRET'), limits))}))"
    )
    monkeypatch.setattr(recoding, "_COMMAND", saying(asked))
    assert await refused() == repr((None, [decoder.MEMORY, decoder.SECONDS, 0]))


async def test_a_decoder_gives_way_to_visitors_before_it_has_anything_to_do():
    process = await asyncio.create_subprocess_exec(*recoding._COMMAND, stdin=asyncio.subprocess.PIPE)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        while os.getpriority(os.PRIO_PROCESS, process.pid) < min(19, own + decoder_program.NICENESS):
            assert process.returncode is None
            await asyncio.sleep(0.01)
    finally:
        process.kill()
        await process.wait()


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
async def test_hostile_files_cost_the_server_no_memory_and_no_crash():
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
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{len(files)} files, {sizes} kept, {refusals} refused, +{grown} KiB here, {child} KiB in a child")  # noqa: T201
    assert sizes + refusals == len(files) >= 200
    assert grown < 64 * 1024
    assert len(asyncio.all_tasks()) == 1

"""Pauses of a served arena: garbage is collected in small steps, as every stream stops meanwhile."""

from __future__ import annotations

import gc
from contextlib import contextmanager

from arena.serving.commands import GARBAGE
from arena.serving.composition import built
from arena.settings import Settings

MAX_STEP = 25_000
"""Objects that one collection may free, which takes about a microsecond for each."""


@contextmanager
def steps_of_collection():
    """The numbers of objects that collections free; the collector's thresholds are as before afterwards."""
    thresholds, steps = gc.get_threshold(), []

    def note(phase, info):
        if phase == "stop":
            steps.append(info["collected"])

    gc.callbacks.append(note)
    try:
        yield steps
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*thresholds)


def make_cycles(count):
    for _ in range(count):
        cycle = []
        cycle.append(cycle)


async def test_a_served_arena_collects_garbage_in_small_steps(tmp_path, sqlite_url):
    async def pages(scope, receive, send):
        raise AssertionError

    settings = Settings(data=tmp_path, database_url=sqlite_url, demo="off", local="off", shipped_questions="off")
    with steps_of_collection() as steps:
        gc.set_threshold(*GARBAGE)
        async with built(settings, pages, worker=False):
            make_cycles(500_000)
    assert max(steps) <= MAX_STEP

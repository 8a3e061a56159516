"""A vote is flushed to the disk before it is answered: the system calls of the processes say so, in their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.load import Load, add_battles, check
from tests.faults.tracing import FLUSH, TALK, children, steps_of, strace
from tests.processes import Process

SIZES = [pytest.param(20, id="small"), pytest.param(1000, id="full", marks=pytest.mark.heavy)]


def unflushed(log: Path) -> tuple[int, list[str]]:
    """How many votes were answered, and which of them before a flush."""
    answered, early, asked, flushed = 0, [], "", False
    for event in steps_of(log):
        if event == "flushed":
            flushed = True
        elif event == "told" and asked:
            answered, early = answered + 1, early + ([] if flushed else [asked])
            asked = ""
        elif event != "told":
            asked, flushed = event.removeprefix("asked "), False
    return answered, early


async def vote_one_after_the_other(door: Process, url: str, votes: int) -> None:
    load = Load([door.url], await add_battles(url, votes), rate=1000, voters=1)
    async with load.running():
        await load.reach(votes)
    await check(url, load)


@pytest.mark.parametrize("votes", SIZES)
async def test_on_sqlite_every_answer_comes_after_a_flush(votes, sqlite_url, process, tmp_path):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=sqlite_url).start()
    with strace([door.pid], tmp_path / "calls", "-e", f"trace={TALK},{FLUSH}"):
        await vote_one_after_the_other(door, sqlite_url, votes)
    assert unflushed(tmp_path / "calls") == (votes, [])


@pytest.mark.parametrize("votes", SIZES)
async def test_on_postgresql_the_server_flushes_before_the_arena_answers(votes, durable, process, tmp_path):
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=durable.url).start()
    with strace(
        [door.pid, durable.process.pid, *children(durable.process.pid)],
        tmp_path / "calls",
        "-e",
        f"trace={TALK},{FLUSH}",
    ):
        await vote_one_after_the_other(door, durable.url, votes)
    assert unflushed(tmp_path / "calls") == (votes, [])

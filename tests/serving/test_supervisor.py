"""`arena serve --workers`: several processes on one address, as an operator starts and loses them."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import httpx2
import pytest

from arena.client import ArenaClient
from arena.domain.terms import Outcome
from tests.cli.commands import run
from tests.serving.test_serve import battle, until

pytestmark = pytest.mark.timeout(300)


def children(pid: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def serving(pid: int) -> set[int]:
    return {child for child in children(pid) if b"--inherited" in Path(f"/proc/{child}/cmdline").read_bytes()}


def ends(pids: set[int]) -> bool:
    for _ in range(300):
        if not any(Path(f"/proc/{pid}/cmdline").exists() for pid in pids):
            return True
        time.sleep(0.1)
    return False


FAST = {"ARENA_RANK_ORDERS": "20", "ARENA_FRAME_SECONDS": "0.02"}


async def test_a_process_that_is_killed_is_replaced_and_all_end_together(serve, postgres_url, valkey):
    served = serve("--workers", "2", ARENA_DATABASE_URL=postgres_url, ARENA_REDIS_URL=valkey, **FAST)
    parent = served.process.pid
    first = serving(parent)
    assert len(first) == 2
    async with ArenaClient(served.url) as client:
        await battle(client, "Hello there", Outcome.A)
        victim = next(iter(first))
        os.kill(victim, signal.SIGKILL)
        # While it ends, a request may still go to it by a connection that the client keeps.
        assert ends({victim})
        assert httpx2.get(f"{served.url}/healthz", timeout=30).status_code == 200
        await battle(client, "Hello again", Outcome.B)
        await until(client, 2)
        for _ in range(300):
            if len(serving(parent)) == 2:
                break
            await asyncio.sleep(0.1)
    assert len(serving(parent) - first) == 1
    everybody = children(parent)
    assert len(everybody) == 3
    assert served.stop() == 0
    assert ends(everybody)


@pytest.mark.heavy
def test_no_process_outlives_a_parent_that_is_killed(serve, postgres_url):
    served = serve("--workers", "2", "--no-worker", ARENA_DATABASE_URL=postgres_url, **FAST)
    everybody = children(served.process.pid)
    assert len(everybody) == 2
    served.process.kill()
    assert ends(everybody)


def test_several_processes_need_a_server(tmp_path):
    refused = run("serve", "--workers", "2", "--port", "0", ARENA_DATA=str(tmp_path))
    assert (refused.returncode, "need PostgreSQL" in refused.stderr) == (1, True)

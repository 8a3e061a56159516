"""The app starts once for many visitors, and ends with its arena, or once nobody comes."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from tests.gradio.conftest import apps, start_app
from tests.processes import PATIENCE, Process, until

pytestmark = pytest.mark.process

VISITORS = 100


def running(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


async def visit(client: httpx2.AsyncClient, arena: Process) -> tuple[str, int]:
    """Wait at `/gradio` as a browser does; the address of the app, and the status of its page."""
    while (reply := await client.get(f"{arena.url}/gradio")).status_code == 503:
        assert '<meta http-equiv="refresh"' in reply.text, "the page goes on without a script"
        await asyncio.sleep(int(reply.headers["retry-after"]))
    assert reply.status_code == 303, reply.text
    page = reply.headers["location"]
    return page, (await client.get(page)).status_code


async def test_a_hundred_visitors_start_one_app_and_all_get_through(serve: Callable[..., Process]) -> None:
    arena = serve("--no-worker")
    async with httpx2.AsyncClient(timeout=PATIENCE) as client:
        visits = await asyncio.gather(*(visit(client, arena) for _ in range(VISITORS)))
    assert len({page for page, _ in visits}) == 1
    assert {status for _, status in visits} == {200}
    (app,) = apps(arena)
    assert arena.stop() == 0
    assert not running(app), "it ends with its arena"


def test_the_app_ends_with_an_arena_that_was_killed(serve: Callable[..., Process]) -> None:
    arena = serve("--no-worker")
    assert httpx2.get(f"{arena.url}/gradio").status_code == 503
    until(lambda: apps(arena))
    (app,) = apps(arena)
    os.kill(arena.pid, signal.SIGKILL)  # not its group: nobody has told the child
    until(lambda: not running(app))


def test_the_app_ends_once_nobody_has_come_for_the_idle_time(tmp_path: Path) -> None:
    app = start_app(tmp_path, "http://127.0.0.1:9", "--idle", "0.1")
    until(lambda: app.process.poll() is not None)
    assert app.process.poll() == 0

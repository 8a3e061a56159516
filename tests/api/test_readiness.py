"""A process is ready if it can write to the database."""

from __future__ import annotations

import asyncio
import threading

import pytest

from arena.api.routes import health
from arena.domain.errors import StoreUnavailable


@pytest.fixture
def writes(runtime, monkeypatch):
    """The writes so far."""
    counted, plain = [], runtime.database.write

    async def write(work, *args, **kwargs):
        counted.append(work)
        return await plain(work, *args, **kwargs)

    monkeypatch.setattr(runtime.database, "write", write)
    return counted


async def test_many_who_ask_at_once_cost_one_write(client, writes):
    answers = await asyncio.gather(*(client.get("/readyz") for _ in range(20)))
    assert {answer.status_code for answer in answers} == {200}
    assert len(writes) == 1


async def test_a_database_that_refuses_writes_is_not_ready_and_heals(client, runtime, monkeypatch):
    monkeypatch.setattr(health, "FRESH", 0)

    async def refuse(*_args):
        raise StoreUnavailable(retry_after=5)

    with monkeypatch.context() as broken:
        broken.setattr(runtime.database, "write", refuse)
        refused = await client.get("/readyz")
    assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")
    assert (await client.get("/readyz")).status_code == 200
    assert (await client.get("/healthz")).status_code == 200


@pytest.mark.sqlite
async def test_a_writer_that_hangs_is_not_waited_for(client, runtime, monkeypatch):
    monkeypatch.setattr(health, "PATIENCE", 0.1)
    let_go = threading.Event()
    hanging = asyncio.create_task(runtime.database.write(lambda _session: let_go.wait()))
    refused = await client.get("/readyz")
    let_go.set()
    await hanging
    assert (refused.status_code, refused.json()["code"]) == (503, "store_unavailable")

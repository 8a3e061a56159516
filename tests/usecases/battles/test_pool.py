"""The pool is read once for many battles, and a change of an endpoint still holds for the very next one."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from arena.adapters.store.tables import BattleRow, EndpointRow
from arena.domain.errors import TooFewEndpoints
from arena.domain.terms import EndpointState
from arena.usecases import battles
from arena.usecases.battles import pool
from arena.usecases.endpoints.states import operator_step, set_state
from tests.conftest import add_endpoints


@pytest.fixture
def readings(runtime, monkeypatch):
    """What the database was asked to read, but for what runs beside the battles."""
    read, asked = runtime.database.read, []

    async def noting(work, *args, **kwargs):
        asked.append(work)
        return await read(work, *args, **kwargs)

    monkeypatch.setattr(runtime.database, "read", noting)
    return asked


async def lead(runtime, name, state):
    await set_state(runtime.database, name, state, operator_step("by_command", None, runtime.now()))


async def open_some(runtime, voter, times=6):
    for _ in range(times):
        await battles.open_battle(runtime, voter, "Hello there")


async def drawn(runtime):
    def names(session):
        rows = session.scalars(select(BattleRow).order_by(BattleRow.created_at)).all()
        known = {row.id: row.name for row in session.scalars(select(EndpointRow))}
        return [{known[row.endpoint_a_id], known[row.endpoint_b_id]} for row in rows]

    return await runtime.database.read(names)


async def test_many_battles_read_the_pool_once_and_nothing_else(runtime, voter, readings, monkeypatch):
    monkeypatch.setattr(pool, "FRESH", 600.0)
    await asyncio.gather(*(open_some(runtime, voter, 2) for _ in range(3)))
    assert readings == [pool._read]


async def test_a_pool_that_has_aged_is_read_anew(runtime, voter, readings, monkeypatch):
    monkeypatch.setattr(pool, "FRESH", 0.0)
    await open_some(runtime, voter, 3)
    assert readings == [pool._read] * 3


async def test_an_endpoint_that_pauses_is_in_no_later_battle_and_one_that_resumes_is_at_once(
    runtime, voter, readings, monkeypatch
):
    monkeypatch.setattr(pool, "FRESH", 600.0)
    await runtime.database.write(add_endpoints, ["green-1b"])
    await lead(runtime, "green-1b", EndpointState.PAUSED)
    await open_some(runtime, voter, 1)
    await lead(runtime, "green-1b", EndpointState.ACTIVE)
    await lead(runtime, "red-7b", EndpointState.PAUSED)
    await open_some(runtime, voter)
    first, *later = await drawn(runtime)
    assert "green-1b" not in first
    assert all("green-1b" in pair and "red-7b" not in pair for pair in later)


async def test_a_pool_without_a_pair_is_not_remembered(runtime, voter, monkeypatch):
    monkeypatch.setattr(pool, "FRESH", 600.0)
    await lead(runtime, "red-7b", EndpointState.PAUSED)
    with pytest.raises(TooFewEndpoints):
        await open_some(runtime, voter, 1)
    await runtime.database.write(add_endpoints, ["green-1b"])
    await open_some(runtime, voter, 1)
    assert len(await drawn(runtime)) == 1


async def test_a_pool_that_could_not_be_read_is_read_anew(runtime, voter, monkeypatch):
    def broken(*_):
        raise RuntimeError("not now")

    with monkeypatch.context() as patch:
        patch.setattr(pool, "_read", broken)
        with pytest.raises(RuntimeError, match="not now"):
            await open_some(runtime, voter, 1)
    await open_some(runtime, voter, 1)
    assert len(await drawn(runtime)) == 1

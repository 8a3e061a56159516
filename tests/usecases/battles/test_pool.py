"""The pool is read once for many battles, and a change of an endpoint still holds for the very next one."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from arena.adapters.breaker import BreakerRules, CallVerdict, CircuitBreakers
from arena.adapters.store import endpoints
from arena.adapters.store.tables.conversations import BattleRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Busy, TooFewEndpoints
from arena.domain.terms import EndpointState
from arena.usecases.battles import battles, pool
from arena.usecases.endpoints.states import operator_step, set_state
from tests.conftest import add_endpoints


@pytest.fixture
def readings(runtime, monkeypatch):
    """Record reads of the database, without those of background tasks."""
    read, queries = runtime.database.read, []

    async def noting(work, *args, **kwargs):
        queries.append(work)
        return await read(work, *args, **kwargs)

    monkeypatch.setattr(runtime.database, "read", noting)
    return queries


async def lead(runtime, name, state):
    await set_state(runtime.database, name, state, operator_step("by_command", None, runtime.now()))


async def open_some(runtime, voter, times=6):
    for _ in range(times):
        await battles.open_battle(runtime, voter, "Hello there")


async def drawn(runtime):
    def names(session):
        rows = session.scalars(select(BattleRow).order_by(BattleRow.created_at)).all()
        names_by_id = {row.id: row.name for row in session.scalars(select(EndpointRow))}
        return [{names_by_id[row.endpoint_a_id], names_by_id[row.endpoint_b_id]} for row in rows]

    return await runtime.database.read(names)


@pytest.mark.both_databases
async def test_many_battles_read_the_pool_once_and_nothing_else(runtime, voter, readings, monkeypatch):
    monkeypatch.setattr(pool, "FRESH", 600.0)
    await asyncio.gather(*(open_some(runtime, voter, 2) for _ in range(3)))
    assert readings == [pool._read]


async def test_a_pool_that_has_aged_is_read_anew(runtime, voter, readings, monkeypatch):
    monkeypatch.setattr(pool, "FRESH", 0.0)
    await open_some(runtime, voter, 3)
    assert readings == [pool._read] * 3


@pytest.mark.both_databases
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


def add_practice(session):
    add_endpoints(session, ["demo-1", "demo-2"])
    for name in ("demo-1", "demo-2"):
        row = endpoints.by_name(session, name)
        row.demo = row.standby = True


def spend(session):
    endpoints.by_name(session, "red-7b").daily_calls = 0


async def rest(runtime):
    call = (await calls_of(runtime, "red-7b")).pop()
    call.report(CallVerdict.HOPELESS)
    call.close()


async def calls_of(runtime, name):
    number = await runtime.database.read(lambda session: endpoints.by_name(session, name).id)
    return list(runtime.breakers.enter([number]).values())


@pytest.mark.parametrize("why", ["paused", "spent", "failing"])
async def test_practice_models_on_standby_stand_in_for_a_real_one_that_cannot_be_asked(
    runtime, voter, monkeypatch, why
):
    monkeypatch.setattr(pool, "FRESH", 600.0)
    await runtime.database.write(add_practice)
    await open_some(runtime, voter, 4)
    if why == "paused":
        await lead(runtime, "red-7b", EndpointState.PAUSED)
    elif why == "spent":
        await runtime.database.write(spend)
        runtime.pool.forget()
    else:
        await rest(runtime)
    await open_some(runtime, voter, 12)
    pairs = await drawn(runtime)
    assert all(pair == {"red-7b", "blue-7b"} for pair in pairs[:4])
    assert set().union(*pairs[4:]) == {"blue-7b", "demo-1", "demo-2"}


@pytest.mark.both_databases
async def test_a_real_one_without_a_free_place_brings_no_practice_model_back(runtime, voter):
    runtime.breakers = CircuitBreakers(BreakerRules(at_once=1), lambda: 0.0)
    await runtime.database.write(add_practice)
    held = await calls_of(runtime, "red-7b")
    with pytest.raises(Busy):
        await open_some(runtime, voter, 1)
    for call in held:
        call.close()
    await open_some(runtime, voter, 1)
    assert await drawn(runtime) == [{"red-7b", "blue-7b"}]


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

"""A battle whose model says nothing keeps its place only while there is room; one that thinks aloud keeps it."""

import asyncio

import pytest

from arena.adapters.limits import Allowance, MemoryLimits
from arena.adapters.providers.base import Chunk
from arena.domain.schemas.battles import TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, Finish
from arena.usecases.battles import battles, silence
from tests.usecases.battles.test_turns import BLUE, RED, follow, names, play, row_of


@pytest.fixture(autouse=True)
def _hasty(monkeypatch):
    monkeypatch.setattr(silence, "SILENCE", 0.3)


def places(runtime, running: int) -> None:
    runtime.limits = MemoryLimits(Allowance(running=running, running_per_voter=100), lambda: 0.0)


async def test_a_silent_battle_gives_up_its_place_where_half_are_taken_and_its_endpoint_has_failed(
    runtime, voter, part
):
    places(runtime, 2)
    part(RED, hang=True)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnFailedEvent)
    assert (battle.state, runtime.limits.running) == (BattleState.VOID, 0)
    who = await names(runtime, battle.id)
    replies = (await row_of(runtime, battle.id)).turns[0].replies
    assert {who[reply.side]: reply.error for reply in replies} == {RED: "timed_out", BLUE: None}


async def test_a_silent_battle_goes_on_while_fewer_than_half_are_taken(runtime, voter, part):
    places(runtime, 3)
    part(RED, "at last", held=(held := asyncio.Event()))
    battle = await battles.open_battle(runtime, voter, "Hello")
    await asyncio.sleep(0.3)
    held.set()
    events = await follow(runtime, voter, battle.id)
    assert isinstance(events[-1], TurnReadyEvent)


async def test_silent_endpoints_refuse_no_honest_prompt(runtime, voter, part):
    places(runtime, 10)
    part(RED, hang=True)
    await asyncio.gather(*(battles.open_battle(runtime, voter, "Hello") for _ in range(9)))
    while runtime.limits.crowded:
        await asyncio.sleep(0.05)
    part(RED, "well again")
    _, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)


async def test_a_model_that_thinks_aloud_is_not_silent(runtime, voter, scripted, monkeypatch):
    async def thinking(*_):
        for _ in range(60):
            await asyncio.sleep(0.02)
            yield Chunk()
        yield Chunk("thought through")
        yield Chunk(finish=Finish.STOP)

    places(runtime, 1)
    monkeypatch.setattr(silence, "SILENCE", 1.0)
    monkeypatch.setattr(type(scripted), "stream", lambda _self, *asked: thinking(*asked))
    _, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)

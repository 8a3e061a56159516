"""The presence of processes that share a database: the turns of one that is gone end, those of others go on."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from arena.adapters.store.tables.conversations import TurnRow
from arena.adapters.store.tables.operations import LeaseRow
from arena.client import ArenaClient
from arena.domain.terms import BattleState, TurnState
from arena.serving.presence import BEAT, LEASE, Presence
from arena.usecases.battles import battles
from arena.usecases.battles.sweeper import presence_of
from tests.processes import PATIENCE

SLOW = {"ARENA_RELEASE_RATE": "1", "ARENA_FRAME_SECONDS": "1", "ARENA_DEMO": "on"}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def expire(session, process: str, since: timedelta = timedelta(seconds=1)) -> None:
    moment = datetime.now(UTC) - since
    session.execute(update(LeaseRow).where(LeaseRow.name == presence_of(process)).values(until=moment))


async def beat_for(presence: Presence, seconds: float) -> None:
    for _ in range(int(seconds / BEAT) + 1):
        presence.clock.now += BEAT
        await presence.beat()


@pytest.fixture
async def running(runtime, voter, part):
    """A function that opens a battle in a process whose answers never end."""
    part("red-7b", hang=True)

    async def open_in(process: str) -> str:
        runtime.presence = process
        return (await battles.open_battle(runtime, voter, "Hello")).id

    return open_in


async def state(runtime) -> list[tuple[str | None, TurnState]]:
    query = select(TurnRow.process, TurnRow.state).order_by(TurnRow.id)
    return await runtime.database.read(lambda session: [tuple(row) for row in session.execute(query)])


@pytest.mark.both_databases
async def test_the_turns_of_a_process_that_is_gone_end_and_no_others(runtime, running):
    for process in ("gone", "there", "unknown"):
        await running(process)
    here, there, gone = (Presence(runtime.database, name, runtime.now, Clock()) for name in ("here", "there", "gone"))
    for presence in (there, gone):
        await presence.beat()
    await runtime.database.write(expire, "gone")
    await beat_for(here, LEASE + BEAT)
    expected = [("gone", TurnState.FAILED), ("there", TurnState.RUNNING), ("unknown", TurnState.RUNNING)]
    assert await state(runtime) == expected


async def test_a_process_that_was_cut_off_itself_gives_others_the_time_to_come_back(runtime, running):
    await running("other")
    here, other = (Presence(runtime.database, name, runtime.now, Clock()) for name in ("here", "other"))
    await other.beat()
    await beat_for(here, 2 * LEASE)
    await runtime.database.write(expire, "other")
    here.clock.now += LEASE
    await here.beat()
    assert await state(runtime) == [("other", TurnState.RUNNING)]
    await other.beat()
    await beat_for(here, 2 * LEASE)
    assert await state(runtime) == [("other", TurnState.RUNNING)]


async def test_leases_of_the_past_are_deleted(runtime):
    await Presence(runtime.database, "old", runtime.now).beat()
    await runtime.database.write(expire, "old", timedelta(days=2))
    await Presence(runtime.database, "new", runtime.now).beat()
    names = await runtime.database.read(lambda session: list(session.scalars(select(LeaseRow.name))))
    assert names == [presence_of("new")]


async def until_void(client: ArenaClient, battle_id: str) -> None:
    while (await client.get_battle(battle_id)).state is not BattleState.VOID:
        await asyncio.sleep(0.1)


async def begin(client: ArenaClient) -> str:
    battle_id = (await client.open_battle("Write a long essay about rivers", terms=1)).id
    while not any((await client.get_battle(battle_id)).turns[0].answers.values()):
        await asyncio.sleep(0.05)
    return battle_id


@pytest.mark.both_databases
async def test_a_killed_process_that_is_back_has_no_turn_running(url, process):
    """A turn's deadline is about six minutes after its start, and the patience of the tests four."""
    door = process("serve", "--no-worker", ARENA_DATABASE_URL=url, **SLOW)
    await asyncio.to_thread(door.start)
    async with ArenaClient(door.url) as client:
        battle_id = await begin(client)
        door.kill()
        await asyncio.to_thread(door.start)
        await asyncio.wait_for(until_void(client, battle_id), PATIENCE)


async def test_another_process_ends_the_turns_of_a_killed_one(postgres_url, process):
    doors = [process("serve", "--no-worker", ARENA_DATABASE_URL=postgres_url, **SLOW) for _ in range(2)]
    for door in doors:
        await asyncio.to_thread(door.start)
    async with ArenaClient(doors[0].url) as client, ArenaClient(doors[1].url) as other:
        battle_id = await begin(client)
        kept = await begin(other)
        doors[0].kill()
        async with ArenaClient(doors[1].url, cookies=client.cookies) as other_door:
            await asyncio.wait_for(until_void(other_door, battle_id), PATIENCE)
        assert (await other.get_battle(kept)).state is BattleState.OPEN

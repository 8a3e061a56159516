"""A turn always ends: whatever endpoints send and the database refuses, none stays running and nothing stays held."""

import asyncio
import contextlib
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from arena.adapters.limits import Bounds
from arena.adapters.store import leases
from arena.adapters.store.tables.conversations import TurnRow
from arena.adapters.store.tables.endpoint_records import BudgetRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.people import NeighbourhoodRow
from arena.domain.errors import DataRefused, Unavailable
from arena.domain.schemas.battles import TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, Outcome, TurnState
from arena.usecases.battles import battles, sweeper, turn_ends, turn_failures, turn_run
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from arena_providers.answer import MAX_TOKENS
from arena_providers.base import Chunk, Usage
from arena_providers.errors import EndpointUnavailable
from arena_providers.terms import Finish
from tests.usecases.battles.test_turn_run import failing
from tests.usecases.battles.test_turns import BLUE, RED, follow, names, play, row_of

TEXTS = st.lists(
    st.sampled_from(("hi", " ", "\0", "a\0b", "\ud83d", "\ude00", "😀", "\udfff", "\uffff", "x" * 70_000, "")),
    max_size=4,
)
COUNTS = st.sampled_from((0, 7, -1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1, 2**200, 1.5, "7", None))
FINISHES = st.sampled_from((*Finish, None, "eos", "\ud83d", "\0"))
PROCESS = "http://127.0.0.1:1"
ENDINGS = st.sampled_from((None, EndpointUnavailable("gone"), RuntimeError("a bug of a dialect")))


@st.composite
def streams(draw: st.DrawFn) -> list[Chunk | Exception]:
    """Chunks of one answer, and what it raises at its end."""
    chunks: list = [Chunk(text, reasoning=thought) for text, thought in zip(draw(TEXTS), draw(TEXTS), strict=False)]
    chunks += [Chunk(text) for text in draw(TEXTS)]
    usage: Usage | None = Usage(draw(COUNTS), draw(COUNTS)) if draw(st.booleans()) else None  # type: ignore[arg-type]
    chunks.append(Chunk(finish=draw(FINISHES), usage=usage))  # pyright: ignore[reportArgumentType]
    error = draw(ENDINGS)
    return [*chunks, error] if error else chunks


def play_streams(monkeypatch, scripted, **answers) -> None:
    async def stream(_self, target, _messages):
        for item in answers[target.wire_model.partition("-")[0]]:
            if isinstance(item, Exception):
                raise item
            yield item

    monkeypatch.setattr(type(scripted), "stream", stream)


def cap_both(session) -> None:
    session.execute(update(EndpointRow).values(daily_calls=2**31 - 1, daily_tokens=2**31 - 1))


@pytest.fixture(autouse=True)
def no_retry(monkeypatch):
    """A value that the database refuses must not be tried again: a retry would outlast the test."""
    monkeypatch.setattr(turn_run, "_PAUSES", (3600,))


async def held(runtime, battle_id: str) -> object:
    """What the turns of a battle hold."""
    return [turn.reservation for turn in (await row_of(runtime, battle_id)).turns if turn.reservation]


async def ended(runtime, voter, battle_id: str) -> TurnRow:
    """The turn of a battle that has ended: it can be voted on, or is void; nothing is held."""
    row = await row_of(runtime, battle_id)
    (turn,) = row.turns
    assert not await held(runtime, battle_id)
    if turn.state is TurnState.READY:
        ballot = Ballot(voter, battle_id, Outcome.A, None, runtime.now(), runtime.bounds)
        await votes.cast_vote(runtime.database, ballot)
        return turn
    assert (turn.state, row.state) == (TurnState.FAILED, BattleState.VOID)
    with contextlib.suppress(battles.BattleClosed):
        await battles.skip(runtime, voter, battle_id)
    return turn


@pytest.mark.both_databases
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers=st.fixed_dictionaries({"red": streams(), "blue": streams()}), reasoning=st.booleans())
async def test_a_turn_ends_whatever_the_endpoints_send(runtime, voter, scripted, monkeypatch, answers, reasoning):
    runtime.reasoning = reasoning
    await runtime.database.write(cap_both)
    play_streams(monkeypatch, scripted, **answers)
    async with asyncio.timeout(120):
        battle, events = await play(runtime, voter)
        assert isinstance(events[-1], TurnReadyEvent | TurnFailedEvent)
        await ended(runtime, voter, battle.id)
    assert not runtime.runs
    runtime.breakers._endpoints.clear()


UNBOUNDED = [Chunk("hi"), Chunk(finish=Finish.STOP, usage=Usage(5, 2**64 - 1))]
PLAIN = [Chunk("hi"), Chunk(finish=Finish.STOP, usage=Usage(5, 7))]


@pytest.mark.both_databases
@pytest.mark.parametrize("count", [2**32 - 1, 2**64 - 1])
async def test_an_impossible_count_costs_nobody_an_answer(runtime, voter, scripted, monkeypatch, count):
    chunks = [Chunk("hi"), Chunk(finish=Finish.STOP, usage=Usage(5, count))]
    play_streams(monkeypatch, scripted, red=chunks, blue=PLAIN)
    battle, _ = await play(runtime, voter)
    assert battle.turns[0].state is TurnState.READY
    assert {reply.output_tokens for reply in (await row_of(runtime, battle.id)).turns[0].replies} == {None, 7}


@pytest.mark.both_databases
@pytest.mark.parametrize("thoughts", [["\ud83d", "\ude00"], ["\ud83d"], ["\0"]])
async def test_reasoning_is_stored_well_formed(runtime, voter, scripted, monkeypatch, thoughts):
    runtime.reasoning = True
    chunks = [*(Chunk("hi", reasoning=thought) for thought in thoughts), Chunk(finish=Finish.STOP)]
    play_streams(monkeypatch, scripted, red=chunks, blue=PLAIN)
    battle, _ = await play(runtime, voter)
    expected = {"\ud83d\ude00": "😀", "\ud83d": "�", "\0": None}["".join(thoughts)]
    assert {reply.reasoning for reply in (await row_of(runtime, battle.id)).turns[0].replies} == {expected, None}


@pytest.mark.both_databases
async def test_an_answer_that_the_database_refuses_is_its_endpoints_failure(runtime, voter, scripted, monkeypatch):
    """A finish that no dialect of ours has stands for everything that only the database finds out."""
    runtime.bounds = Bounds(secret=b"secret", battles=100)
    await runtime.database.write(cap_both)
    play_streams(monkeypatch, scripted, red=[Chunk("hi", finish="eos")], blue=PLAIN)  # type: ignore[arg-type]
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnFailedEvent)
    assert events[-1].code == "answer_failed"
    turn, who = await ended(runtime, voter, battle.id), await names(runtime, battle.id)
    assert {who[reply.side]: reply.error for reply in turn.replies} == {RED: "bad_reply", BLUE: None}
    assert turn.failure == "bad_reply"
    assert await tokens(runtime) == {RED: 0, BLUE: 12}
    assert await places(runtime) == [0]
    failures = {number: len(entry._failures) for number, entry in runtime.breakers._endpoints.items()}
    assert sorted(failures.values()) == [0, 1]


@pytest.mark.both_databases
@pytest.mark.parametrize("value", [{"wire_model": "\ud800"}, {"daily_calls": 2**64}])
async def test_a_refused_value_is_told_apart_from_a_database_that_is_away(database, value):
    with pytest.raises(DataRefused):
        await database.write(lambda session: session.execute(update(EndpointRow).values(value)))


async def tokens(runtime) -> dict[str, int]:
    query = select(EndpointRow.name, BudgetRow.tokens).join(BudgetRow, BudgetRow.endpoint_id == EndpointRow.id)
    return await runtime.database.read(lambda session: dict(session.execute(query).all()))


async def places(runtime) -> list[int]:
    return await runtime.database.read(lambda session: list(session.scalars(select(NeighbourhoodRow.battles))))


async def sweep_overdue(runtime) -> int:
    overdue = update(TurnRow).values(deadline_at=runtime.now() - timedelta(minutes=1))
    await runtime.database.write(lambda session: session.execute(overdue))
    return await sweeper.sweep(runtime.database, runtime.now())


async def sweep_at_start(runtime) -> int:
    return await sweeper.sweep(runtime.database, runtime.now(), starting="")


async def sweep_at_start_of(runtime) -> int:
    return await sweeper.sweep(runtime.database, runtime.now(), starting=PROCESS)


async def sweep_of_gone(runtime) -> int:
    """The process that ran the turn has announced itself and has not renewed its presence since."""
    await runtime.database.write(leases.take, sweeper.presence_of(PROCESS), "holder", runtime.now(), -1.0)
    return await runtime.database.write(sweeper.end_turns_of_gone, "another", runtime.now())


@pytest.mark.both_databases
@pytest.mark.parametrize("sweep", [sweep_overdue, sweep_at_start, sweep_at_start_of, sweep_of_gone])
async def test_whoever_ends_a_turn_gives_back_what_it_held(runtime, voter, part, sweep):
    """The sweeper, and the turn's own run."""
    runtime.bounds, runtime.presence = Bounds(secret=b"secret", battles=100), PROCESS
    await runtime.database.write(cap_both)
    part(RED, hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    assert await held(runtime, battle.id)
    assert (await places(runtime), min((await tokens(runtime)).values()) > 0) == ([1], True)
    assert await sweep(runtime) == 1
    assert not await held(runtime, battle.id)
    assert (await places(runtime), await tokens(runtime)) == ([0], {RED: 0, BLUE: 0})
    await battles.stop(runtime, voter, battle.id)
    assert (await places(runtime), await tokens(runtime)) == ([0], {RED: 0, BLUE: 0})


@pytest.mark.both_databases
async def test_a_day_of_huge_counts_stays_within_the_column(runtime, voter, scripted, monkeypatch):
    go, full = asyncio.Event(), 2**31 - 1

    async def stream(_self, _target, _messages):
        await go.wait()
        yield Chunk("hi")
        yield Chunk(finish=Finish.STOP, usage=Usage(MAX_TOKENS, MAX_TOKENS))

    await runtime.database.write(cap_both)
    monkeypatch.setattr(type(scripted), "stream", stream)
    battle = await battles.open_battle(runtime, voter, "Hello")
    await runtime.database.write(lambda session: session.execute(update(BudgetRow).values(tokens=full - 9)))
    go.set()
    assert isinstance((await follow(runtime, voter, battle.id))[-1], TurnReadyEvent)
    assert await tokens(runtime) == {RED: full, BLUE: full}
    with pytest.raises(Unavailable):
        await battles.open_battle(runtime, voter, "Hello")


async def test_a_run_that_breaks_before_its_models_are_asked_ends_its_turn_and_is_logged(
    runtime, voter, monkeypatch, caplog
):
    monkeypatch.setattr(turn_run, "Pacer", None)
    battle = await battles.open_battle(runtime, voter, "Hello")
    while (await row_of(runtime, battle.id)).turns[0].state is TurnState.RUNNING:
        await asyncio.sleep(0.01)
    assert await code(runtime, voter, battle.id) == "answer_failed"
    await ended(runtime, voter, battle.id)
    assert [record.exc_info is not None for record in caplog.records if battle.id in record.getMessage()] == [True]


async def code(runtime, voter, battle_id: str) -> str:
    end = (await follow(runtime, voter, battle_id))[-1]
    assert isinstance(end, TurnFailedEvent)
    return end.code


@pytest.mark.parametrize("failure", ["stopped", "shutting_down", "lost", "store_unavailable", "timed_out", None])
async def test_a_reload_tells_the_failure_that_was_told_live(runtime, voter, part, failure):
    part(RED, error=EndpointUnavailable("gone"))
    battle, _ = await play(runtime, voter)
    await runtime.database.write(lambda session: session.execute(update(TurnRow).values(failure=failure)))
    end = (await follow(runtime, voter, battle.id))[-1]
    assert end == turn_failures.failed_event(failure)


async def test_an_early_stop_is_no_failure_of_the_models_after_a_reload(runtime, voter, part):
    part(RED, hang=True)
    part(BLUE, hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    reading = asyncio.create_task(code(runtime, voter, battle.id))
    await asyncio.sleep(0)
    await battles.stop(runtime, voter, battle.id)
    assert await reading == await code(runtime, voter, battle.id) == "stopped_early"


async def test_a_shutdown_amid_the_saving_tells_readers_what_is_stored(runtime, voter, part):
    part(RED, "whole")
    part(BLUE, "whole")
    entered, gate, write = asyncio.Event(), asyncio.Event(), runtime.database.write

    async def slow(work, *arguments, **named):
        if work is turn_ends.save:
            entered.set()
            await gate.wait()
        return await write(work, *arguments, **named)

    runtime.database.write = slow
    battle = await battles.open_battle(runtime, voter, "Hello")
    reading = asyncio.create_task(follow(runtime, voter, battle.id))
    await entered.wait()
    closing = asyncio.create_task(runtime.close(0))
    for _ in range(5):
        await asyncio.sleep(0)
    gate.set()
    await closing
    assert isinstance((await reading)[-1], TurnReadyEvent)
    assert (await row_of(runtime, battle.id)).turns[0].state is TurnState.READY


async def test_a_fault_of_ours_while_saving_ends_the_turn_and_blames_no_endpoint(runtime, voter, monkeypatch):
    def broken(*_) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(turn_ends.stored, "finish_turn", broken)
    battle, _ = await play(runtime, voter)
    turn = await ended(runtime, voter, battle.id)
    assert (turn.failure, {reply.error for reply in turn.replies}) == ("internal", {None})


async def test_a_database_that_comes_back_finds_no_turn_running(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0,))
    monkeypatch.setattr(turn_run, "_LONG_PAUSES", (0,) * 9)
    failing(runtime, turn_ends.save, 2)
    battle, events = await play(runtime, voter)
    assert events[-1].code == "store_unavailable"  # pyright: ignore[reportAttributeAccessIssue]
    assert (await row_of(runtime, battle.id)).state is BattleState.VOID
    assert await code(runtime, voter, battle.id) == "store_unavailable"

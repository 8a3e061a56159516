import asyncio
import time
from collections.abc import AsyncGenerator
from itertools import count

import pytest
from sqlalchemy.orm import Session

from arena.adapters.breaker import BreakerRules, CircuitBreakers
from arena.adapters.store import endpoints
from arena.adapters.store.tables.conversations import BattleRow, TurnRow
from arena.domain.errors import (
    BattleClosed,
    BattleNotFound,
    ChatNotFound,
    PromptEmpty,
    PromptTooLong,
    RegenerateLimitReached,
    ShuttingDown,
    StoreUnavailable,
    TooFewEndpoints,
    TurnLimitReached,
    TurnRunning,
)
from arena.domain.schemas.battles import ClosingEvent, DeltaEvent, SideDoneEvent, TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, EndpointState, Side, TurnState, Voter
from arena.usecases.battles import battles, chats, sweeper
from arena.usecases.battles.runtime import Runtime
from arena_providers.deadlines import TimeLimits
from arena_providers.errors import BadCredentials, EndpointUnavailable
from arena_providers.terms import Finish, Role

RED, BLUE = "red-7b", "blue-7b"
FAILED = "answer_failed"
HASTY = TimeLimits(connect=0.3, first_token=0.3, between_tokens=0.3, total=5)


async def follow(runtime: Runtime, voter: Voter, battle_id: str, last_id: str | None = None):
    events = await battles.watch(runtime, voter, battle_id, last_id)
    return [] if events is None else [event async for steps in events for _, event in steps]


_NUMBERS = count(1)


async def play(runtime: Runtime, voter: Voter, prompt: str = ""):
    """A battle with both answers; without a prompt it is a new one, since a vote on a repeated one does not count."""
    battle = await battles.open_battle(runtime, voter, prompt or f"Hello {next(_NUMBERS)}")
    events = await follow(runtime, voter, battle.id)
    return await battles.look(runtime, voter, battle.id), events


async def look(runtime: Runtime, voter: Voter, battle_id: str):
    """The only turn of a battle."""
    return (await battles.look(runtime, voter, battle_id)).turns[0]


async def begun(runtime: Runtime, voter: Voter, battle_id: str) -> None:
    """Both answers have begun."""
    while not all((await look(runtime, voter, battle_id)).answers.values()):
        await asyncio.sleep(0.01)


def shown(events, side: Side) -> str:
    return "".join(event.text for event in events if isinstance(event, DeltaEvent) and event.side is side)


async def row_of(runtime: Runtime, battle_id: str):
    row = await runtime.database.read(Session.get, BattleRow, battle_id)
    assert row is not None
    return row


async def names(runtime: Runtime, battle_id: str) -> dict[Side, str]:
    row = await row_of(runtime, battle_id)
    rows = await runtime.database.read(
        lambda session: {n: r.name for n, r in endpoints.by_id(session, (row.endpoint_a_id, row.endpoint_b_id)).items()}
    )
    return {Side.A: rows[row.endpoint_a_id], Side.B: rows[row.endpoint_b_id]}


async def test_two_answers_are_shown_whole_and_the_turn_is_ready(runtime, voter, part):
    part(RED, "I am ", "the red answer", pause=0.01)
    part(BLUE, "blue")
    battle, events = await play(runtime, voter)
    who = await names(runtime, battle.id)
    texts = {RED: "I am the red answer", BLUE: "blue"}
    assert {side: shown(events, side) for side in Side} == {side: texts[who[side]] for side in Side}
    assert [type(event) for event in events[-3:]] == [SideDoneEvent, SideDoneEvent, TurnReadyEvent] or isinstance(
        events[-1], TurnReadyEvent
    )
    assert (battle.turns[0].state, battle.turns[0].failure) == (TurnState.READY, None)
    assert battle.turns[0].answers == {side: texts[who[side]] for side in Side}


async def test_a_slow_side_is_not_cancelled_while_the_other_talks(runtime, voter, part):
    part(RED, *["fast "] * 40)
    part(BLUE, "slow ", "but ", "whole", pause=0.15)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    assert sorted(battle.turns[0].answers.values()) == sorted(["fast " * 40, "slow but whole"])


async def test_nothing_is_shown_before_both_sides_have_their_first_token(runtime, voter, part):
    part(RED, "now")
    part(BLUE, "never", pause=1000)
    battle = await battles.open_battle(runtime, voter, "Hello")
    await asyncio.sleep(0.05)
    assert (await look(runtime, voter, battle.id)).answers == {Side.A: "", Side.B: ""}


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ({"error": BadCredentials("401 with the secret host name")}, "bad_credentials"),
        ({"error": EndpointUnavailable("cut")}, "unavailable"),
        ({"error": RuntimeError("a bug of ours")}, "internal"),
        ({"hang": True}, "timed_out"),
    ],
)
@pytest.mark.parametrize("pieces", [(), ("some text",)])
async def test_a_failed_side_voids_the_battle_for_both_with_the_same_words(runtime, voter, part, how, kind, pieces):
    part(RED, *pieces, **how)
    part(BLUE, "fine")
    if "hang" in how:
        runtime.times = HASTY
    battle, events = await play(runtime, voter)
    end = events[-1]
    assert isinstance(end, TurnFailedEvent)
    assert end.code == FAILED
    assert "secret" not in str(events)
    assert (battle.state, battle.turns[0].failure) == (BattleState.VOID, FAILED)
    row = await row_of(runtime, battle.id)
    assert row.turns[0].state is TurnState.FAILED
    assert row.turns[0].failure == kind
    who = await names(runtime, battle.id)
    errors = {who[reply.side]: reply.error for reply in row.turns[0].replies}
    assert errors == {RED: kind, BLUE: None}


async def test_an_empty_answer_is_a_failure(runtime, voter, part):
    part(RED, "  ", "\n")
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnFailedEvent)
    assert battle.state is BattleState.VOID


async def test_every_kind_of_failure_looks_the_same_to_the_reader(runtime, voter, part):
    endings = set()
    runtime.times = HASTY
    for how in ({"error": BadCredentials("x")}, {"hang": True}, {"error": EndpointUnavailable("y")}):
        part(RED, **({"pieces": ()} | how) if "pieces" in how else how)
        runtime.breakers = CircuitBreakers(
            BreakerRules(), time.monotonic
        )  # a wrong key keeps its endpoint out of the next battle
        _, events = await play(runtime, voter)
        endings.add(events[-1].model_dump_json())
    assert len(endings) == 1


async def test_a_reader_who_leaves_does_not_end_the_run(runtime, voter, part):
    part(RED, *["x"] * 20, pause=0.01)
    battle = await battles.open_battle(runtime, voter, "Hello")
    events = await battles.watch(runtime, voter, battle.id, None)
    assert events is not None
    assert isinstance(events, AsyncGenerator)
    await anext(events)
    await events.aclose()
    while (turn := await look(runtime, voter, battle.id)).state is TurnState.RUNNING:
        await asyncio.sleep(0.01)
    assert turn.state is TurnState.READY


async def test_a_reader_who_comes_back_gets_exactly_the_rest(runtime, voter, part):
    part(RED, *[f"{n} " for n in range(30)], pause=0.01)
    part(BLUE, *[f"{n} " for n in range(30)], pause=0.01)
    battle = await battles.open_battle(runtime, voter, "Hello")
    first = await battles.watch(runtime, voter, battle.id, None)
    assert first is not None
    deltas, last_id = [], None
    async for cursor, event in first:
        deltas.append(event)
        last_id = str(cursor)
        if len(deltas) == 7:
            break
    assert isinstance(first, AsyncGenerator)
    await first.aclose()
    deltas += await follow(runtime, voter, battle.id, last_id)
    whole = "".join(f"{n} " for n in range(30))
    assert {side: shown(deltas, side) for side in Side} == {Side.A: whole, Side.B: whole}
    assert sum(isinstance(event, SideDoneEvent) for event in deltas) == 2
    assert sum(isinstance(event, TurnReadyEvent) for event in deltas) == 1


async def test_a_reader_who_has_all_is_told_that_nothing_is_left(runtime, voter):
    battle = await battles.open_battle(runtime, voter, "Hello")
    events = await battles.watch(runtime, voter, battle.id, None)
    assert events is not None
    last_id = [str(cursor) async for steps in events for cursor, _ in steps][-1]
    assert await battles.watch(runtime, voter, battle.id, last_id) is None


async def test_a_reader_who_comes_after_the_end_gets_the_whole_answers(runtime, voter, part):
    part(RED, "red ", "and whole")
    battle, live = await play(runtime, voter)
    later = await follow(runtime, voter, battle.id)
    assert [shown(later, side) for side in Side] == [shown(live, side) for side in Side]
    assert sorted(shown(later, side) for side in Side) == ["Hello", "red and whole"]
    assert {event.side for event in later if isinstance(event, SideDoneEvent)} == set(Side)


@pytest.mark.parametrize("last_id", ["", "nonsense", "9.9-1-1", "1.0-99999-3", "1.0-1d-1", "1.0-１-1"])
async def test_a_foreign_or_broken_event_id_does_no_harm(runtime, voter, last_id):
    battle, _ = await play(runtime, voter)
    events = await follow(runtime, voter, battle.id, last_id)
    assert isinstance(events[-1], TurnReadyEvent)


async def test_a_run_that_ends_while_its_row_is_read_still_shows_its_text(runtime, voter, part, monkeypatch):
    part(RED, "slow", held=(held := asyncio.Event()))
    battle = await battles.open_battle(runtime, voter, "Hello")
    read = runtime.database.read

    async def stale(work, *args):
        row = await read(work, *args)
        held.set()
        while runtime.runs:
            await asyncio.sleep(0.01)
        return row

    monkeypatch.setattr(runtime.database, "read", stale)
    turn = await look(runtime, voter, battle.id)
    assert (turn.state, "slow" in turn.answers.values()) == (TurnState.RUNNING, True)


@pytest.mark.both_databases
async def test_two_readers_see_the_same(runtime, voter, part):
    part(RED, *["red "] * 20, pause=0.01)
    battle = await battles.open_battle(runtime, voter, "Hello")
    one, two = await asyncio.gather(*(follow(runtime, voter, battle.id) for _ in range(2)))
    assert [shown(one, side) for side in Side] == [shown(two, side) for side in Side]


async def test_deltas_add_up_to_the_answer_and_no_more(runtime, voter, part):
    part(RED, *["word "] * 300)
    part(BLUE, *["word "] * 300)
    _, events = await play(runtime, voter)
    assert sum(len(event.text) for event in events if isinstance(event, DeltaEvent)) == 2 * 300 * 5


async def test_stop_ends_both_answers_where_they_are(runtime, voter, part, scripted):
    part(RED, *["red "] * 100, pause=0.02, hang=True)
    part(BLUE, *["blue"] * 100, pause=0.02, hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    await begun(runtime, voter, battle.id)
    view = await battles.stop(runtime, voter, battle.id)
    assert view.turns[0].state is TurnState.READY
    assert view.turns[0].stopped
    assert all(0 < len(text) <= 400 for text in view.turns[0].answers.values())
    row = await row_of(runtime, battle.id)
    assert {reply.finish for reply in row.turns[0].replies} == {Finish.STOPPED}
    assert scripted.running == 0


async def test_stop_before_anything_was_shown_abandons_the_battle(runtime, voter, part):
    part(RED, hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    view = await battles.stop(runtime, voter, battle.id)
    assert (view.state, view.turns[0].state) == (BattleState.ABANDONED, TurnState.FAILED)


async def test_stop_after_the_end_changes_nothing(runtime, voter):
    battle, _ = await play(runtime, voter)
    assert await battles.stop(runtime, voter, battle.id) == battle


async def test_a_skipped_battle_is_recorded_and_stays_closed(runtime, voter):
    battle, _ = await play(runtime, voter)
    view = await battles.skip(runtime, voter, battle.id)
    assert view.state is BattleState.ABANDONED
    with pytest.raises(BattleClosed):
        await battles.ask_next(runtime, voter, battle.id, "more")


async def test_each_side_remembers_its_own_answers_only(runtime, voter, part, scripted):
    part(RED, "red one")
    part(BLUE, "blue one")
    battle, _ = await play(runtime, voter, "first")
    await battles.ask_next(runtime, voter, battle.id, "second")
    await follow(runtime, voter, battle.id)
    conversations = {name: messages for name, messages in scripted.asked if len(messages) == 3}
    for name, text in ((RED, "red one"), (BLUE, "blue one")):
        assert [(m.role, m.content) for m in conversations[name]] == [
            (Role.USER, "first"),
            (Role.ASSISTANT, text),
            (Role.USER, "second"),
        ]


async def test_the_same_two_meet_in_every_turn_and_turns_are_numbered_from_one_on(runtime, voter, scripted):
    battle, _ = await play(runtime, voter)
    before = await names(runtime, battle.id)
    await battles.ask_next(runtime, voter, battle.id, "again")
    await follow(runtime, voter, battle.id)
    assert await names(runtime, battle.id) == before
    assert [turn.number for turn in (await battles.look(runtime, voter, battle.id)).turns] == [1, 2]


async def test_regenerate_asks_both_again_and_keeps_what_was_discarded(runtime, voter, part):
    part(RED, "first try")
    battle, _ = await play(runtime, voter)
    part(RED, "second try")
    await battles.ask_again(runtime, voter, battle.id)
    await follow(runtime, voter, battle.id)
    view = await battles.look(runtime, voter, battle.id)
    assert "second try" in view.turns[0].answers.values()
    assert "first try" not in view.turns[0].answers.values()
    row = await row_of(runtime, battle.id)
    assert {(reply.generation, reply.text) for reply in row.turns[0].replies} >= {(0, "first try"), (1, "second try")}


async def test_a_turn_is_regenerated_three_times_at_most(runtime, voter):
    battle, _ = await play(runtime, voter)
    for _ in range(3):
        await battles.ask_again(runtime, voter, battle.id)
        await follow(runtime, voter, battle.id)
    with pytest.raises(RegenerateLimitReached):
        await battles.ask_again(runtime, voter, battle.id)


async def test_a_battle_has_twenty_turns_at_most(runtime, voter):
    battle, _ = await play(runtime, voter)
    for _ in range(19):
        await battles.ask_next(runtime, voter, battle.id, "more")
        await follow(runtime, voter, battle.id)
    with pytest.raises(TurnLimitReached):
        await battles.ask_next(runtime, voter, battle.id, "too much")


async def test_one_turn_runs_at_a_time(runtime, voter, part):
    part(RED, hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    for act in (battles.ask_next(runtime, voter, battle.id, "more"), battles.ask_again(runtime, voter, battle.id)):
        with pytest.raises(TurnRunning):
            await act


@pytest.mark.both_databases
async def test_of_eight_parallel_turns_one_starts(runtime, voter, part):
    battle, _ = await play(runtime, voter)
    part(RED, hang=True)
    results = await asyncio.gather(
        *(battles.ask_next(runtime, voter, battle.id, "more") for _ in range(8)), return_exceptions=True
    )
    assert sum(not isinstance(result, Exception) for result in results) == 1
    assert sum(isinstance(result, TurnRunning) for result in results) == 7


@pytest.mark.parametrize("act", ["look", "stop", "skip", "ask_again"])
async def test_a_foreign_battle_and_an_unknown_one_are_the_same(runtime, voter, act):
    battle, _ = await play(runtime, voter)
    stranger = Voter(key="stranger", address="127.0.0.1")
    texts = set()
    for who, battle_id in ((stranger, battle.id), (voter, "unknown")):
        with pytest.raises(BattleNotFound) as caught:
            await getattr(battles, act)(runtime, who, battle_id)
        texts.add(str(caught.value))
    assert len(texts) == 1


@pytest.mark.parametrize("prompt", ["", "   ", "\n\t", "\0", "\u3000"])
async def test_an_empty_prompt_is_refused(runtime, voter, prompt):
    with pytest.raises(PromptEmpty):
        await battles.open_battle(runtime, voter, prompt)


async def test_twelve_thousand_characters_fit_and_one_more_does_not(runtime, voter):
    assert await battles.open_battle(runtime, voter, "  " + "字" * 12_000 + "  ")
    with pytest.raises(PromptTooLong):
        await battles.open_battle(runtime, voter, "字" * 12_001)


async def test_half_a_character_in_a_prompt_is_replaced_and_stored(runtime, voter):
    battle = await battles.open_battle(runtime, voter, "broken \ud83d here")
    assert (await battles.look(runtime, voter, battle.id)).turns[0].prompt == "broken \ufffd here"


async def test_half_a_character_in_an_answer_does_not_break_the_battle(runtime, voter, part):
    part(RED, "smile \ud83d", "\ude00 and \ud83d alone")
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    assert "smile 😀 and \ufffd alone" in battle.turns[0].answers.values()


async def test_fewer_than_two_endpoints_is_said_plainly(runtime, voter):
    def pause(session) -> None:
        for row in endpoints.active(session)[1:]:
            row.state = EndpointState.PAUSED

    await runtime.database.write(pause)
    with pytest.raises(TooFewEndpoints):
        await battles.open_battle(runtime, voter, "Hello")


@pytest.mark.both_databases
async def test_a_server_going_down_ends_running_turns_and_tells_their_readers(runtime, voter, part):
    part(RED, "never", hang=True)
    battle = await battles.open_battle(runtime, voter, "Hello")
    reading = asyncio.create_task(follow(runtime, voter, battle.id))
    await asyncio.sleep(0.05)
    await runtime.close(0.1)
    events = await reading
    end = events[-1]
    assert isinstance(end, TurnFailedEvent)
    assert end.code == "shutting_down"
    row = await row_of(runtime, battle.id)
    assert (row.turns[0].state, row.turns[0].failure) == (TurnState.FAILED, "shutting_down")
    with pytest.raises(ShuttingDown):
        await battles.open_battle(runtime, voter, "Hello")


async def test_a_server_going_down_lets_a_short_answer_end(runtime, voter, part):
    part(RED, "almost there", pause=0.2)
    battle = await battles.open_battle(runtime, voter, "Hello")
    await runtime.close(60)
    assert (await look(runtime, voter, battle.id)).state is TurnState.READY


@pytest.mark.both_databases
async def test_a_turn_lost_with_its_process_is_failed_by_the_sweeper(runtime, voter):
    battle, _ = await play(runtime, voter)

    def lose(session) -> None:
        turn = session.get(TurnRow, session.get(BattleRow, battle.id).turns[0].id)
        turn.state = TurnState.RUNNING

    await runtime.database.write(lose)
    reader = await follow(runtime, voter, battle.id)
    assert [type(event) for event in reader] == [ClosingEvent]
    assert await sweeper.sweep(runtime.database, runtime.now()) == 0
    assert await sweeper.sweep(runtime.database, runtime.now(), starting="") == 1
    view = await battles.look(runtime, voter, battle.id)
    assert (view.state, view.turns[0].state) == (BattleState.VOID, TurnState.FAILED)


async def test_an_endless_answer_is_cut(runtime, voter, part, monkeypatch):
    monkeypatch.setattr("arena.calls.stream.ANSWER_LIMIT", 1_000)
    part(RED, *["x" * 100] * 50)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    assert max(len(text) for text in battle.turns[0].answers.values()) == 1_000


async def test_no_run_slot_or_stream_is_left_behind(runtime, voter, part, scripted):
    part(RED, "x", error=EndpointUnavailable("cut"))
    for _ in range(5):
        await play(runtime, voter)
    while runtime.runs or scripted.running or runtime.limits.running:  # or the suite's own limit ends the wait
        await asyncio.sleep(0.01)
    assert runtime.runs == {}
    assert scripted.running == 0
    assert runtime.limits.running == 0


async def test_a_running_battle_is_followed_by_its_voter_alone_and_without_the_database(
    runtime, voter, part, monkeypatch
):
    held = asyncio.Event()
    for name in (RED, BLUE):
        part(name, "late", held=held)
    battle = await battles.open_battle(runtime, voter, "Hello")
    with pytest.raises(BattleNotFound):
        await battles.watch(runtime, Voter("another", voter.address), battle.id, None)
    with pytest.raises(ChatNotFound):
        await chats.watch(runtime, voter, battle.id, None)

    async def away(*_: object) -> None:
        raise StoreUnavailable(retry_after=5)

    monkeypatch.setattr(type(runtime.database), "read", away)
    events = await battles.watch(runtime, voter, battle.id, None)
    held.set()
    assert events is not None
    assert isinstance([event async for steps in events for _, event in steps][-1], TurnReadyEvent)

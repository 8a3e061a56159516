import asyncio
import time

import pytest

from arena import battles
from arena.battles import Stage
from arena.errors import (
    BattleClosed,
    BattleNotFound,
    PromptEmpty,
    PromptTooLong,
    RegenerateLimitReached,
    ShuttingDown,
    TooFewEndpoints,
    TurnLimitReached,
    TurnRunning,
)
from arena.health import Health, Rules
from arena.providers.deadlines import TimeLimits
from arena.providers.errors import BadCredentials, EndpointUnavailable
from arena.store import battles as stored
from arena.store import endpoints
from arena.store.tables import TurnRow
from arena.terms import BattleState, EndpointState, Finish, Role, Side, TurnState, Voter
from arena.wire import Closing, Delta, SideDone, TurnFailed, TurnReady

RED, BLUE = "red-7b", "blue-7b"
FAILED = "answer_failed"
HASTY = TimeLimits(connect=0.3, first_token=0.3, between_tokens=0.3, total=5)


async def follow(stage: Stage, voter: Voter, battle_id: str, last_id: str | None = None):
    events = await battles.watch(stage, voter, battle_id, last_id)
    return [] if events is None else [event async for _, event in events]


async def play(stage: Stage, voter: Voter, prompt: str = "Hello"):
    battle = await battles.open_battle(stage, voter, prompt)
    events = await follow(stage, voter, battle.id)
    return await battles.look(stage, voter, battle.id), events


async def look(stage: Stage, voter: Voter, battle_id: str):
    """The only turn of a battle."""
    return (await battles.look(stage, voter, battle_id)).turns[0]


async def begun(stage: Stage, voter: Voter, battle_id: str) -> None:
    """Both answers have begun."""
    while not all((await look(stage, voter, battle_id)).answers.values()):
        await asyncio.sleep(0.01)


def shown(events, side: Side) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta) and event.side is side)


async def row_of(stage: Stage, battle_id: str):
    row = await stage.database.read(stored.find, battle_id)
    assert row is not None
    return row


async def names(stage: Stage, battle_id: str) -> dict[Side, str]:
    row = await row_of(stage, battle_id)
    rows = await stage.database.read(
        lambda session: {n: r.name for n, r in endpoints.by_id(session, (row.endpoint_a_id, row.endpoint_b_id)).items()}
    )
    return {Side.A: rows[row.endpoint_a_id], Side.B: rows[row.endpoint_b_id]}


async def test_two_answers_are_shown_whole_and_the_turn_is_ready(stage, voter, part):
    part(RED, "I am ", "the red answer", pause=0.01)
    part(BLUE, "blue")
    battle, events = await play(stage, voter)
    who = await names(stage, battle.id)
    texts = {RED: "I am the red answer", BLUE: "blue"}
    assert {side: shown(events, side) for side in Side} == {side: texts[who[side]] for side in Side}
    assert [type(event) for event in events[-3:]] == [SideDone, SideDone, TurnReady] or isinstance(
        events[-1], TurnReady
    )
    assert battle.turns[0].state is TurnState.READY
    assert battle.turns[0].answers == {side: texts[who[side]] for side in Side}


async def test_a_slow_side_is_not_cancelled_while_the_other_talks(stage, voter, part):
    part(RED, *["fast "] * 40)
    part(BLUE, "slow ", "but ", "whole", pause=0.15)
    battle, events = await play(stage, voter)
    assert isinstance(events[-1], TurnReady)
    assert sorted(battle.turns[0].answers.values()) == sorted(["fast " * 40, "slow but whole"])


async def test_nothing_is_shown_before_both_sides_have_their_first_token(stage, voter, part):
    part(RED, "now")
    part(BLUE, "never", pause=1000)
    battle = await battles.open_battle(stage, voter, "Hello")
    await asyncio.sleep(0.05)
    assert (await look(stage, voter, battle.id)).answers == {Side.A: "", Side.B: ""}


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
async def test_a_failed_side_voids_the_battle_for_both_with_the_same_words(stage, voter, part, how, kind, pieces):
    part(RED, *pieces, **how)
    part(BLUE, "fine")
    if "hang" in how:
        stage.times = HASTY
    battle, events = await play(stage, voter)
    assert events[-1] == TurnFailed(code=FAILED, title=events[-1].title)
    assert "secret" not in str(events)
    assert battle.state is BattleState.VOID
    row = await row_of(stage, battle.id)
    assert row.turns[0].state is TurnState.FAILED
    assert row.turns[0].failure == kind
    who = await names(stage, battle.id)
    errors = {who[reply.side]: reply.error for reply in row.turns[0].replies}
    assert errors == {RED: kind, BLUE: None}


async def test_an_empty_answer_is_a_failure(stage, voter, part):
    part(RED, "  ", "\n")
    battle, events = await play(stage, voter)
    assert isinstance(events[-1], TurnFailed)
    assert battle.state is BattleState.VOID


async def test_every_kind_of_failure_looks_the_same_to_the_reader(stage, voter, part):
    endings = set()
    stage.times = HASTY
    for how in ({"error": BadCredentials("x")}, {"hang": True}, {"error": EndpointUnavailable("y")}):
        part(RED, **({"pieces": ()} | how) if "pieces" in how else how)
        stage.health = Health(Rules(), time.monotonic)  # a wrong key keeps its endpoint out of the next battle
        _, events = await play(stage, voter)
        endings.add(events[-1].model_dump_json())
    assert len(endings) == 1


async def test_a_reader_who_leaves_does_not_end_the_run(stage, voter, part):
    part(RED, *["x"] * 20, pause=0.01)
    battle = await battles.open_battle(stage, voter, "Hello")
    events = await battles.watch(stage, voter, battle.id, None)
    assert events is not None
    await anext(events)
    await events.aclose()
    while (turn := await look(stage, voter, battle.id)).state is TurnState.RUNNING:
        await asyncio.sleep(0.01)
    assert turn.state is TurnState.READY


async def test_a_reader_who_comes_back_gets_exactly_the_rest(stage, voter, part):
    part(RED, *[f"{n} " for n in range(30)], pause=0.01)
    part(BLUE, *[f"{n} " for n in range(30)], pause=0.01)
    battle = await battles.open_battle(stage, voter, "Hello")
    first = await battles.watch(stage, voter, battle.id, None)
    assert first is not None
    seen, last_id = [], None
    async for cursor, event in first:
        seen.append(event)
        last_id = str(cursor)
        if len(seen) == 7:
            break
    await first.aclose()
    seen += await follow(stage, voter, battle.id, last_id)
    whole = "".join(f"{n} " for n in range(30))
    assert {side: shown(seen, side) for side in Side} == {Side.A: whole, Side.B: whole}
    assert sum(isinstance(event, SideDone) for event in seen) == 2
    assert sum(isinstance(event, TurnReady) for event in seen) == 1


async def test_a_reader_who_has_all_is_told_that_nothing_is_left(stage, voter):
    battle = await battles.open_battle(stage, voter, "Hello")
    events = await battles.watch(stage, voter, battle.id, None)
    assert events is not None
    last_id = [str(cursor) async for cursor, _ in events][-1]
    assert await battles.watch(stage, voter, battle.id, last_id) is None


@pytest.mark.parametrize("last_id", ["", "nonsense", "9.9-1-1", "1.0-99999-3", "1.0-1d-1", "1.0-１-1"])
async def test_a_foreign_or_broken_event_id_does_no_harm(stage, voter, last_id):
    battle, _ = await play(stage, voter)
    events = await follow(stage, voter, battle.id, last_id)
    assert isinstance(events[-1], TurnReady)


async def test_a_run_that_ends_while_its_row_is_read_is_still_followed_to_its_end(stage, voter, part, monkeypatch):
    part(RED, "slow", pause=0.3)
    battle = await battles.open_battle(stage, voter, "Hello")
    stale = await stage.database.read(stored.find, battle.id)
    read = stage.database.read

    async def slow(work, *args):
        if work is not stored.find:
            return await read(work, *args)
        while stage.runs:
            await asyncio.sleep(0.01)
        return stale

    monkeypatch.setattr(stage.database, "read", slow)
    events = await follow(stage, voter, battle.id)
    assert isinstance(events[-1], TurnReady)


async def test_two_readers_see_the_same(stage, voter, part):
    part(RED, *["red "] * 20, pause=0.01)
    battle = await battles.open_battle(stage, voter, "Hello")
    one, two = await asyncio.gather(*(follow(stage, voter, battle.id) for _ in range(2)))
    assert [shown(one, side) for side in Side] == [shown(two, side) for side in Side]


async def test_deltas_add_up_to_the_answer_and_no_more(stage, voter, part):
    part(RED, *["word "] * 300)
    part(BLUE, *["word "] * 300)
    _, events = await play(stage, voter)
    assert sum(len(event.text) for event in events if isinstance(event, Delta)) == 2 * 300 * 5


async def test_stop_ends_both_answers_where_they_are(stage, voter, part, scripted):
    part(RED, *["red "] * 100, pause=0.02, hang=True)
    part(BLUE, *["blue"] * 100, pause=0.02, hang=True)
    battle = await battles.open_battle(stage, voter, "Hello")
    await begun(stage, voter, battle.id)
    view = await battles.stop(stage, voter, battle.id)
    assert view.turns[0].state is TurnState.READY
    assert all(0 < len(text) <= 400 for text in view.turns[0].answers.values())
    row = await row_of(stage, battle.id)
    assert {reply.finish for reply in row.turns[0].replies} == {Finish.STOPPED}
    assert scripted.running == 0


async def test_stop_before_anything_was_shown_abandons_the_battle(stage, voter, part):
    part(RED, "late", pause=0.5)
    battle = await battles.open_battle(stage, voter, "Hello")
    view = await battles.stop(stage, voter, battle.id)
    assert (view.state, view.turns[0].state) == (BattleState.ABANDONED, TurnState.FAILED)


async def test_stop_after_the_end_changes_nothing(stage, voter):
    battle, _ = await play(stage, voter)
    assert await battles.stop(stage, voter, battle.id) == battle


async def test_a_skipped_battle_is_recorded_and_stays_closed(stage, voter):
    battle, _ = await play(stage, voter)
    view = await battles.skip(stage, voter, battle.id)
    assert view.state is BattleState.ABANDONED
    with pytest.raises(BattleClosed):
        await battles.ask_next(stage, voter, battle.id, "more")


async def test_each_side_remembers_its_own_answers_only(stage, voter, part, scripted):
    part(RED, "red one")
    part(BLUE, "blue one")
    battle, _ = await play(stage, voter, "first")
    await battles.ask_next(stage, voter, battle.id, "second")
    await follow(stage, voter, battle.id)
    conversations = {name: messages for name, messages in scripted.asked if len(messages) == 3}
    for name, own in ((RED, "red one"), (BLUE, "blue one")):
        assert [(m.role, m.content) for m in conversations[name]] == [
            (Role.USER, "first"),
            (Role.ASSISTANT, own),
            (Role.USER, "second"),
        ]


async def test_the_same_two_meet_in_every_turn(stage, voter, scripted):
    battle, _ = await play(stage, voter)
    before = await names(stage, battle.id)
    await battles.ask_next(stage, voter, battle.id, "again")
    await follow(stage, voter, battle.id)
    assert await names(stage, battle.id) == before


async def test_regenerate_asks_both_again_and_keeps_what_was_discarded(stage, voter, part):
    part(RED, "first try")
    battle, _ = await play(stage, voter)
    part(RED, "second try")
    await battles.ask_again(stage, voter, battle.id)
    await follow(stage, voter, battle.id)
    view = await battles.look(stage, voter, battle.id)
    assert "second try" in view.turns[0].answers.values()
    assert "first try" not in view.turns[0].answers.values()
    row = await row_of(stage, battle.id)
    assert {(reply.generation, reply.text) for reply in row.turns[0].replies} >= {(0, "first try"), (1, "second try")}


async def test_a_turn_is_regenerated_three_times_at_most(stage, voter):
    battle, _ = await play(stage, voter)
    for _ in range(3):
        await battles.ask_again(stage, voter, battle.id)
        await follow(stage, voter, battle.id)
    with pytest.raises(RegenerateLimitReached):
        await battles.ask_again(stage, voter, battle.id)


async def test_a_battle_has_twenty_turns_at_most(stage, voter):
    battle, _ = await play(stage, voter)
    for _ in range(19):
        await battles.ask_next(stage, voter, battle.id, "more")
        await follow(stage, voter, battle.id)
    with pytest.raises(TurnLimitReached):
        await battles.ask_next(stage, voter, battle.id, "too much")


async def test_one_turn_runs_at_a_time(stage, voter, part):
    part(RED, "slow", pause=0.3)
    battle = await battles.open_battle(stage, voter, "Hello")
    for act in (battles.ask_next(stage, voter, battle.id, "more"), battles.ask_again(stage, voter, battle.id)):
        with pytest.raises(TurnRunning):
            await act


async def test_of_eight_parallel_turns_one_starts(stage, voter, part):
    battle, _ = await play(stage, voter)
    part(RED, "so slow that none of the eight comes after it", pause=0.8)
    results = await asyncio.gather(
        *(battles.ask_next(stage, voter, battle.id, "more") for _ in range(8)), return_exceptions=True
    )
    assert sum(not isinstance(result, Exception) for result in results) == 1
    assert sum(isinstance(result, TurnRunning) for result in results) == 7


@pytest.mark.parametrize("act", ["look", "stop", "skip", "ask_again"])
async def test_a_foreign_battle_and_an_unknown_one_are_the_same(stage, voter, act):
    battle, _ = await play(stage, voter)
    stranger = Voter(key="stranger", address="127.0.0.1")
    texts = set()
    for who, battle_id in ((stranger, battle.id), (voter, "unknown")):
        with pytest.raises(BattleNotFound) as caught:
            await getattr(battles, act)(stage, who, battle_id)
        texts.add(str(caught.value))
    assert len(texts) == 1


@pytest.mark.parametrize("prompt", ["", "   ", "\n\t", "\0", "\u3000"])
async def test_an_empty_prompt_is_refused(stage, voter, prompt):
    with pytest.raises(PromptEmpty):
        await battles.open_battle(stage, voter, prompt)


async def test_twelve_thousand_characters_fit_and_one_more_does_not(stage, voter):
    assert await battles.open_battle(stage, voter, "  " + "字" * 12_000 + "  ")
    with pytest.raises(PromptTooLong):
        await battles.open_battle(stage, voter, "字" * 12_001)


async def test_half_a_character_in_a_prompt_is_replaced_and_stored(stage, voter):
    battle = await battles.open_battle(stage, voter, "broken \ud83d here")
    assert (await battles.look(stage, voter, battle.id)).turns[0].prompt == "broken \ufffd here"


async def test_half_a_character_in_an_answer_does_not_break_the_battle(stage, voter, part):
    part(RED, "smile \ud83d", "\ude00 and \ud83d alone")
    battle, events = await play(stage, voter)
    assert isinstance(events[-1], TurnReady)
    assert "smile 😀 and \ufffd alone" in battle.turns[0].answers.values()


async def test_fewer_than_two_endpoints_is_said_plainly(stage, voter):
    def pause(session) -> None:
        for row in endpoints.active(session)[1:]:
            row.state = EndpointState.PAUSED

    await stage.database.write(pause)
    with pytest.raises(TooFewEndpoints):
        await battles.open_battle(stage, voter, "Hello")


async def test_a_server_going_down_ends_running_turns_and_tells_their_readers(stage, voter, part):
    part(RED, "never", hang=True)
    battle = await battles.open_battle(stage, voter, "Hello")
    reading = asyncio.create_task(follow(stage, voter, battle.id))
    await asyncio.sleep(0.05)
    await stage.close(0.1)
    events = await reading
    assert events[-1].code == "shutting_down"
    row = await row_of(stage, battle.id)
    assert (row.turns[0].state, row.turns[0].failure) == (TurnState.FAILED, "shutting_down")
    with pytest.raises(ShuttingDown):
        await battles.open_battle(stage, voter, "Hello")


async def test_a_server_going_down_lets_a_short_answer_end(stage, voter, part):
    part(RED, "almost there", pause=0.2)
    battle = await battles.open_battle(stage, voter, "Hello")
    await stage.close(60)
    assert (await look(stage, voter, battle.id)).state is TurnState.READY


async def test_a_turn_lost_with_its_process_is_failed_by_the_sweeper(stage, voter):
    battle, _ = await play(stage, voter)

    def lose(session) -> None:
        turn = session.get(TurnRow, stored.find(session, battle.id).turns[0].id)
        turn.state = TurnState.RUNNING

    await stage.database.write(lose)
    reader = await follow(stage, voter, battle.id)
    assert [type(event) for event in reader] == [Closing]
    assert await battles.sweep(stage.database, stage.now()) == 0
    assert await battles.sweep(stage.database, stage.now(), starting="") == 1
    view = await battles.look(stage, voter, battle.id)
    assert (view.state, view.turns[0].state) == (BattleState.VOID, TurnState.FAILED)


async def test_an_endless_answer_is_cut(stage, voter, part, monkeypatch):
    monkeypatch.setattr("arena.battles.runs.ANSWER_LIMIT", 1_000)
    part(RED, *["x" * 100] * 50)
    battle, events = await play(stage, voter)
    assert isinstance(events[-1], TurnReady)
    assert max(len(text) for text in battle.turns[0].answers.values()) == 1_000


async def test_no_run_slot_or_stream_is_left_behind(stage, voter, part, scripted):
    part(RED, "x", error=EndpointUnavailable("cut"))
    for _ in range(5):
        await play(stage, voter)
    while stage.runs or scripted.running or stage.limits.running:  # or the suite's own limit ends the wait
        await asyncio.sleep(0.01)
    assert stage.runs == {}
    assert scripted.running == 0
    assert stage.limits.running == 0

"""Chats with models chosen by name: the engine of battles, told by name, and never rated."""

import asyncio

import pytest
from sqlalchemy import select

from arena import voters
from arena.battles import chats, sweep
from arena.errors import (
    ChatNotFound,
    Closed,
    Invalid,
    ModelAway,
    ModelNotFound,
    ModelResting,
    ModelSpent,
    TermsNotAccepted,
    TurnRunning,
)
from arena.health import Verdict
from arena.store import endpoints, flags
from arena.store.tables import ChatVoteRow, Table
from arena.terms import BattleState, EndpointState, Opinion, Part, Role, Side, TurnState, Voter
from arena.wire import Delta, SideDone, TurnFailed, TurnReady
from tests.battles.test_turns import play, shown
from tests.conftest import add_endpoints
from tests.endpoints.test_budgets import cap, counted
from tests.test_ranking import METHOD, publish  # noqa: F401 - a fixture

RED, BLUE = "red-7b", "blue-7b"
CHATS_ONLY = {"chats", "chat_turns", "chat_replies", "chat_votes"}


async def follow(stage, voter, chat_id, last_id=None):
    events = await chats.watch(stage, voter, chat_id, last_id)
    return [] if events is None else [(str(cursor), event) async for cursor, event in events]


async def chat(stage, voter, *models, prompt="Hello"):
    begun = await chats.open_chat(stage, voter, prompt, models)
    await follow(stage, voter, begun.id)
    return await chats.look(stage, voter, begun.id)


async def change(stage, name, **values):
    def put(session):
        row = endpoints.by_name(session, name)
        for field, value in values.items():
            setattr(row, field, value)
        return row.id

    return await stage.database.write(put)


def everything(session):
    """All that is stored, but what belongs to chats."""
    tables = [table for table in Table.metadata.sorted_tables if table.name not in CHATS_ONLY]
    return {table.name: [tuple(row) for row in session.execute(select(table))] for table in tables}


async def test_the_chosen_two_answer_on_the_sides_that_were_chosen_under_their_names(stage, voter, part):
    part(RED, "I am ", "red", pause=0.01)
    part(BLUE, "I am blue")
    seen = await chat(stage, voter, BLUE, RED)
    assert {side: model.name for side, model in seen.models.items()} == {Side.A: BLUE, Side.B: RED}
    assert seen.turns[0].answers == {Side.A: "I am blue", Side.B: "I am red"}
    assert seen.turns[0].state is TurnState.READY


async def test_a_direct_chat_asks_one_model_and_knows_one_side(stage, voter, part, scripted):
    part(RED, "only ", "me")
    begun = await chats.open_chat(stage, voter, "Hello", [RED])
    events = [event for _, event in await follow(stage, voter, begun.id)]
    assert shown(events, Side.A) == "only me"
    assert {event.side for event in events if isinstance(event, Delta | SideDone)} == {Side.A}
    assert isinstance(events[-1], TurnReady)
    seen = await chats.ask_next(stage, voter, begun.id, "And now?")
    await follow(stage, voter, begun.id)
    assert set(seen.models) == {Side.A}
    assert [(message.role, message.content) for message in scripted.asked[-1][1]] == [
        (Role.USER, "Hello"),
        (Role.ASSISTANT, "only me"),
        (Role.USER, "And now?"),
    ]
    assert {name for name, _ in scripted.asked} == {RED}


@pytest.mark.parametrize("models", [[RED], [RED, BLUE]])
async def test_a_reader_who_comes_back_gets_exactly_the_rest(stage, voter, part, models):
    for name in models:
        part(name, *["word "] * 20, pause=0.005)
    begun = await chats.open_chat(stage, voter, "Hello", models)
    stream = await chats.watch(stage, voter, begun.id, None)
    head = []
    async for cursor, event in stream:
        head.append((str(cursor), event))
        if len(head) == 4:
            break
    tail = await follow(stage, voter, begun.id, head[-1][0])
    whole = [event for _, event in head + tail]
    assert all(shown(whole, side) == "word " * 20 for side in list(Side)[: len(models)])
    assert await follow(stage, voter, begun.id, tail[-1][0]) == []
    assert shown([event for _, event in await follow(stage, voter, begun.id, "1.0-3-3-3")], Side.A) == "word " * 20


async def test_stop_and_another_try_work_as_in_a_battle(stage, voter, part):
    part(RED, *["word "] * 400, pause=0.01)
    begun = await chats.open_chat(stage, voter, "Hello", [RED])
    with pytest.raises(TurnRunning):
        await chats.judge(stage, voter, begun.id, Opinion.GOOD)
    while not (await chats.look(stage, voter, begun.id)).turns[0].answers[Side.A]:
        await asyncio.sleep(0.01)
    stopped = await chats.stop(stage, voter, begun.id)
    assert stopped.turns[0].state is TurnState.READY
    assert 0 < len(stopped.turns[0].answers[Side.A]) < 2_000
    await chats.judge(stage, voter, begun.id, Opinion.BAD)
    part(RED, "better")
    await chats.ask_again(stage, voter, begun.id)
    await follow(stage, voter, begun.id)
    (turn,) = (await chats.look(stage, voter, begun.id)).turns
    assert (turn.generation, turn.answers, turn.outcome) == (1, {Side.A: "better"}, None)


async def test_nothing_of_a_chat_is_stored_where_battles_votes_and_ratings_are(stage, voter, publish):  # noqa: F811 - the fixture
    battle, _ = await play(stage, voter)
    before = await stage.database.read(everything)
    assert before["battles"]
    assert before["replies"]
    pair, single = await chat(stage, voter, RED, BLUE), await chat(stage, voter, RED)
    for said in (Opinion.A, Opinion.TIE):
        told = await chats.judge(stage, voter, pair.id, said)
    await chats.judge(stage, voter, single.id, Opinion.GOOD)
    assert told.turns[-1].outcome is Opinion.TIE
    assert await stage.database.read(everything) == before
    said = await stage.database.read(lambda session: session.scalars(select(ChatVoteRow.opinion)).all())
    assert sorted(said) == [Opinion.GOOD, Opinion.TIE]
    assert await publish(METHOD) is None
    assert (await voters.history(stage.database, voter, before=None, limit=9)).battles[0].id == battle.id


@pytest.mark.parametrize(("models", "wrong"), [([RED], Opinion.TIE), ([RED, BLUE], Opinion.GOOD)])
async def test_an_opinion_fits_the_number_of_models(stage, voter, models, wrong):
    seen = await chat(stage, voter, *models)
    with pytest.raises(Invalid):
        await chats.judge(stage, voter, seen.id, wrong)


@pytest.mark.parametrize("models", [[], [RED, RED], [RED, BLUE, "third"]])
async def test_a_chat_has_one_model_or_two_different_ones(stage, voter, models):
    with pytest.raises(Invalid):
        await chats.open_chat(stage, voter, "Hello", models)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"listed": False}, ModelNotFound),
        ({"state": EndpointState.PAUSED}, ModelAway),
        ({"state": EndpointState.SUSPENDED}, ModelAway),
        ({"daily_calls": 0}, ModelSpent),
    ],
)
async def test_it_is_told_why_a_chosen_model_cannot_be_asked(stage, voter, values, error):
    await change(stage, RED, **values)
    with pytest.raises(error) as refused:
        await chats.open_chat(stage, voter, "Hello", [BLUE, RED])
    assert refused.value.detail == (None if error is ModelNotFound else RED)
    assert await stage.database.read(lambda session: session.scalars(select(ChatVoteRow)).all()) == []
    assert (await chat(stage, voter, BLUE)).turns[0].state is TurnState.READY


async def test_a_model_that_fails_rests_and_a_later_turn_says_so_too(stage, voter):
    seen = await chat(stage, voter, RED, BLUE)
    number = (await stage.database.read(endpoints.by_name, RED)).id
    stage.health.enter([number])[number].report(Verdict.HOPELESS)
    for ask in (
        lambda: chats.open_chat(stage, voter, "Hello", [RED]),
        lambda: chats.ask_next(stage, voter, seen.id, "More"),
        lambda: chats.ask_again(stage, voter, seen.id),
    ):
        with pytest.raises(ModelResting) as refused:
            await ask()
        assert (refused.value.detail, refused.value.retry_after) == (RED, 10)
    assert len((await chats.look(stage, voter, seen.id)).turns) == 1


async def test_a_chat_is_paid_by_the_daily_budget_of_each_model_in_it(stage, voter):
    red = await cap(stage, RED, calls=2)
    await chat(stage, voter, RED)
    await chat(stage, voter, RED, BLUE)
    assert (await counted(stage, red))[0] == 2
    with pytest.raises(ModelSpent):
        await chats.open_chat(stage, voter, "Hello", [RED])


async def test_a_side_that_fails_ends_the_turn_and_the_chat(stage, voter, part):
    part(RED, "some", error=RuntimeError("a bug of ours"))
    begun = await chats.open_chat(stage, voter, "Hello", [RED])
    events = await follow(stage, voter, begun.id)
    assert isinstance(events[-1][1], TurnFailed)
    assert (await chats.look(stage, voter, begun.id)).state is BattleState.VOID


async def test_the_gates_of_battles_stand_before_chats_too(stage, voter):
    stage.terms = 3
    with pytest.raises(TermsNotAccepted):
        await chats.open_chat(stage, voter, "Hello", [RED])
    seen = await chats.open_chat(stage, voter, "Hello", [RED], terms=3)
    stranger = Voter(key="somebody else", address="127.0.0.1")
    for chat_id, who in ((seen.id, stranger), ("nothing", voter)):
        with pytest.raises(ChatNotFound):
            await chats.look(stage, who, chat_id)
    await follow(stage, voter, seen.id)
    await stage.database.write(flags.put, Part.CHATS, closed=True, reason="costly", now=stage.now())
    with pytest.raises(Closed):
        await chats.open_chat(stage, voter, "Hello", [RED])
    await play(stage, voter)


async def test_who_is_forgotten_holds_no_chat_any_more(stage, voter):
    seen = await chat(stage, voter, RED)
    await voters.forget(stage.database, voter, stage.new_id)
    with pytest.raises(ChatNotFound):
        await chats.look(stage, voter, seen.id)


async def test_a_turn_that_was_lost_with_its_process_is_failed_at_the_next_start(stage, voter, part):
    await stage.database.write(add_endpoints, ("slow-7b",))
    part("slow-7b", *["word "] * 400, pause=0.05)
    begun = await chats.open_chat(stage, voter, "Hello", ["slow-7b"])
    assert await sweep(stage.database, stage.now(), starting="") == 1
    assert (await chats.look(stage, voter, begun.id)).turns[0].state is TurnState.FAILED

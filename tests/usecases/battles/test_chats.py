"""Chats with models chosen by name: the engine of battles, told by name, and never rated."""

import asyncio

import pytest
from sqlalchemy import select

from arena.adapters.breaker import CallVerdict
from arena.adapters.store import budgets, endpoints, site
from arena.adapters.store.tables.base import BaseRow
from arena.adapters.store.tables.chats import ChatVoteRow
from arena.domain.errors import (
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
from arena.domain.schemas.battles import DeltaEvent, SideDoneEvent, TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, EndpointState, Opinion, Part, Side, TurnState, Voter
from arena.usecases.battles import chats
from arena.usecases.battles.sweeper import sweep
from arena.usecases.people import voters
from arena_providers.errors import EndpointUnavailable
from arena_providers.terms import Role
from tests.conftest import add_endpoints
from tests.usecases.battles.test_turns import play, shown
from tests.usecases.endpoints.test_budgets import cap, counted
from tests.usecases.ranking.test_publication import METHOD, publish  # noqa: F401 - a fixture

RED, BLUE = "red-7b", "blue-7b"
SOUND = "sound " * 9 + "end"
CHATS_ONLY = {"chats", "chat_turns", "chat_replies", "chat_votes"}


async def follow(runtime, voter, chat_id, last_id=None):
    events = await chats.watch(runtime, voter, chat_id, last_id)
    return [] if events is None else [(str(cursor), event) async for steps in events for cursor, event in steps]


async def chat(runtime, voter, *models, prompt="Hello"):
    begun = await chats.open_chat(runtime, voter, prompt, models)
    await follow(runtime, voter, begun.id)
    return await chats.look(runtime, voter, begun.id)


async def change(runtime, name, **values):
    def put(session):
        row = endpoints.by_name(session, name)
        for field, value in values.items():
            setattr(row, field, value)
        return row.id

    return await runtime.database.write(put)


def everything(session):
    """All stored rows except those of chats."""
    tables = [table for table in BaseRow.metadata.sorted_tables if table.name not in CHATS_ONLY]
    return {table.name: [tuple(row) for row in session.execute(select(table))] for table in tables}


async def test_the_chosen_two_answer_on_the_sides_that_were_chosen_under_their_names(runtime, voter, part):
    part(RED, "I am ", "red", pause=0.01)
    part(BLUE, "I am blue")
    view = await chat(runtime, voter, BLUE, RED)
    assert {side: model.name for side, model in view.models.items()} == {Side.A: BLUE, Side.B: RED}
    assert view.turns[0].answers == {Side.A: "I am blue", Side.B: "I am red"}
    assert view.turns[0].state is TurnState.READY


@pytest.mark.both_databases
async def test_a_direct_chat_asks_one_model_and_knows_one_side(runtime, voter, part, scripted):
    part(RED, "only ", "me")
    begun = await chats.open_chat(runtime, voter, "Hello", [RED])
    events = [event for _, event in await follow(runtime, voter, begun.id)]
    assert shown(events, Side.A) == "only me"
    assert {event.side for event in events if isinstance(event, DeltaEvent | SideDoneEvent)} == {Side.A}
    assert isinstance(events[-1], TurnReadyEvent)
    view = await chats.ask_next(runtime, voter, begun.id, "And now?")
    await follow(runtime, voter, begun.id)
    assert set(view.models) == {Side.A}
    assert [(message.role, message.content) for message in scripted.asked[-1][1]] == [
        (Role.USER, "Hello"),
        (Role.ASSISTANT, "only me"),
        (Role.USER, "And now?"),
    ]
    assert {name for name, _ in scripted.asked} == {RED}


@pytest.mark.parametrize("models", [[RED], [RED, BLUE]])
async def test_a_reader_who_comes_back_gets_exactly_the_rest(runtime, voter, part, models):
    for name in models:
        part(name, *["word "] * 20, pause=0.005)
    begun = await chats.open_chat(runtime, voter, "Hello", models)
    stream = await chats.watch(runtime, voter, begun.id, None)
    head = []
    async for steps in stream:
        head += [(str(cursor), event) for cursor, event in steps]
        if len(head) >= 2:
            break
    del head[2:]  # of three at least, however slow the machine is; that may be within a frame
    tail = await follow(runtime, voter, begun.id, head[-1][0])
    whole = [event for _, event in head + tail]
    assert all(shown(whole, side) == "word " * 20 for side in list(Side)[: len(models)])
    assert await follow(runtime, voter, begun.id, tail[-1][0]) == []
    assert shown([event for _, event in await follow(runtime, voter, begun.id, "1.0-3-3-3")], Side.A) == "word " * 20


@pytest.mark.both_databases
async def test_stop_and_another_try_work_as_in_a_battle(runtime, voter, part):
    part(RED, *["word "] * 400, pause=0.01)
    begun = await chats.open_chat(runtime, voter, "Hello", [RED])
    with pytest.raises(TurnRunning):
        await chats.judge(runtime, voter, begun.id, Opinion.GOOD)
    while not (await chats.look(runtime, voter, begun.id)).turns[0].answers[Side.A]:
        await asyncio.sleep(0.01)
    stopped = await chats.stop(runtime, voter, begun.id)
    assert stopped.turns[0].state is TurnState.READY
    assert 0 < len(stopped.turns[0].answers[Side.A]) < 2_000
    await chats.judge(runtime, voter, begun.id, Opinion.BAD)
    part(RED, "better")
    await chats.ask_again(runtime, voter, begun.id)
    await follow(runtime, voter, begun.id)
    (turn,) = (await chats.look(runtime, voter, begun.id)).turns
    assert (turn.generation, turn.answers, turn.outcome) == (1, {Side.A: "better"}, None)


@pytest.mark.both_databases
async def test_nothing_of_a_chat_is_stored_where_battles_votes_and_ratings_are(runtime, voter, publish):  # noqa: F811 - the fixture
    battle, _ = await play(runtime, voter)
    before = await runtime.database.read(everything)
    assert before["battles"]
    assert before["replies"]
    pair, single = await chat(runtime, voter, RED, BLUE), await chat(runtime, voter, RED)
    for opinion in (Opinion.A, Opinion.TIE):
        view = await chats.judge(runtime, voter, pair.id, opinion)
    await chats.judge(runtime, voter, single.id, Opinion.GOOD)
    assert view.turns[-1].outcome is Opinion.TIE
    assert await runtime.database.read(everything) == before
    opinion = await runtime.database.read(lambda session: session.scalars(select(ChatVoteRow.opinion)).all())
    assert sorted(opinion) == [Opinion.GOOD, Opinion.TIE]
    assert await publish(METHOD) is None
    assert (await voters.history(runtime.database, voter, before=None, limit=9)).battles[0].id == battle.id


@pytest.mark.parametrize(("models", "wrong"), [([RED], Opinion.TIE), ([RED, BLUE], Opinion.GOOD)])
async def test_an_opinion_fits_the_number_of_models(runtime, voter, models, wrong):
    view = await chat(runtime, voter, *models)
    with pytest.raises(Invalid):
        await chats.judge(runtime, voter, view.id, wrong)


@pytest.mark.parametrize("models", [[], [RED, RED], [RED, BLUE, "third"]])
async def test_a_chat_has_one_model_or_two_different_ones(runtime, voter, models):
    with pytest.raises(Invalid):
        await chats.open_chat(runtime, voter, "Hello", models)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("values", "error", "why"),
    [
        ({"listed": False}, ModelNotFound, None),
        ({"state": EndpointState.PAUSED}, ModelAway, " is not available: paused, suspended or retired."),
        ({"state": EndpointState.SUSPENDED}, ModelAway, " is not available: paused, suspended or retired."),
        ({"daily_calls": 0}, ModelSpent, " answers no more today (UTC), by its owner's limit."),
    ],
)
async def test_it_is_told_why_a_chosen_model_cannot_be_asked(runtime, voter, values, error, why):
    await change(runtime, RED, **values)
    with pytest.raises(error) as refused:
        await chats.open_chat(runtime, voter, "Hello", [BLUE, RED])
    assert refused.value.detail == (None if error is ModelNotFound else RED + why)
    assert refused.value.params == ({} if error is ModelNotFound else {"name": RED})
    assert await runtime.database.read(lambda session: session.scalars(select(ChatVoteRow)).all()) == []
    assert (await chat(runtime, voter, BLUE)).turns[0].state is TurnState.READY


async def test_a_practice_model_is_chosen_only_while_it_does_not_rest(runtime, voter):
    await change(runtime, RED, demo=True, standby=True)
    assert (await chat(runtime, voter, RED)).turns[0].state is TurnState.READY
    await runtime.database.write(add_endpoints, ["green-7b"])
    with pytest.raises(ModelAway):
        await chats.open_chat(runtime, voter, "Hello", [RED])


async def test_a_model_that_fails_rests_and_a_later_turn_says_so_too(runtime, voter):
    view = await chat(runtime, voter, RED, BLUE)
    number = (await runtime.database.read(endpoints.by_name, RED)).id
    runtime.chat_breakers.enter([number])[number].report(CallVerdict.HOPELESS)
    for ask in (
        lambda: chats.open_chat(runtime, voter, "Hello", [RED]),
        lambda: chats.ask_next(runtime, voter, view.id, "More"),
        lambda: chats.ask_again(runtime, voter, view.id),
    ):
        with pytest.raises(ModelResting) as refused:
            await ask()
        assert (refused.value.params, refused.value.retry_after) == ({"name": RED}, 10)
        assert refused.value.detail == f"{RED} is failing or at capacity just now; please try again in a moment."
    assert len((await chats.look(runtime, voter, view.id)).turns) == 1


async def test_a_chat_is_paid_by_the_chats_share_of_the_daily_budget_of_each_model_in_it(runtime, voter):
    red = await cap(runtime, RED, calls=4)
    await chat(runtime, voter, RED)
    await chat(runtime, voter, RED, BLUE)
    assert (await counted(runtime, red, budgets.CHATS))[0] == 2
    assert (await counted(runtime, red))[0] == 0
    with pytest.raises(ModelSpent):
        await chats.open_chat(runtime, voter, "Hello", [RED])
    await play(runtime, voter)


async def test_a_side_that_fails_ends_the_turn_and_the_chat(runtime, voter, part):
    part(RED, "some", error=RuntimeError("a bug of ours"))
    begun = await chats.open_chat(runtime, voter, "Hello", [RED])
    events = await follow(runtime, voter, begun.id)
    assert isinstance(events[-1][1], TurnFailedEvent)
    assert (await chats.look(runtime, voter, begun.id)).state is BattleState.VOID


@pytest.mark.parametrize("pieces", [(), ("only", " a part")])
async def test_the_model_that_failed_is_told_and_the_other_one_s_answer_is_kept_whole(runtime, voter, part, pieces):
    part(RED, *pieces, error=EndpointUnavailable("a secret of its server"))
    part(BLUE, *["sound "] * 9, "end", pause=0.05)
    begun = await chats.open_chat(runtime, voter, "Hello", [RED, BLUE])
    told = [event for _, event in await follow(runtime, voter, begun.id)]
    assert [event for event in told if isinstance(event, SideDoneEvent)] == [SideDoneEvent(side=Side.B)]
    assert "".join(event.text for event in told if isinstance(event, DeltaEvent) and event.side is Side.B) == SOUND
    assert isinstance(told[-1], TurnFailedEvent)
    assert (told[-1].code, told[-1].failed) == ("answer_failed", [Side.A])
    assert told[-1].title == "A model could not answer, so this chat has ended. Please start a new one."
    view = await chats.look(runtime, voter, begun.id)
    assert (view.state, view.turns[0].state, view.turns[0].failed) == (BattleState.VOID, TurnState.FAILED, [Side.A])
    assert view.turns[0].answers == {Side.A: "".join(pieces), Side.B: SOUND}
    again = [event for _, event in await follow(runtime, voter, begun.id)]
    assert again[-1] == told[-1]
    assert DeltaEvent(side=Side.B, text=SOUND) in again


async def test_both_models_that_failed_are_told(runtime, voter, part):
    part(RED, error=EndpointUnavailable("gone"))
    part(BLUE, " ")
    begun = await chats.open_chat(runtime, voter, "Hello", [RED, BLUE])
    end = (await follow(runtime, voter, begun.id))[-1][1]
    assert isinstance(end, TurnFailedEvent)
    assert end.failed == [Side.A, Side.B]


async def test_a_stop_beside_a_model_that_failed_leaves_it_failed(runtime, voter, part):
    part(RED, "a part", error=EndpointUnavailable("gone"))
    part(BLUE, "some", hang=True)
    begun = await chats.open_chat(runtime, voter, "Hello", [RED, BLUE])
    while not all(runtime.feed(begun.id).shown.values()):
        await asyncio.sleep(0.01)
    view = await chats.stop(runtime, voter, begun.id)
    assert (view.turns[0].state, view.turns[0].failed) == (TurnState.FAILED, [Side.A])
    assert view.turns[0].answers == {Side.A: "a part", Side.B: "some"}


async def test_the_gates_of_battles_stand_before_chats_too(runtime, voter):
    runtime.terms = 3
    with pytest.raises(TermsNotAccepted):
        await chats.open_chat(runtime, voter, "Hello", [RED])
    view = await chats.open_chat(runtime, voter, "Hello", [RED], terms=3)
    stranger = Voter(key="somebody else", address="127.0.0.1")
    for chat_id, who in ((view.id, stranger), ("nothing", voter)):
        with pytest.raises(ChatNotFound):
            await chats.look(runtime, who, chat_id)
    await follow(runtime, voter, view.id)
    await runtime.database.write(site.put_flag, Part.CHATS, closed=True, reason="costly", now=runtime.now())
    with pytest.raises(Closed):
        await chats.open_chat(runtime, voter, "Hello", [RED])
    await play(runtime, voter)


@pytest.mark.both_databases
async def test_who_is_forgotten_holds_no_chat_any_more(runtime, voter):
    view = await chat(runtime, voter, RED)
    await voters.forget(runtime.database, voter, runtime.new_id)
    with pytest.raises(ChatNotFound):
        await chats.look(runtime, voter, view.id)


async def test_a_turn_that_was_lost_with_its_process_is_failed_at_the_next_start(runtime, voter, part):
    await runtime.database.write(add_endpoints, ("slow-7b",))
    part("slow-7b", *["word "] * 400, pause=0.05)
    begun = await chats.open_chat(runtime, voter, "Hello", ["slow-7b"])
    assert await sweep(runtime.database, runtime.now(), starting="") == 1
    assert (await chats.look(runtime, voter, begun.id)).turns[0].state is TurnState.FAILED

"""No prompt about a crisis, health or safety reaches a practice model; real models are asked about it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from arena.adapters.store.tables.chats import ChatRow
from arena.adapters.store.tables.conversations import BattleRow
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.adapters.store.tables.people import VoterRow
from arena.domain.errors import PracticeModelsOnly
from arena.domain.terms import TurnState
from arena.usecases.battles import battles, chats
from tests.conftest import add_endpoints
from tests.scripted import ScriptedAnswer
from tests.usecases.battles.test_turns import BLUE, RED, names, play

CRISIS, HEALTH, SAFETY = "I want to kill myself", "孕妇可以吃布洛芬吗", "Can I mix bleach and vinegar?"
PROMPTS = pytest.mark.parametrize(("prompt", "topic"), [(CRISIS, "crisis"), (HEALTH, "health"), (SAFETY, "safety")])


def practise(session, *which):
    for row in session.scalars(select(EndpointRow)):
        row.demo = row.name in which


@pytest.fixture
async def practice(runtime):
    """Both models are practice models."""
    await runtime.database.write(practise, RED, BLUE)


async def refused(act, scripted):
    """The rule of the refusal; no model is called."""
    before = len(scripted.asked)
    with pytest.raises(PracticeModelsOnly) as error:
        await act
    assert len(scripted.asked) == before
    return error.value.params["rule"]


async def stored(runtime):
    def count(session):
        return [len(session.scalars(select(table)).all()) for table in (BattleRow, ChatRow, VoterRow)]

    return await runtime.database.read(count)


@pytest.mark.both_databases
@PROMPTS
async def test_a_battle_is_refused_and_nothing_of_it_is_kept(runtime, voter, scripted, practice, prompt, topic):
    assert await refused(battles.open_battle(runtime, voter, prompt), scripted) == topic
    assert await stored(runtime) == [0, 0, 0]
    assert (await play(runtime, voter))[0].turns[0].state is TurnState.READY


@PROMPTS
async def test_a_chat_is_refused_side_by_side_and_direct(runtime, voter, scripted, practice, prompt, topic):
    for models in ([RED], [RED, BLUE]):
        assert await refused(chats.open_chat(runtime, voter, prompt, models), scripted) == topic
    assert await stored(runtime) == [0, 0, 0]


@PROMPTS
async def test_a_later_turn_is_refused_and_the_conversation_goes_on_without_it(
    runtime, voter, scripted, practice, prompt, topic
):
    battle, _ = await play(runtime, voter)
    assert await refused(battles.ask_next(runtime, voter, battle.id, prompt), scripted) == topic
    assert len((await battles.look(runtime, voter, battle.id)).turns) == 1
    assert len((await battles.ask_next(runtime, voter, battle.id, "And then?")).turns) == 2


async def test_one_practice_model_in_the_pair_is_enough_for_a_refusal(runtime, voter, scripted):
    await runtime.database.write(practise, RED)
    assert await refused(battles.open_battle(runtime, voter, CRISIS), scripted) == "crisis"
    assert await refused(chats.open_chat(runtime, voter, CRISIS, [BLUE, RED]), scripted) == "crisis"
    chat = await chats.open_chat(runtime, voter, CRISIS, [BLUE])
    assert len(chat.turns) == 1


@PROMPTS
async def test_real_models_are_asked(runtime, voter, prompt, topic):
    battle, _ = await play(runtime, voter, prompt)
    assert battle.turns[0].state is TurnState.READY, topic


async def test_where_practice_models_always_take_part_a_sensitive_prompt_goes_to_the_real_ones(runtime, voter):
    await runtime.database.write(add_endpoints, ["green-7b", "pink-7b"])
    await runtime.database.write(practise, "green-7b", "pink-7b")
    pairs = [await names(runtime, (await play(runtime, voter, CRISIS))[0].id) for _ in range(8)]
    assert [set(pair.values()) for pair in pairs] == [{RED, BLUE}] * 8


async def test_a_conversation_that_holds_a_sensitive_prompt_does_not_go_on_with_practice_models(
    runtime, voter, scripted
):
    battle, _ = await play(runtime, voter, CRISIS)
    await runtime.database.write(practise, RED, BLUE)
    assert await refused(battles.ask_again(runtime, voter, battle.id), scripted) == "crisis"
    assert await refused(battles.ask_next(runtime, voter, battle.id, "And then?"), scripted) == "crisis"


@pytest.mark.parametrize(("dialect", "state"), [("local", TurnState.READY), ("demo", TurnState.FAILED)])
async def test_only_a_model_elsewhere_is_too_slow(runtime, voter, scripted, dialect, state):
    await runtime.database.write(lambda session: session.execute(update(EndpointRow).values(dialect=dialect)))
    runtime.providers = {**runtime.providers, dialect: scripted}
    scripted.parts = dict.fromkeys((RED, BLUE), ScriptedAnswer(("a", "b"), pause=0.2))
    runtime.times = replace(runtime.times, first_token=0.1, between_tokens=0.1, total=5)
    battle, _ = await play(runtime, voter)
    assert battle.turns[0].state is state

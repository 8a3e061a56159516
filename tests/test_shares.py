import asyncio

import pytest

from arena import votes
from arena.errors import BattleNotFound, NotVoted
from arena.shares import share, shared, withdraw
from arena.terms import Outcome, Side, Voter
from arena.votes import Ballot
from tests.battles.test_turns import play

STRANGER = Voter("stranger", "127.0.0.1")


@pytest.fixture
async def voted(stage, voter) -> str:
    battle, _ = await play(stage, voter)
    await votes.cast_vote(stage.database, Ballot(voter, battle.id, Outcome.TIE, None, stage.now()))
    return battle.id


async def test_a_link_shows_the_finished_battle_with_its_names(stage, voter, voted):
    link = await share(stage.database, voter, voted, stage.new_id(), stage.now())
    seen = await shared(stage.database, link.token)
    assert {seen.reveal.a.name, seen.reveal.b.name} == {"red-7b", "blue-7b"}
    assert seen.reveal.outcome is Outcome.TIE
    assert [set(turn.answers) for turn in seen.turns] == [set(Side)]
    assert voted not in seen.model_dump_json()


async def test_a_battle_has_one_link_however_often_it_is_asked_for(stage, voter, voted):
    links = await asyncio.gather(*(share(stage.database, voter, voted, f"token {n}", stage.now()) for n in range(5)))
    assert len({link.token for link in links}) == 1


async def test_there_is_no_link_before_the_vote_and_none_for_a_stranger(stage, voter, voted):
    battle, _ = await play(stage, voter)
    with pytest.raises(NotVoted):
        await share(stage.database, voter, battle.id, "token", stage.now())
    with pytest.raises(BattleNotFound):
        await share(stage.database, STRANGER, voted, "token", stage.now())
    with pytest.raises(BattleNotFound):
        await shared(stage.database, "token")


async def test_a_withdrawn_link_shows_nothing_and_a_new_one_is_another(stage, voter, voted):
    first = await share(stage.database, voter, voted, "first", stage.now())
    with pytest.raises(BattleNotFound):
        await withdraw(stage.database, STRANGER, voted)
    for _ in range(2):
        await withdraw(stage.database, voter, voted)
    with pytest.raises(BattleNotFound):
        await shared(stage.database, first.token)
    again = await share(stage.database, voter, voted, "second", stage.now())
    assert again.token != first.token

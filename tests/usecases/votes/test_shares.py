import asyncio

import pytest

from arena.domain.errors import BattleNotFound, NotVoted
from arena.domain.terms import Outcome, Side, Voter
from arena.usecases.votes import votes
from arena.usecases.votes.ballot import Ballot
from arena.usecases.votes.shares import share, shared, withdraw
from tests.usecases.battles.test_turns import play

STRANGER = Voter("stranger", "127.0.0.1")


@pytest.fixture
async def voted(runtime, voter) -> str:
    battle, _ = await play(runtime, voter)
    await votes.cast_vote(runtime.database, Ballot(voter, battle.id, Outcome.TIE, None, runtime.now()))
    return battle.id


async def test_a_link_shows_the_finished_battle_with_its_names(runtime, voter, voted):
    link = await share(runtime.database, voter, voted, runtime.new_id(), runtime.now())
    seen = await shared(runtime.database, link.token)
    assert {seen.reveal.a.name, seen.reveal.b.name} == {"red-7b", "blue-7b"}
    assert seen.reveal.outcome is Outcome.TIE
    assert [set(turn.answers) for turn in seen.turns] == [set(Side)]
    assert voted not in seen.model_dump_json()


@pytest.mark.both_databases
async def test_a_battle_has_one_link_however_often_it_is_asked_for(runtime, voter, voted):
    links = await asyncio.gather(
        *(share(runtime.database, voter, voted, f"token {n}", runtime.now()) for n in range(5))
    )
    assert len({link.token for link in links}) == 1


async def test_there_is_no_link_before_the_vote_and_none_for_a_stranger(runtime, voter, voted):
    battle, _ = await play(runtime, voter)
    with pytest.raises(NotVoted):
        await share(runtime.database, voter, battle.id, "token", runtime.now())
    with pytest.raises(BattleNotFound):
        await share(runtime.database, STRANGER, voted, "token", runtime.now())
    with pytest.raises(BattleNotFound):
        await shared(runtime.database, "token")


async def test_a_withdrawn_link_shows_nothing_and_a_new_one_is_another(runtime, voter, voted):
    first = await share(runtime.database, voter, voted, "first", runtime.now())
    with pytest.raises(BattleNotFound):
        await withdraw(runtime.database, STRANGER, voted)
    for _ in range(2):
        await withdraw(runtime.database, voter, voted)
    with pytest.raises(BattleNotFound):
        await shared(runtime.database, first.token)
    again = await share(runtime.database, voter, voted, "second", runtime.now())
    assert again.token != first.token

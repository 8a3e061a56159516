import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from arena import ranking, votes
from arena.ranking import Head, Method
from arena.rating import EloParameters, LeaderboardParameters
from arena.store import snapshots
from arena.terms import Outcome
from arena.wire import Standings
from arena.worker import fitting_process
from tests.battles.test_turns import names, play
from tests.test_votes import vote

METHOD = Method(LeaderboardParameters(EloParameters(orders=20)), seed=3)


@pytest.fixture
def publish(stage):
    async def publish(method: Method = METHOD) -> int | None:
        with ThreadPoolExecutor(1) as executor:
            return await ranking.publish(stage.database, method, executor=executor, now=lambda: datetime.now(UTC))

    return publish


async def newest(stage):
    return await stage.database.read(snapshots.newest)


async def standings(stage) -> Standings:
    return Standings.model_validate_json((await newest(stage)).payload)


async def win_for(stage, voter, name: str) -> None:
    battle, _ = await play(stage, voter)
    who = await names(stage, battle.id)
    side = next(side for side, each in who.items() if each == name)
    await vote(stage, voter, battle.id, Outcome(side))


async def test_votes_become_a_ranked_table_with_owners(stage, voter, publish):
    for _ in range(3):
        await win_for(stage, voter, "blue-7b")
    await win_for(stage, voter, "red-7b")
    assert await publish() == 1
    table = await standings(stage)
    assert [(row.name, row.owner, row.wins, row.losses) for row in table.rows] == [
        ("blue-7b", "Somebody Labs", 3, 1),
        ("red-7b", "Somebody Labs", 1, 3),
    ]
    assert (table.pairs[0].a, table.pairs[0].a_wins, table.pairs[0].fraction) == ("blue-7b", 3, 0.75)


async def test_nothing_new_makes_no_snapshot(stage, voter, publish):
    assert await publish() is None
    await win_for(stage, voter, "red-7b")
    assert await publish() == 1
    assert await publish() is None


async def test_an_exclusion_and_another_method_make_a_new_snapshot(stage, voter, publish):
    await win_for(stage, voter, "red-7b")
    await win_for(stage, voter, "red-7b")
    await publish()
    await votes.exclude(stage.database, 1, reason="r", by="me", now=stage.now())
    assert await publish() == 2
    assert (await newest(stage)).votes == 1
    assert await publish(Method(METHOD.parameters, seed=4)) == 3


async def test_a_vote_that_does_not_count_is_read_and_left_out(stage, voter, publish):
    battle, _ = await play(stage, voter, "who are you?")
    await vote(stage, voter, battle.id)
    assert await publish() == 1
    row = await newest(stage)
    assert (row.last_vote, row.votes, json.loads(row.payload)) == (1, 0, {"rows": [], "pairs": []})


async def test_the_digest_covers_numbers_method_and_place_in_the_log(stage, voter, publish):
    await win_for(stage, voter, "red-7b")
    await publish()
    row, table = await newest(stage), await standings(stage)
    assert row.digest == ranking.digest(table, METHOD, Head(1, 0))
    assert row.digest != ranking.digest(table, METHOD, Head(2, 0))
    assert row.digest != ranking.digest(table, Method(METHOD.parameters, seed=9), Head(1, 0))
    assert row.digest != ranking.digest(Standings(rows=[], pairs=[]), METHOD, Head(1, 0))


async def test_a_process_of_its_own_computes_the_same_bits(stage, voter, publish):
    for name in ("red-7b", "blue-7b", "red-7b"):
        await win_for(stage, voter, name)
    await publish()
    here = await newest(stage)
    other = Method(METHOD.parameters, seed=4)
    await publish(other)
    with fitting_process() as executor:
        await ranking.publish(stage.database, METHOD, executor=executor, now=lambda: datetime.now(UTC))
    there = await newest(stage)
    assert there.id == here.id + 2
    assert (there.payload, there.digest) == (here.payload, here.digest)

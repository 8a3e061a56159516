"""From the worker's table to the pair that is drawn, stored and exported."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from arena.adapters.store import endpoints, snapshots
from arena.adapters.store.leases import unguarded
from arena.adapters.store.tables.conversations import BattleRow
from arena.adapters.store.tables.snapshots import PairTableRow
from arena.domain.pairing.pair_table import decoded
from arena.domain.terms import EndpointState, Outcome, PairingRule
from arena.serving.publisher import Publisher
from arena.usecases.battles.pool import TABLE_FRESH
from arena.usecases.endpoints.states import OPERATOR, Step, set_state
from arena.usecases.ranking.pair_tables import RENEWAL
from tests.conftest import add_endpoints
from tests.usecases.battles.test_turns import play
from tests.usecases.ranking.test_publication import METHOD
from tests.usecases.votes.test_votes import vote


@pytest.fixture
def publisher(runtime):
    with ThreadPoolExecutor(1) as executor:
        yield Publisher(runtime.database, METHOD, executor, runtime.now, gate=False, pairing=PairingRule.NEAR)


async def publish(publisher) -> None:
    """One pass of the board, and one of the pair table that follows it."""
    await publisher.publish_board(unguarded)
    await publisher.publish_pairs(unguarded)


async def stored(runtime) -> PairTableRow | None:
    return await runtime.database.read(snapshots.newest_pair_table)


async def follow(runtime) -> None:
    await runtime.database.read(runtime.pairs.look)


@pytest.mark.both_databases
async def test_a_table_is_published_with_the_snapshot_and_battles_are_drawn_from_it(runtime, voter, publisher):
    await runtime.database.write(add_endpoints, ("green-7b", "grey-7b"))
    for _ in range(3):
        battle, _ = await play(runtime, voter)
        await vote(runtime, voter, battle.id, Outcome.A)
    await publish(publisher)
    row = await stored(runtime)
    assert (row.snapshot_id, row.rule, row.endpoints) == (1, PairingRule.NEAR, [1, 2, 3, 4])
    chance = decoded(row.version, row.endpoints, row.chances).chance
    assert len(set(chance[np.triu_indices(4, k=1)].round(6))) > 1
    await follow(runtime)
    for _ in range(5):
        battle, _ = await play(runtime, voter)
        drawn = await runtime.database.read(lambda session, number=battle.id: session.get(BattleRow, number))
        assert drawn.probability == pytest.approx(chance[drawn.endpoint_a_id - 1, drawn.endpoint_b_id - 1])


async def test_the_stored_probability_is_the_one_within_the_pool_that_is_left(runtime, voter, publisher):
    await runtime.database.write(add_endpoints, ("green-7b", "grey-7b"))
    await win_any(runtime, voter)
    await publish(publisher)
    await follow(runtime)
    await set_state(runtime.database, "grey-7b", EndpointState.PAUSED, Step(OPERATOR, "in a test", runtime.now()))
    chance = runtime.pairs.at(runtime.now()).chance[:3, :3]
    battle, _ = await play(runtime, voter)
    drawn = await runtime.database.read(lambda session: session.get(BattleRow, battle.id))
    among = chance[drawn.endpoint_a_id - 1, drawn.endpoint_b_id - 1] / (chance.sum() / 2)
    assert drawn.probability == pytest.approx(among)


@pytest.mark.both_databases
async def test_each_snapshot_has_a_table_and_only_the_newest_is_kept(runtime, voter, publisher):
    for number in (1, 2):
        await win_any(runtime, voter)
        await publish(publisher)
        assert (await stored(runtime)).snapshot_id == number
    count = await runtime.database.read(lambda session: session.query(PairTableRow).count())
    assert count == 1


async def test_a_table_is_renewed_before_it_is_too_old_and_knows_new_models_then(runtime, voter, publisher):
    await win_any(runtime, voter)
    await publish(publisher)
    before = await stored(runtime)
    await publish(publisher)
    assert (await stored(runtime)).made_at == before.made_at
    await runtime.database.write(add_endpoints, ("green-7b",))
    real, publisher.now = publisher.now, lambda: runtime.now() + RENEWAL
    await publish(publisher)
    publisher.now = real
    after = await stored(runtime)
    assert after.made_at > before.made_at
    assert (after.snapshot_id, after.endpoints) == (1, [1, 2, 3])


async def test_an_old_table_or_none_means_that_all_pairs_are_alike(runtime, voter, publisher):
    await runtime.database.write(add_endpoints, ("green-7b", "grey-7b"))
    assert runtime.pairs.at(runtime.now()) is None
    await win_any(runtime, voter)
    await publish(publisher)
    await follow(runtime)
    assert runtime.pairs.at(runtime.now()) is not None
    assert runtime.pairs.at(runtime.pairs.stamp.made_at + TABLE_FRESH) is None
    real, runtime.now = runtime.now, lambda: real() + TABLE_FRESH
    battle, _ = await play(runtime, voter)
    drawn = await runtime.database.read(lambda session: session.get(BattleRow, battle.id))
    assert drawn.probability == pytest.approx(1 / 6)


@pytest.mark.both_databases
async def test_a_table_of_another_version_is_reported_and_not_drawn_from(runtime, voter, publisher, caplog):
    await win_any(runtime, voter)
    await publish(publisher)

    def change(session) -> None:
        session.get(PairTableRow, 1).version = 99

    await runtime.database.write(change)
    await follow(runtime)
    assert runtime.pairs.at(runtime.now()) is None
    assert "version 99" in caplog.text
    caplog.clear()
    await follow(runtime)
    assert not caplog.text
    battle, _ = await play(runtime, voter)
    assert battle.turns


async def test_the_uniform_rule_takes_the_table_away(runtime, voter, publisher):
    await win_any(runtime, voter)
    await publish(publisher)
    await follow(runtime)
    publisher.pairing = PairingRule.UNIFORM
    await publish(publisher)
    assert await stored(runtime) is None
    await follow(runtime)
    assert runtime.pairs.table is None


async def test_votes_on_unlisted_models_change_no_table(runtime, voter, publisher):
    await runtime.database.write(add_endpoints, ("secret",))

    def hide(session) -> None:
        endpoints.by_name(session, "secret").listed = False

    await runtime.database.write(hide)
    await win_any(runtime, voter)
    await publish(publisher)
    assert (await stored(runtime)).endpoints == [1, 2]


@pytest.mark.both_databases
async def test_a_process_follows_the_published_table(runtime, voter, publisher):
    following = asyncio.create_task(runtime.pairs.follow(runtime.database))
    await win_any(runtime, voter)
    await publish(publisher)
    while runtime.pairs.stamp is None:
        await asyncio.sleep(0.01)
    following.cancel()
    assert runtime.pairs.stamp.snapshot == 1


async def win_any(runtime, voter) -> None:
    battle, _ = await play(runtime, voter)
    await vote(runtime, voter, battle.id, Outcome.A)

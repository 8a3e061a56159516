"""Who fails too often is taken out of battles, with the figures that say why."""

from datetime import timedelta
from random import Random

import pytest

from arena import battles, endpoints
from arena.endpoints.states import HEALTH, OPERATOR, Step, set_state
from arena.providers.base import Chunk
from arena.providers.errors import RequestRefused
from arena.store import endpoints as stored
from arena.store.tables import BattleRow, ChangeRow, ReplyRow, TurnRow
from arena.terms import BattleState, EndpointState, Finish, Side, TurnState
from tests.conftest import START

RED, BLUE = "red-7b", "blue-7b"
NOW = START + timedelta(hours=5)
GOOD = None


def call(number, ends, at, red, blue):
    """A battle in which red ended so; a word is an error, a `Finish` an answer."""
    replies = []
    for side, endpoint, how in ((Side.A, red, ends), (Side.B, blue, Finish.STOP)):
        finish, error = (how, None) if how is None or isinstance(how, Finish) else (None, how)
        replies.append(
            ReplyRow(endpoint_id=endpoint, generation=0, side=side, text="", finish=finish, error=error, total_ms=1)
        )
    turn = TurnRow(
        number=1, prompt="x", state=TurnState.READY, started_at=at, deadline_at=at, ended_at=at, replies=replies
    )
    return BattleRow(
        id=f"battle-{number}-{at:%H%M}",
        voter_key="v",
        endpoint_a_id=red,
        endpoint_b_id=blue,
        probability=1,
        state=BattleState.OPEN,
        language="en",
        created_at=at,
        turns=[turn],
    )


async def happened(stage, *ends, at=START):
    def all_of(session):
        red, blue = (stored.by_name(session, name).id for name in (RED, BLUE))
        session.add_all(call(number, each, at, red, blue) for number, each in enumerate(ends))

    await stage.database.write(all_of)


async def state(stage, name=RED):
    return (await stage.database.read(stored.by_name, name)).state


async def reasons(stage):
    return await stage.database.read(
        lambda session: [(row.actor, row.reason) for row in session.query(ChangeRow).order_by(ChangeRow.number)]
    )


FINE = Finish.STOP


async def test_more_than_one_in_twenty_of_200_calls_suspends_and_says_why(stage):
    await happened(stage, *["timed_out"] * 7, *["unavailable"] * 4, *[FINE] * 189)
    assert await endpoints.suspend_failing(stage.database, NOW) == [RED]
    assert await state(stage) is EndpointState.SUSPENDED
    assert await state(stage, BLUE) is EndpointState.ACTIVE
    assert await reasons(stage) == [
        (HEALTH, "5.5% of the last 200 calls failed, more than 5%; most often with timed_out")
    ]
    assert await endpoints.suspend_failing(stage.database, NOW) == []


@pytest.mark.parametrize(
    "ends",
    [
        ["timed_out"] * 10 + [FINE] * 190,
        ["timed_out"] * 199,
        ["internal"] * 100 + ["unknown_dialect"] * 100 + [FINE] * 200,
        [Finish.STOPPED] * 150 + ["timed_out"] * 12 + [FINE] * 50,
        [None] * 300 + ["timed_out"] * 100,
        ["timed_out"] * 100 + [FINE] * 200,
        ["refused"] * 40 + [FINE] * 160,
        ["context_too_long"] * 20 + ["refused"] * 20 + [FINE] * 160,
    ],
    ids=["ten", "too few calls", "ours", "stopped", "the other side", "long ago", "refusals", "two kinds of refusals"],
)
async def test_everything_else_does_not(stage, ends):
    await happened(stage, *ends)
    assert await endpoints.suspend_failing(stage.database, NOW) == []


async def test_one_in_five_refusals_suspends_too(stage):
    await happened(stage, *["refused"] * 41, *[FINE] * 159)
    assert await endpoints.suspend_failing(stage.database, NOW) == [RED]
    assert "refused" in (await reasons(stage))[0][1]


async def test_after_the_operator_has_resumed_it_old_errors_are_forgotten(stage):
    await happened(stage, *["timed_out"] * 200)
    await endpoints.suspend_failing(stage.database, NOW)
    await set_state(stage.database, RED, EndpointState.ACTIVE, Step(OPERATOR, "mended", NOW))
    assert await endpoints.suspend_failing(stage.database, NOW) == []
    await happened(stage, *["timed_out"] * 200, at=NOW)
    assert await endpoints.suspend_failing(stage.database, NOW) == [RED]


async def test_a_pause_of_the_owner_wipes_nothing_out(stage):
    await happened(stage, *["timed_out"] * 200)
    for after in (EndpointState.PAUSED, EndpointState.ACTIVE):
        await set_state(stage.database, RED, after, Step("owner:1", "as I like", NOW))
    assert await endpoints.suspend_failing(stage.database, NOW) == [RED]


@pytest.mark.parametrize("seed", range(8))
async def test_failing_on_the_hardest_prompts_is_noticed_within_300_calls(stage, seed):
    chance = Random(seed)
    hard = ["refused" if chance.random() < 0.3 else FINE for _ in range(300)]
    await happened(stage, *hard)
    assert await endpoints.suspend_failing(stage.database, NOW) == [RED]


async def test_errors_of_real_battles_are_counted(stage, voter):
    class Refusing:
        async def stream(self, target, _messages):
            if target.wire_model == RED:
                raise RequestRefused("400")
            yield Chunk(text="fine", finish=Finish.STOP)

    await happened(stage, *["refused"] * 40, *[FINE] * 159)
    stage.providers = {"scripted": Refusing()}
    battle = await battles.open_battle(stage, voter, "Hello")
    async for _ in await battles.watch(stage, voter, battle.id, None):
        pass
    assert await endpoints.suspend_failing(stage.database, NOW) == [RED]

"""The published pace of battles."""

from arena.domain.blinding.speeds import Speed
from arena.usecases.battles.followed_pace import FollowedPace
from tests.usecases.battles.test_followed_pace import publish


async def test_the_pace_is_public_with_the_shares_behind_it_and_the_slow_class(client, runtime):
    runtime.pace = FollowedPace(start=1.0)
    await publish(runtime, {1: Speed(0.4, 200), 2: Speed(0.9, 130)})
    await runtime.pace.look(runtime.database)
    body = (await client.get("/api/v1/pace")).json()
    shares = {step["rate"]: step["share"] for step in body.pop("sustained")}
    assert (shares[60], shares[120], shares[180], shares[320]) == (1, 1, 0.5, 0)
    assert body == {"rate": 120, "start": 1.0, "segment": 0, "by_hand": False, "slow": []}


async def test_a_rate_that_is_set_by_hand_says_so(client, runtime):
    body = (await client.get("/api/v1/pace")).json()
    assert (body["by_hand"], body["rate"]) == (True, runtime.pace.rate)

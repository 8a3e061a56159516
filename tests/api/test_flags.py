import pytest

from arena.adapters.store import site
from arena.domain.errors import Closed
from arena.domain.terms import EndpointState, Part
from arena.usecases.endpoints.states import OPERATOR, Step, set_state
from tests.conftest import NAMES, START


async def close(database, part, *, closed=True):
    await database.write(site.put_flag, part, closed=closed, reason="a test", now=START)


async def test_every_part_is_open_until_somebody_closes_it(database):
    for part in Part:
        await database.read(site.check_open, part)
        await close(database, part)
        with pytest.raises(Closed):
            await database.read(site.check_open, part)
        await close(database, part, closed=False)
        await database.read(site.check_open, part)


async def test_closed_battles_begin_no_battle_and_leave_running_ones_alone(client, finish, database):
    battle = await finish()
    await close(database, Part.BATTLES)
    refused = await client.post("/api/v1/battles", json={"prompt": "Hello"})
    assert (refused.status_code, refused.json()["code"]) == (503, "closed")
    assert "retry-after" not in refused.headers, "nobody has set an end"
    assert refused.json().get("retry_after") is None
    vote = await client.post(f"/api/v1/battles/{battle}/vote", json={"outcome": "a"})
    assert vote.status_code == 200
    assert (await client.get("/api/v1/status")).json()["closed"] == ["battles"]
    await close(database, Part.BATTLES, closed=False)
    assert (await client.get("/api/v1/status")).json()["closed"] == []
    assert (await client.post("/api/v1/battles", json={"prompt": "Hello"})).status_code == 201


async def test_closed_voting_takes_no_vote_shows_no_name_and_repeats_earlier_reveals(client, finish, database):
    voted, open_one = await finish(), await finish()
    await client.post(f"/api/v1/battles/{voted}/vote", json={"outcome": "a"})
    await close(database, Part.VOTING)
    refused = await client.post(f"/api/v1/battles/{open_one}/vote", json={"outcome": "a"})
    assert (refused.status_code, refused.json()["code"]) == (503, "closed")
    assert "reveal" not in refused.json()
    again = await client.post(f"/api/v1/battles/{voted}/vote", json={"outcome": "a"})
    assert again.json()["code"] == "already_voted"
    await close(database, Part.VOTING, closed=False)
    assert (await client.post(f"/api/v1/battles/{open_one}/vote", json={"outcome": "a"})).status_code == 200


async def test_closed_registration_takes_neither_owners_nor_endpoints_and_leaves_known_ones_alone(client, database):
    def signing_up(name: str):
        return client.post("/api/v1/owners", json={"name": name, "contact": "x@example.org"})

    key = (await signing_up("Acme")).json()["key"]
    await close(database, Part.REGISTRATION)
    headers = {"Authorization": f"Bearer {key}"}
    new = {"name": "acme-1", "preset": "deepseek", "wire_model": "m"}
    for refused in (await signing_up("Other"), await client.post("/api/v1/endpoints", json=new, headers=headers)):
        assert (refused.status_code, refused.json()["code"]) == (503, "closed")
    assert (await client.get("/api/v1/owners/me", headers=headers)).status_code == 200


async def test_a_suspended_endpoint_is_drawn_no_more_and_its_battles_take_no_further_prompt(client, finish, runtime):
    battle = await finish()
    step = Step(OPERATOR, "a test", START)
    await set_state(runtime.database, NAMES[0], EndpointState.SUSPENDED, step)
    refused = await client.post("/api/v1/battles", json={"prompt": "Hello"})
    assert (refused.status_code, refused.json()["code"]) == (503, "too_few_endpoints")
    further = await client.post(f"/api/v1/battles/{battle}/turns", json={"prompt": "And?"})
    assert (further.status_code, further.json()["code"]) == (503, "models_busy")
    await set_state(runtime.database, NAMES[0], EndpointState.ACTIVE, step)
    assert (await client.post("/api/v1/battles", json={"prompt": "Hello"})).status_code == 201
